// Pages beside the rules: the trace of a saved game, and the table of a game of random moves.

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { command, run } from "./command";

export function registerPages(): vscode.Disposable[] {
    return [
        vscode.commands.registerCommand("regelwerk.table", reported(showTable)),
        vscode.commands.registerCommand("regelwerk.trace", reported(chooseTrace)),
        vscode.commands.registerCommand("regelwerk.play", (uri?: string) => inTerminal("play", uri)),
        vscode.commands.registerCommand("regelwerk.simulate", (uri?: string) => inTerminal("simulate", uri)),
    ];
}

/** The same, with errors shown to the person who asked. */
function reported(action: () => Promise<void>): () => Promise<void> {
    return () =>
        action().catch((fault: Error) => {
            void vscode.window.showErrorMessage(fault.message);
        });
}

function openFile(): string {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined) {
        throw new Error("open a rules file first");
    }
    return document.uri.fsPath;
}

async function showTable(): Promise<void> {
    const file = openFile();
    const folder = await mkdtemp(join(tmpdir(), "regelwerk-"));
    try {
        const save = join(folder, "game.json");
        const seed = String(Math.floor(Math.random() * 1_000_000));
        await run(["play", file, "--seat", "all=random", "--seed", seed, "--save", save, "--plain"], dirname(file));
        await showPage(save, folder, "Table");
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}

async function chooseTrace(): Promise<void> {
    const listed = JSON.parse(await run(["saves", "--format", "json"])) as { saves: { name: string; title: string }[] };
    const items = listed.saves.map((save) => ({ label: save.name, description: save.title }));
    const chosen = await vscode.window.showQuickPick(items, { title: "Trace of which saved game?" });
    if (chosen !== undefined) {
        const folder = await mkdtemp(join(tmpdir(), "regelwerk-"));
        try {
            await showPage(chosen.label, folder, chosen.label);
        } finally {
            await rm(folder, { recursive: true, force: true });
        }
    }
}

/** What panels add to pages: a margin, and code on a ground of its own. */
const WITHOUT_STYLES_OF_PANELS = "<style>body { padding: 0 } code { background: none; color: inherit; padding: 0 }</style>";

/** A page holds its own scripts and styles, so that a panel needs nothing from the disk. */
async function showPage(save: string, folder: string, title: string): Promise<void> {
    const page = join(folder, "trace.html");
    await run(["trace", save, "--html", page]);
    const panel = vscode.window.createWebviewPanel("regelwerk", title, vscode.ViewColumn.Beside, { enableScripts: true });
    panel.webview.html = (await readFile(page, "utf8")).replace("<head>", `<head>${WITHOUT_STYLES_OF_PANELS}`);
}

/** Run a verb on a file in a terminal of its own; without an address on the file in the editor. */
function inTerminal(verb: string, uri: string | undefined): void {
    const file = uri === undefined ? openFile() : vscode.Uri.parse(uri).fsPath;
    vscode.window.createTerminal({ name: `Regelwerk: ${verb}`, shellPath: command(), shellArgs: [verb, file] }).show();
}
