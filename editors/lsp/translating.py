"""Answers of the language service in the types of the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from editors.lsp.documents import TextLines
from editors.service.results import (
    Colour,
    Coloured,
    Completion,
    CompletionKind,
    Edit,
    Finding,
    Fold,
    InlayHint,
    Outline,
    OutlineKind,
    Place,
    Signature,
)

SOURCE, EXAMPLES = "regelwerk", "regelwerk test"


def uri_of(path: Path) -> str:
    """The address of a file."""
    return from_fs_path(str(path)) or ""


def path_of(uri: str) -> Path | None:
    """The file that an address names; None for what is no file, such as a text without a name."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(path).absolute() if path else None


_COMPLETION_KINDS: dict[CompletionKind, types.CompletionItemKind] = {
    "keyword": types.CompletionItemKind.Keyword, "type": types.CompletionItemKind.Enum,
    "value": types.CompletionItemKind.EnumMember, "piece": types.CompletionItemKind.Class,
    "zone": types.CompletionItemKind.Field, "note": types.CompletionItemKind.Variable,
    "die": types.CompletionItemKind.Variable, "position": types.CompletionItemKind.Variable,
    "option": types.CompletionItemKind.Constant, "constant": types.CompletionItemKind.Constant,
    "definition": types.CompletionItemKind.Function, "action": types.CompletionItemKind.Method,
    "step": types.CompletionItemKind.Method, "phase": types.CompletionItemKind.Module,
    "local": types.CompletionItemKind.Variable, "attribute": types.CompletionItemKind.Property,
    "function": types.CompletionItemKind.Function, "item": types.CompletionItemKind.Reference,
    "snippet": types.CompletionItemKind.Snippet,
}  # fmt: skip
_SYMBOL_KINDS: dict[OutlineKind, types.SymbolKind] = {
    "file": types.SymbolKind.File, "part": types.SymbolKind.Namespace, "type": types.SymbolKind.Enum,
    "piece": types.SymbolKind.Class, "zone": types.SymbolKind.Field, "note": types.SymbolKind.Variable,
    "die": types.SymbolKind.Variable, "position": types.SymbolKind.Variable, "option": types.SymbolKind.Constant,
    "table": types.SymbolKind.Object, "definition": types.SymbolKind.Function, "winner": types.SymbolKind.Event,
    "action": types.SymbolKind.Method, "step": types.SymbolKind.Method, "reaction": types.SymbolKind.Event,
    "phase": types.SymbolKind.Module, "example": types.SymbolKind.Event, "change": types.SymbolKind.Operator,
    "words": types.SymbolKind.String, "item": types.SymbolKind.Key, "place": types.SymbolKind.Key,
}  # fmt: skip

TOKEN_TYPES = (
    "keyword", "comment", "string", "number", "namespace", "decorator", "type", "enumMember", "class", "property",
    "variable", "function", "method", "event", "parameter",
)  # fmt: skip
TOKEN_MODIFIERS = ("declaration", "readonly")
_TOKENS: dict[Colour, str] = {
    "keyword": "keyword", "comment": "comment", "string": "string", "number": "number", "heading": "namespace",
    "citation": "decorator", "type": "type", "value": "enumMember", "piece": "class", "zone": "property",
    "note": "variable", "constant": "variable", "definition": "function", "action": "method", "phase": "event",
    "parameter": "parameter", "local": "variable", "attribute": "property", "function": "function",
}  # fmt: skip


def diagnostic(finding: Finding, lines: TextLines, lines_of: dict[Path, TextLines]) -> types.Diagnostic:
    """A finding; one of an example that fails has no code."""
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(uri_of(label.place.path), lines_of[label.place.path].range_of(label.place)), label.text
        )
        for label in finding.related
    ]
    return types.Diagnostic(
        lines.range_of(finding.place), finding.message, code=finding.code or None,
        severity=_severity(finding),
        code_description=_page(finding.code), source=SOURCE if finding.code else EXAMPLES,
        related_information=related or None,
    )  # fmt: skip


def _severity(finding: Finding) -> types.DiagnosticSeverity:
    if finding.is_hint:
        return types.DiagnosticSeverity.Hint
    return types.DiagnosticSeverity.Error if finding.severity == "error" else types.DiagnosticSeverity.Warning


@cache
def _page(code: str) -> types.CodeDescription | None:
    """The page of the catalogue about a code, which is a file of the package; None for none."""
    page = files("dsl.catalogue").joinpath(f"{code}.md")
    return types.CodeDescription(uri_of(page)) if code and isinstance(page, Path) else None


def text_edits(edits: Sequence[Edit], lines: TextLines) -> list[types.TextEdit]:
    """Edits of one text."""
    return [types.TextEdit(lines.range_of(edit.place), edit.text) for edit in edits]


def completion_item(completion: Completion, lines: TextLines, snippets: bool) -> types.CompletionItem:
    """A completion; for an editor without snippets only its label is inserted."""
    is_snippet = completion.is_snippet and snippets
    text = completion.text if is_snippet or not completion.is_snippet else completion.label
    return types.CompletionItem(
        completion.label, kind=_COMPLETION_KINDS[completion.kind], detail=completion.detail or None,
        documentation=completion.documentation or None, sort_text=f"{completion.rank:04d} {completion.label}",
        text_edit=types.TextEdit(lines.range_of(completion.place), text),
        insert_text_format=types.InsertTextFormat.Snippet if is_snippet else types.InsertTextFormat.PlainText,
    )  # fmt: skip


def document_symbol(outline: Outline, lines: TextLines) -> types.DocumentSymbol:
    """A declaration with what is inside it."""
    return types.DocumentSymbol(
        outline.name, _SYMBOL_KINDS[outline.kind], lines.range_of(outline.place), lines.range_of(outline.name_place),
        detail=outline.detail or None, children=[document_symbol(child, lines) for child in outline.children],
    )  # fmt: skip


def workspace_symbols(outline: Outline, lines: TextLines, query: str) -> list[types.WorkspaceSymbol]:
    """A declaration and those inside it whose names contain a query."""
    symbols = []
    if query.lower() in outline.name.lower() and outline.kind != "part":
        location = types.Location(uri_of(outline.place.path), lines.range_of(outline.name_place))
        symbols.append(types.WorkspaceSymbol(location, outline.name, _SYMBOL_KINDS[outline.kind]))
    return symbols + [symbol for child in outline.children for symbol in workspace_symbols(child, lines, query)]


def folding_range(fold: Fold) -> types.FoldingRange:
    """Lines that can be folded."""
    kind = types.FoldingRangeKind.Comment if fold.kind == "comment" else types.FoldingRangeKind.Region
    return types.FoldingRange(fold.first, fold.last, kind=kind)


def semantic_tokens(parts: Sequence[Coloured], lines: TextLines) -> types.SemanticTokens:
    """The words of a text in the encoding of the protocol: each relative to the one before."""
    data: list[int] = []
    line = character = 0
    for part in parts:
        start, end = lines.position(part.start), lines.position(part.end)
        if start.line != end.line:
            continue
        data += [
            start.line - line, start.character - (character if start.line == line else 0),
            end.character - start.character, TOKEN_TYPES.index(_TOKENS[part.colour]), int(part.is_declaration),
        ]  # fmt: skip
        line, character = start.line, start.character
    return types.SemanticTokens(data)


def selection_range(places: Sequence[Place], lines: TextLines) -> types.SelectionRange:
    """What encloses a position, from the innermost outwards."""
    outer: types.SelectionRange | None = None
    for place in reversed(places):
        outer = types.SelectionRange(lines.range_of(place), outer)
    return outer or types.SelectionRange(lines.range(0, 0))


def signature_help(signature: Signature) -> types.SignatureHelp:
    """What a call expects."""
    parameters = [types.ParameterInformation((parameter.start, parameter.end)) for parameter in signature.parameters]
    information = types.SignatureInformation(
        signature.label, documentation=signature.documentation or None, parameters=parameters,
        active_parameter=signature.active,
    )  # fmt: skip
    return types.SignatureHelp([information], 0, signature.active)


def inlay_hint(hint: InlayHint, lines: TextLines) -> types.InlayHint:
    """A text that is not in the file."""
    kind = types.InlayHintKind.Parameter if hint.is_parameter else types.InlayHintKind.Type
    return types.InlayHint(lines.position(hint.offset), hint.text, kind=kind, padding_right=hint.is_parameter)
