// Tasks: the verbs that an author runs again and again, on the file in the editor.

import * as vscode from "vscode";
import { command } from "./command";

const VERBS = ["check", "test", "fmt", "play", "simulate"];

export function registerTasks(): vscode.Disposable {
    return vscode.tasks.registerTaskProvider("regelwerk", {
        provideTasks: () => VERBS.map((verb) => task({ type: "regelwerk", verb })),
        resolveTask: (wanted) => task(wanted.definition),
    });
}

function task(definition: vscode.TaskDefinition): vscode.Task {
    const parameters = [definition.verb as string, ...((definition.arguments as string[] | undefined) ?? ["${file}"])];
    const execution = new vscode.ProcessExecution(command(), parameters);
    const made = new vscode.Task(
        definition, vscode.TaskScope.Workspace, definition.verb as string, "regelwerk", execution, "$regelwerk",
    );
    made.group = definition.verb === "test" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
    return made;
}
