"""The server: which requests it answers, and how each is put to the language service."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from dsl.text.files import files_in
from dsl.text.folders import SUFFIX
from editors.lsp.documents import Document, Encoding, TextLines
from editors.lsp.examples import run_examples
from editors.lsp.session import CheckedGame, Session
from editors.lsp.translating import (
    TOKEN_MODIFIERS,
    TOKEN_TYPES,
    completion_item,
    diagnostic,
    document_symbol,
    folding_range,
    inlay_hint,
    path_of,
    selection_range,
    semantic_tokens,
    signature_help,
    text_edits,
    uri_of,
    workspace_symbols,
)
from editors.service.analysis import Analysis, analyse, fixes_for_all
from editors.service.calls import Called, callable_at, incoming, outgoing
from editors.service.colours import coloured
from editors.service.completing import completions
from editors.service.formatting import formatted, indented
from editors.service.hovering import hover
from editors.service.lenses import lenses
from editors.service.names import Names
from editors.service.outline import folds, outline, selections
from editors.service.renaming import definitions, references, renamable, rename, type_definitions
from editors.service.results import Edit, Finding, Fix, Lens, Place
from editors.service.signatures import inlay_hints, signature
from editors.service.texts import DISK
from interpreter.version import __version__

RUN, SHOW_EXAMPLES = "regelwerk.runExample", "regelwerk.showExamples"
PAUSE = 1.0
"""Seconds without a change after which examples are run."""

PARENT_INTERVAL = 0.5
"""Seconds between two looks at whether the editor is still there."""

_FIX_ALL = "source.fixAll.regelwerk"
_REFUSED = -32803
"""The code of a request that was understood and cannot be met."""


_Find = Callable[[Names, Path, int], Sequence[Place]]
_Asking = types.DefinitionParams | types.TypeDefinitionParams | types.ReferenceParams


class RefusedError(JsonRpcException):
    """A request that cannot be met, with the reason for people."""

    CODE = _REFUSED
    MESSAGE = "refused"


class Server:
    """One connection to an editor."""

    def __init__(self) -> None:
        self.session = Session(self._on_analysed)
        self.protocol = LanguageServer("regelwerk", __version__, types.TextDocumentSyncKind.Incremental)
        self.published: set[Path] = set()
        self.failing: dict[Path, list[Finding]] = {}
        self.snippets = self.with_coverage = False
        self.client_commands: frozenset[str] = frozenset()
        self._runs: dict[Path, asyncio.Task[None]] = {}
        self._parent: asyncio.Task[None] | None = None
        self._register()

    def serve(self) -> None:
        """Talk to the editor on standard input and output until it ends the conversation or disappears.

        Whatever else is written to the standard output meanwhile goes to the log of the editor.
        """
        output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        with contextlib.redirect_stdout(sys.stderr):
            self.protocol.start_io(stdout=output)

    # ---------------- what is answered

    def _register(self) -> None:
        def answer(method: str, handler: Callable[..., object], options: object = None) -> None:
            # The library writes on what it registers, which it cannot do on a method.
            self.protocol.feature(method, options)(partial(handler))

        answer(types.INITIALIZE, self._initialize)
        answer(types.INITIALIZED, self._initialized)
        answer(types.TEXT_DOCUMENT_DID_OPEN, self._did_open)
        answer(types.TEXT_DOCUMENT_DID_CHANGE, self._did_change)
        answer(types.TEXT_DOCUMENT_DID_CLOSE, self._did_close)
        answer(types.TEXT_DOCUMENT_DID_SAVE, self._did_save)
        answer(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._files_changed)
        answer(types.TEXT_DOCUMENT_HOVER, self._hover)
        completion = types.CompletionOptions(trigger_characters=[".", "[", "{"])
        answer(types.TEXT_DOCUMENT_COMPLETION, self._completion, completion)
        answer(types.TEXT_DOCUMENT_DEFINITION, self._definition)
        answer(types.TEXT_DOCUMENT_TYPE_DEFINITION, self._type_definition)
        answer(types.TEXT_DOCUMENT_REFERENCES, self._references)
        answer(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, self._highlight)
        answer(types.TEXT_DOCUMENT_RENAME, self._rename, types.RenameOptions(prepare_provider=True))
        answer(types.TEXT_DOCUMENT_PREPARE_RENAME, self._prepare_rename)
        answer(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self._document_symbols)
        answer(types.WORKSPACE_SYMBOL, self._workspace_symbols)
        answer(types.TEXT_DOCUMENT_FOLDING_RANGE, self._folding)
        answer(types.TEXT_DOCUMENT_SELECTION_RANGE, self._selections)
        legend = types.SemanticTokensLegend(list(TOKEN_TYPES), list(TOKEN_MODIFIERS))
        answer(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, self._semantic_tokens, legend)
        answer(types.TEXT_DOCUMENT_FORMATTING, self._formatting)
        answer(types.TEXT_DOCUMENT_RANGE_FORMATTING, self._range_formatting)
        on_type = types.DocumentOnTypeFormattingOptions(first_trigger_character="\n")
        answer(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, self._on_type, on_type)
        kinds = types.CodeActionOptions([types.CodeActionKind.QuickFix, _FIX_ALL])
        answer(types.TEXT_DOCUMENT_CODE_ACTION, self._code_actions, kinds)
        answer(types.TEXT_DOCUMENT_SIGNATURE_HELP, self._signature, types.SignatureHelpOptions(["(", "[", ","]))
        answer(types.TEXT_DOCUMENT_INLAY_HINT, self._inlay_hints)
        answer(types.TEXT_DOCUMENT_CODE_LENS, self._lenses)
        answer(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, self._prepare_calls)
        answer(types.CALL_HIERARCHY_INCOMING_CALLS, self._incoming)
        answer(types.CALL_HIERARCHY_OUTGOING_CALLS, self._outgoing)
        self.protocol.command(RUN)(partial(self._run_example))
        self.protocol.command(SHOW_EXAMPLES)(partial(self._show_examples))

    # ---------------- beginning and end

    def _initialize(self, params: types.InitializeParams) -> None:
        """Learn what the editor can do."""
        self.session.encoding = Encoding(self.protocol.workspace.position_encoding or Encoding.Utf16)
        document = params.capabilities.text_document
        completion = document.completion.completion_item if document and document.completion else None
        self.snippets = bool(completion and completion.snippet_support)
        options = params.initialization_options
        commands = _option(options, "commands")
        self.with_coverage = _option(options, "coverage") is True
        self.client_commands = frozenset(commands) if isinstance(commands, list | tuple) else frozenset()
        self.session.start()
        if params.process_id is not None and os.name == "posix":  # elsewhere `os.kill` would end the editor
            self._parent = asyncio.get_running_loop().create_task(_end_without(params.process_id))

    def _initialized(self, params: types.InitializedParams) -> None:
        """Ask to be told when files change that are not open."""
        workspace = self.protocol.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace else None
        if watching is None or not watching.dynamic_registration:
            return
        watchers = [types.FileSystemWatcher(f"**/*.{kind}") for kind in ("rules", "items", "json")]
        registration = types.Registration(
            "files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            types.DidChangeWatchedFilesRegistrationOptions(watchers),
        )  # fmt: skip
        self.protocol.client_register_capability(types.RegistrationParams([registration]))

    # ---------------- texts

    def _did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        opened = params.text_document
        path = path_of(opened.uri)
        if path is not None:
            lines = TextLines(opened.text, self.session.encoding)
            self.session.open(Document(path, opened.uri, opened.version, lines))

    def _did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        document = self.session.documents.get(path) if path is not None else None
        if document is None or path is None:
            return
        for event in params.content_changes:
            document.change(event)
        document.version = params.text_document.version
        self._stop_runs()
        self.session.changed(path)

    def _did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        if path is not None:
            self.session.close(path)
            self.session.forget_unwanted()
            self._publish()

    def _did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """Nothing: texts count as they are in the editor."""

    def _files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            path = path_of(change.uri)
            if path is not None and path not in self.session.documents:
                self.session.changed(path)

    # ---------------- findings

    def _on_analysed(self, target: Path) -> None:
        self.failing.pop(target, None)
        self._publish()
        self._stop_runs()
        self._runs[target] = asyncio.get_running_loop().create_task(self._run_later(target))

    def _publish(self) -> None:
        """Show all findings, and take away those of files that have none any more.

        Those of a text that is being read again stay as they are: the editor moves them with the text.
        """
        findings = {path: list(of_path) for path, of_path in self.session.findings().items()}
        for target, failing in self.failing.items():
            if target in self.session.checked_games:
                for finding in failing:
                    findings.setdefault(finding.place.path, []).append(finding)
        lines_of = {path: self._lines(path) for path in findings}
        for path in {
            related.place.path for of_path in findings.values() for finding in of_path for related in finding.related
        }:
            lines_of.setdefault(path, self._lines(path))
        for path in sorted({*findings, *self.published, *self.session.documents}):
            document = self.session.documents.get(path)
            if document is not None and not self.session.is_fresh(path):
                continue
            diagnostics = [diagnostic(finding, lines_of[path], lines_of) for finding in findings.get(path, ())]
            self.protocol.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(
                    document.uri if document is not None else uri_of(path),
                    diagnostics,
                    version=document.version if document is not None else None,
                )
            )
        self.published = set(findings)

    def _lines(self, path: Path) -> TextLines:
        for checked in self.session.checked_games.values():
            if checked.analysis.source(path) is not None:
                return self.session.lines(path, checked.analysis)
        return self.session.lines(path)

    def _stop_runs(self) -> None:
        """End the examples that are being run: they are of older texts."""
        for task in self._runs.values():
            task.cancel()
        self._runs.clear()

    async def _run_later(self, target: Path) -> None:
        """Run the examples of a game after a pause, and show which fail, and what none of them reaches."""
        await asyncio.sleep(PAUSE)
        checked = self.session.checked_games.get(target)
        if checked is None or checked.analysis.reading is None or checked.analysis.reading.rules is None:
            return
        failing: list[Finding] = []
        async with contextlib.aclosing(
            run_examples(target, self.session.texts, with_coverage=self.with_coverage)
        ) as results:
            async for _, finding in results:
                if finding is not None:
                    failing.append(finding)
                    self.failing[target] = failing
                    if not finding.is_hint:
                        self._publish()
        if any(finding.is_hint for finding in failing):
            self._publish()

    async def _run_example(self, uri: str, title: str) -> None:
        """The command of the lens above an example: run it, and say whether it passes."""
        path = path_of(uri)
        if path is None:
            return
        async with contextlib.aclosing(run_examples(path, self.session.texts, title)) as results:
            outcomes = [finding async for run_title, finding in results if run_title == title]
        if not outcomes:
            text, kind = f"the example `{title}` cannot be run: the rules have errors", types.MessageType.Warning
        elif (finding := outcomes[0]) is None:
            text, kind = f"the example `{title}` passes", types.MessageType.Info
        else:
            text, kind = finding.message, types.MessageType.Error
        self.protocol.window_show_message(types.ShowMessageParams(kind, text))

    async def _show_examples(self, uri: str, name: str) -> None:
        """The command of the lens above an action: show the first example that uses it."""
        path = path_of(uri)
        checked = await self.session.fresh(path) if path is not None else None
        if checked is None or path is None:
            return
        for lens in lenses(checked.analysis, path):
            if lens.kind == "examples" and lens.title == name and lens.places:
                place = lens.places[0]
                await self.protocol.window_show_document_async(
                    types.ShowDocumentParams(
                        uri_of(place.path), take_focus=True, selection=self._lines(place.path).range_of(place)
                    )
                )
                return

    # ---------------- questions about a place

    async def _current(self, document: types.TextDocumentIdentifier) -> tuple[Path, CheckedGame, TextLines] | None:
        """The file that a question is about, its analysis and its text as they are now."""
        path = path_of(document.uri)
        checked = await self.session.fresh(path) if path is not None else None
        if path is None or checked is None:
            return None
        return path, checked, self.session.lines(path, checked.analysis)

    async def _hover(self, params: types.HoverParams) -> types.Hover | None:
        current = await self._current(params.text_document)
        if current is None:
            return None
        path, checked, lines = current
        hovered = hover(checked.names, path, lines.offset(params.position))
        if hovered is None:
            return None
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, hovered.text), lines.range_of(hovered.place))

    async def _completion(self, params: types.CompletionParams) -> types.CompletionList:
        path = path_of(params.text_document.uri)
        checked = self.session.last(path) if path is not None else None
        if checked is None and path is not None:
            checked = await self.session.fresh(path)
        if path is None or checked is None:
            return types.CompletionList(False, [])
        lines = self.session.lines(path, checked.analysis)
        offered = completions(checked.names, path, lines.text, lines.offset(params.position))
        return types.CompletionList(
            False, [completion_item(completion, lines, self.snippets) for completion in offered]
        )

    async def _definition(self, params: types.DefinitionParams) -> list[types.Location]:
        return await self._places(params, definitions)

    async def _type_definition(self, params: types.TypeDefinitionParams) -> list[types.Location]:
        return await self._places(params, type_definitions)

    async def _references(self, params: types.ReferenceParams) -> list[types.Location]:
        return await self._places(params, partial(references, declarations=params.context.include_declaration))

    async def _places(self, params: _Asking, find: _Find) -> list[types.Location]:
        current = await self._current(params.text_document)
        if current is None:
            return []
        path, checked, lines = current
        return self._locations(find(checked.names, path, lines.offset(params.position)), checked.analysis)

    def _locations(self, places: Sequence[Place], analysis: Analysis) -> list[types.Location]:
        return [
            types.Location(uri_of(place.path), self.session.lines(place.path, analysis).range_of(place))
            for place in places
        ]

    async def _highlight(self, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        current = await self._current(params.text_document)
        if current is None:
            return []
        path, checked, lines = current
        places = references(checked.names, path, lines.offset(params.position))
        return [types.DocumentHighlight(lines.range_of(place)) for place in places if place.path == path]

    async def _prepare_rename(self, params: types.PrepareRenameParams) -> types.Range | None:
        current = await self._current(params.text_document)
        if current is None:
            return None
        path, checked, lines = current
        name = renamable(checked.names, path, lines.offset(params.position))
        return lines.range_of(name.place) if name is not None else None

    async def _rename(self, params: types.RenameParams) -> types.WorkspaceEdit | None:
        current = await self._current(params.text_document)
        if current is None:
            return None
        path, checked, lines = current
        target, texts = checked.analysis.path, self.session.texts

        def recheck(edited: object) -> Analysis:
            assert isinstance(edited, dict)
            return analyse(target, {**texts, **edited}, DISK, self.session.trees)

        renamed = rename(checked.names, path, lines.offset(params.position), params.new_name, recheck)
        if renamed.refusal:
            raise RefusedError(renamed.refusal)
        return self._workspace_edit(renamed.edits, checked.analysis)

    def _workspace_edit(self, edits: Sequence[Edit], analysis: Analysis) -> types.WorkspaceEdit:
        changes: dict[str, list[types.TextEdit]] = {}
        for edit in edits:
            path = edit.place.path
            document = self.session.documents.get(path)
            uri = document.uri if document is not None else uri_of(path)
            changes.setdefault(uri, []).extend(text_edits([edit], self.session.lines(path, analysis)))
        return types.WorkspaceEdit(changes=changes)

    async def _signature(self, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        path = path_of(params.text_document.uri)
        checked = self.session.last(path) if path is not None else None
        if path is None or checked is None:
            return None
        lines = self.session.lines(path, checked.analysis)
        help_at_call = signature(checked.names, lines.text, lines.offset(params.position))
        return signature_help(help_at_call) if help_at_call is not None else None

    async def _code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        current = await self._current(params.text_document)
        if current is None:
            return []
        path, checked, lines = current
        start, end = lines.offset(params.range.start), lines.offset(params.range.end)
        findings = [finding for finding in checked.analysis.findings if finding.place.path == path]
        lines_of = {path: lines}
        actions = []
        for finding in findings:
            if finding.place.start <= end and start <= finding.place.end:
                for related in finding.related:
                    lines_of.setdefault(related.place.path, self._lines(related.place.path))
                problem = diagnostic(finding, lines, lines_of)
                actions += [self._action(fix, problem, checked.analysis) for fix in finding.fixes]
                actions += self._action_for_kind(finding, findings, problem, checked.analysis)
        edits = fixes_for_all(findings, path)
        if edits and _wants(params.context.only, _FIX_ALL):
            edit = self._workspace_edit(edits, checked.analysis)
            actions.append(types.CodeAction("fix all that can be fixed", kind=_FIX_ALL, edit=edit))
        return [
            action for action in actions if _wants(params.context.only, str(getattr(action.kind, "value", action.kind)))
        ]

    def _action_for_kind(
        self, finding: Finding, findings: Sequence[Finding], problem: types.Diagnostic, analysis: Analysis
    ) -> list[types.CodeAction]:
        """The action that fixes all findings of a file of the same kind, if there are several."""
        fixable = [candidate for candidate in findings if candidate.code == finding.code and candidate.fixes]
        if len(fixable) < 2 or not finding.fixes:
            return []
        edit = self._workspace_edit(fixes_for_all(fixable, finding.place.path), analysis)
        title = f"fix all {len(fixable)} of this kind ({finding.code})"
        return [types.CodeAction(title, kind=types.CodeActionKind.QuickFix, diagnostics=[problem], edit=edit)]

    def _action(self, fix: Fix, problem: types.Diagnostic, analysis: Analysis) -> types.CodeAction:
        return types.CodeAction(
            fix.title, kind=types.CodeActionKind.QuickFix, diagnostics=[problem], is_preferred=fix.is_preferred,
            edit=self._workspace_edit(fix.edits, analysis),
        )  # fmt: skip

    # ---------------- who calls whom

    async def _prepare_calls(self, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem]:
        current = await self._current(params.text_document)
        if current is None:
            return []
        path, checked, lines = current
        called = callable_at(checked.names, path, lines.offset(params.position))
        return [self._call_item(called, checked.analysis)] if called is not None else []

    def _call_item(self, called: Called, analysis: Analysis) -> types.CallHierarchyItem:
        lines = self.session.lines(called.place.path, analysis)
        return types.CallHierarchyItem(
            called.name, types.SymbolKind.Method, uri_of(called.place.path), lines.range_of(called.place),
            lines.range_of(called.name_place),
        )  # fmt: skip

    async def _incoming(self, params: types.CallHierarchyIncomingCallsParams) -> list[types.CallHierarchyIncomingCall]:
        return [types.CallHierarchyIncomingCall(*call) for call in await self._calls(params.item, incoming)]

    async def _outgoing(self, params: types.CallHierarchyOutgoingCallsParams) -> list[types.CallHierarchyOutgoingCall]:
        return [types.CallHierarchyOutgoingCall(*call) for call in await self._calls(params.item, outgoing)]

    async def _calls(
        self, item: types.CallHierarchyItem, find: Callable[[Names, Path, int], Sequence[Called]]
    ) -> list[tuple[types.CallHierarchyItem, list[types.Range]]]:
        """The other end of each call of an item, and where the calls are."""
        current = await self._current(types.TextDocumentIdentifier(item.uri))
        if current is None:
            return []
        path, checked, lines = current
        calls = []
        for called in find(checked.names, path, lines.offset(item.selection_range.start)):
            ranges = [self.session.lines(place.path, checked.analysis).range_of(place) for place in called.calls]
            calls.append((self._call_item(called, checked.analysis), ranges))
        return calls

    # ---------------- questions about a whole text

    async def _document_symbols(self, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        current = await self._current(params.text_document)
        if current is None:
            return []
        path, checked, lines = current
        return [document_symbol(entry, lines) for entry in outline(checked.analysis, path)]

    async def _workspace_symbols(self, params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        symbols: list[types.WorkspaceSymbol] = []
        listed: set[Path] = set()
        for path in [*self.session.documents, *self._folder_files()]:
            if path in listed:
                continue
            listed.add(path)
            checked = self.session.last(path)
            analysis = (
                checked.analysis if checked is not None else analyse(path, self.session.texts, DISK, self.session.trees)
            )
            await asyncio.sleep(0)  # a cancelled request ends here
            lines = self.session.lines(path, analysis)
            symbols += [
                symbol for entry in outline(analysis, path) for symbol in workspace_symbols(entry, lines, params.query)
            ]
        return symbols

    def _folder_files(self) -> list[Path]:
        """The rules in the folders that the editor has open."""
        workspace = self.protocol.workspace
        uris = [folder.uri for folder in workspace.folders.values()] or [workspace.root_uri or ""]
        folders = [path_of(uri) for uri in uris]
        return [path for folder in folders if folder is not None for path in files_in(folder, SUFFIX)]

    async def _folding(self, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        current = await self._current(params.text_document)
        if current is None:
            return []
        path, checked, _ = current
        source = checked.analysis.source(path)
        return [folding_range(fold) for fold in folds(source)] if source is not None else []

    async def _selections(self, params: types.SelectionRangeParams) -> list[types.SelectionRange]:
        current = await self._current(params.text_document)
        if current is None:
            return []
        path, checked, lines = current
        return [
            selection_range(selections(checked.analysis, path, lines.offset(position)), lines)
            for position in params.positions
        ]

    async def _semantic_tokens(self, params: types.SemanticTokensParams) -> types.SemanticTokens:
        current = await self._current(params.text_document)
        if current is None:
            return types.SemanticTokens([])
        path, checked, lines = current
        return semantic_tokens(coloured(checked.names, path), lines)

    async def _inlay_hints(self, params: types.InlayHintParams) -> list[types.InlayHint]:
        current = await self._current(params.text_document)
        if current is None:
            return []
        path, checked, lines = current
        start, end = lines.offset(params.range.start), lines.offset(params.range.end)
        return [inlay_hint(hint, lines) for hint in inlay_hints(checked.names, path) if start <= hint.offset <= end]

    async def _lenses(self, params: types.CodeLensParams) -> list[types.CodeLens]:
        current = await self._current(params.text_document)
        if current is None:
            return []
        path, checked, lines = current
        uri = params.text_document.uri
        code_lenses = []
        for lens in lenses(checked.analysis, path):
            command = self._command(lens, uri)
            if command is not None:
                at = lines.range(lens.place.start, lens.place.start)
                code_lenses.append(types.CodeLens(at, types.Command(lens.label, command, arguments=[uri, lens.title])))
        return code_lenses

    def _command(self, lens: Lens, uri: str) -> str | None:
        """The command of a lens; None for one that the editor would have to know and does not."""
        match lens.kind:
            case "run":
                return RUN
            case "examples":
                return SHOW_EXAMPLES
            case "debug" | "play" | "simulate":
                name = f"regelwerk.{lens.kind}"
                return name if name in self.client_commands else None

    async def _formatting(self, params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        return self._formatted(params.text_document, None)

    async def _range_formatting(self, params: types.DocumentRangeFormattingParams) -> list[types.TextEdit]:
        return self._formatted(params.text_document, (params.range.start.line, params.range.end.line))

    def _formatted(
        self, document: types.TextDocumentIdentifier, range_: tuple[int, int] | None
    ) -> list[types.TextEdit]:
        path = path_of(document.uri)
        if path is None or not path.name.endswith(SUFFIX):
            return []
        lines = self.session.lines(path)
        return text_edits(formatted(path, lines.text, range_), lines)

    async def _on_type(self, params: types.DocumentOnTypeFormattingParams) -> list[types.TextEdit]:
        path = path_of(params.text_document.uri)
        if path is None or not path.name.endswith(SUFFIX):
            return []
        lines = self.session.lines(path)
        return text_edits(indented(path, lines.text, lines.offset(params.position)), lines)


def _option(options: object, name: str) -> object:
    """An option of the editor; None if it is not given. The library makes objects of what it reads."""
    return options.get(name) if isinstance(options, dict) else getattr(options, name, None)


def _wants(only: Sequence[types.CodeActionKind | str] | None, kind: str) -> bool:
    """True if an editor asks for actions of a kind: for all, for this one, or for one that includes it."""
    if only is None:
        return True
    names = [str(getattr(wanted_kind, "value", wanted_kind)) for wanted_kind in only]
    return any(kind == name or kind.startswith(f"{name}.") for name in names)


async def _end_without(process: int) -> None:
    """End at once when the process of the editor is gone: it may have left its pipes open to others."""
    while True:
        await asyncio.sleep(PARENT_INTERVAL)
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            os._exit(1)
        except PermissionError:
            pass
