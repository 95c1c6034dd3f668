// The entry point: the language server, the debugger, pages and tasks.

import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { command } from "./command";
import { registerCoverage } from "./coverage";
import { registerDebugger } from "./debugging";
import { registerPages } from "./pages";
import { registerTasks } from "./tasks";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    context.subscriptions.push(
        ...registerDebugger(),
        ...registerPages(),
        ...registerCoverage(),
        registerTasks(),
        vscode.commands.registerCommand("regelwerk.restart", restart),
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration("regelwerk")) {
                void restart();
            }
        }),
    );
    await start();
}

/** Also called by the editor when it closes. A client that did not start has nothing to stop. */
export async function deactivate(): Promise<void> {
    if (client?.isRunning()) {
        await client.stop();
    }
}

async function start(): Promise<void> {
    const server = { command: command(), args: ["lsp"] };
    client = new LanguageClient("regelwerk", "Regelwerk", server, {
        initializationOptions: {
            commands: ["regelwerk.play", "regelwerk.simulate", "regelwerk.debug"],
            coverage: vscode.workspace.getConfiguration("regelwerk").get("coverage"),
        },
        documentSelector: [{ language: "regelwerk" }, { scheme: "file", pattern: "**/*.items" }],
    });
    try {
        await client.start();
    } catch (fault) {
        const choice = await vscode.window.showErrorMessage(
            `Regelwerk does not start: ${fault instanceof Error ? fault.message : fault}. ` +
                "Install it with pip install 'regelwerk[editor]', or set its path.",
            "Set the path",
        );
        if (choice !== undefined) {
            await vscode.commands.executeCommand("workbench.action.openSettings", "regelwerk.command");
        }
    }
}

async function restart(): Promise<void> {
    await deactivate();
    await start();
}
