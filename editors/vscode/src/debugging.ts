// The debugger: starts the adapter, and fills in what a launch leaves out.

import * as vscode from "vscode";
import { command } from "./command";

const TYPE = "regelwerk";

export function registerDebugger(): vscode.Disposable[] {
    return [
        vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, {
            createDebugAdapterDescriptor: (session) =>
                new vscode.DebugAdapterExecutable(command(), ["dap"], { cwd: session.workspaceFolder?.uri.fsPath }),
        }),
        vscode.debug.registerDebugConfigurationProvider(TYPE, { resolveDebugConfiguration }),
        vscode.commands.registerCommand("regelwerk.debug", (uri: string, example: string) => {
            const program = vscode.Uri.parse(uri).fsPath.replace(/\.examples\.rules$/, ".rules");
            return vscode.debug.startDebugging(undefined, {
                type: TYPE, request: "launch", name: example, program, example, stopOnEntry: true,
            });
        }),
    ];
}

/** F5 without a configuration debugs the file in the editor, played by bots. */
function resolveDebugConfiguration(
    _: vscode.WorkspaceFolder | undefined, wanted: vscode.DebugConfiguration,
): vscode.DebugConfiguration {
    if (wanted.type || wanted.request || wanted.name) {
        return wanted;
    }
    const program = vscode.window.activeTextEditor?.document.uri.fsPath;
    return {
        type: TYPE, request: "launch", name: "Debug a game of bots", program, seats: { all: "random" }, seed: 1,
        stopOnEntry: true,
    };
}
