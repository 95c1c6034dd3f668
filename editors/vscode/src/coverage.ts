// Coverage in the gutter: a bar beside each line of which no example reaches a part. The server says so in hints.

import * as vscode from "vscode";

const BAR = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M7 0h3v16H7z' fill='#c08000'/></svg>";
const UNREACHED = vscode.window.createTextEditorDecorationType({
    gutterIconPath: vscode.Uri.parse(`data:image/svg+xml;utf8,${encodeURIComponent(BAR)}`),
    gutterIconSize: "contain",
    overviewRulerColor: "#c08000",
    overviewRulerLane: vscode.OverviewRulerLane.Left,
});

export function registerCoverage(): vscode.Disposable[] {
    return [
        UNREACHED,
        vscode.languages.onDidChangeDiagnostics(showAll),
        vscode.window.onDidChangeVisibleTextEditors(showAll),
    ];
}

function showAll(): void {
    for (const editor of vscode.window.visibleTextEditors.filter((one) => one.document.languageId === "regelwerk")) {
        const hints = vscode.languages
            .getDiagnostics(editor.document.uri)
            .filter((finding) => finding.severity === vscode.DiagnosticSeverity.Hint);
        editor.setDecorations(UNREACHED, hints.map((hint) => ({ range: hint.range, hoverMessage: hint.message })));
    }
}
