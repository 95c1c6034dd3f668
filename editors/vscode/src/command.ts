// The command that everything here starts, and running it once.

import { execFile } from "node:child_process";
import * as vscode from "vscode";

export function command(): string {
    const set = vscode.workspace.getConfiguration("regelwerk").get<string>("command") || "regelwerk";
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    return set.replaceAll("${workspaceFolder}", folder);
}

/** What the command prints; rejects with what it complains about. */
export function run(parameters: string[], folder?: string): Promise<string> {
    return new Promise((resolve, reject) => {
        execFile(command(), parameters, { cwd: folder, maxBuffer: 64_000_000 }, (fault, output, complaint) => {
            if (fault) {
                reject(new Error(complaint.trim() || fault.message));
            } else {
                resolve(output);
            }
        });
    });
}
