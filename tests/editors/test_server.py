"""`regelwerk lsp` over the protocol, driven by the client of pygls: every feature, and what goes wrong around it."""

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the server of editors is the extra `editor`")

from lsprotocol import types

from editors.service.analysis import Trees, analyse
from editors.service.texts import DISK
from tests.editors.client import Editor, answered, editor
from tests.support.project import ROOT

SERVER = (sys.executable, "-m", "regelwerk.command", "lsp")
WORDS = ("set", "take", "pile", "x", "1", "(", ")", "\n", "    ", ":", '"', "{", "}", "#", "é", "🂡", "== setup ==\n")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    for name in ("nim.rules", "go.rules", "go.examples.rules"):
        shutil.copy(ROOT / "games" / name, tmp_path)
    return tmp_path


def where(text: str, words: str, word: str = "") -> types.Position:
    """The position of a word within these words."""
    offset = text.index(words) + words.index(word or words)
    line = text.count("\n", 0, offset)
    return types.Position(line, offset - (text.rfind("\n", 0, offset) + 1))


def applied(text: str, edits: "list[types.TextEdit] | tuple[types.TextEdit, ...]") -> str:
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        start, end = (starts[place.line] + place.character for place in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


def test_every_feature(games: Path) -> None:
    asyncio.run(_every_feature(games))


async def _every_feature(games: Path) -> None:
    path = games / "nim.rules"
    text = path.read_text("utf-8")
    async with editor(games, commands=("regelwerk.play",)) as connected:
        client, uri = connected.client, connected.open(path)
        document = types.TextDocumentIdentifier(uri)
        assert await connected.checked(uri) == []

        use = where(text, "set taker to me", "taker")
        hovered = await client.text_document_hover_async(types.HoverParams(document, use))
        assert hovered is not None and isinstance(hovered.contents, types.MarkupContent)
        assert "a note: a seat or nobody, seen by `nobody`" in hovered.contents.value
        (declared,) = await client.text_document_definition_async(types.DefinitionParams(document, use))
        assert declared.range.start == where(text, "note taker", "taker")
        (of_type,) = await client.text_document_type_definition_async(
            types.TypeDefinitionParams(document, where(text, "for each x in Pile:\n", "x"))
        )
        assert of_type.range.start == where(text, "type Pile", "Pile")
        context = types.ReferenceContext(include_declaration=True)
        uses = await client.text_document_references_async(types.ReferenceParams(context, document, use))
        marked = await client.text_document_document_highlight_async(types.DocumentHighlightParams(document, use))
        assert len(uses) == len(marked) == 4

        (called,) = await client.text_document_prepare_call_hierarchy_async(
            types.CallHierarchyPrepareParams(document, where(text, "must take", "take"))
        )
        callers = await client.call_hierarchy_incoming_calls_async(types.CallHierarchyIncomingCallsParams(called))
        assert [call.from_.name for call in callers] == ["taking", "the last match loses"]
        assert [len(call.from_ranges) for call in callers] == [1, 2]
        assert not await client.call_hierarchy_outgoing_calls_async(types.CallHierarchyOutgoingCallsParams(called))

        assert await client.text_document_prepare_rename_async(types.PrepareRenameParams(document, use))
        renamed = await client.text_document_rename_async(types.RenameParams(document, use, "loser"))
        assert renamed is not None and renamed.changes is not None
        assert "set loser to me" in applied(text, list(renamed.changes[uri]))
        with pytest.raises(Exception, match=r"the rules would be wrong then"):
            await client.text_document_rename_async(types.RenameParams(document, use, "last"))

        offered = await client.text_document_completion_async(types.CompletionParams(document, use))
        assert isinstance(offered, types.CompletionList)
        assert "taker" in [item.label for item in offered.items]
        argument = where(text, "take(4, 2)", "2")
        shown = await client.text_document_signature_help_async(types.SignatureHelpParams(document, argument))
        assert shown is not None and shown.signatures[0].label == "take(x: Pile, n: 1..7)"
        symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        assert "components" in [symbol.name for symbol in symbols]
        found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("libert"))
        assert {Path(symbol.location.uri).name for symbol in found} <= {"go.rules", "go.examples.rules"} and found
        assert await client.text_document_folding_range_async(types.FoldingRangeParams(document))
        (selected,) = await client.text_document_selection_range_async(types.SelectionRangeParams(document, [use]))
        assert selected.range.start == use and selected.parent is not None
        tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
        assert tokens is not None and len(tokens.data) % 5 == 0 and len(tokens.data) > 500
        whole = types.Range(types.Position(0, 0), types.Position(text.count("\n"), 0))
        hints = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
        assert "x:" in [hint.label for hint in hints]
        lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
        assert [lens.command.title for lens in lenses if lens.command] == ["play", "1 example", "run"]

        run = next(lens.command for lens in lenses if lens.command and lens.command.title == "run")
        await client.workspace_execute_command_async(types.ExecuteCommandParams(run.command, run.arguments))
        await connected.until(lambda: "the example `the last match loses` passes" in connected.messages)

        untidy = text.replace("    must take", "      must   take")
        connected.replace(uri, 1, untidy)
        options = types.FormattingOptions(4, True)
        edits = await client.text_document_formatting_async(types.DocumentFormattingParams(document, options))
        assert applied(untidy, list(edits)) == text
        at = types.Range(where(untidy, "must   take"), where(untidy, "must   take"))
        ranged = await client.text_document_range_formatting_async(
            types.DocumentRangeFormattingParams(document, at, options)
        )
        assert list(ranged) == list(edits)
        opened = text.replace("    set taker to me", "    if x is 1:\n")
        connected.replace(uri, 2, opened)
        typed = await client.text_document_on_type_formatting_async(
            types.DocumentOnTypeFormattingParams(
                document, types.Position(where(opened, "if x is 1").line + 1, 0), "\n", options
            )
        )
        assert [edit.new_text for edit in typed] == ["        "]

        wrong = text.replace("set taker to me", "set takr to me").replace("from pile[x] to box", "from pil[x] to bax")
        connected.replace(uri, 3, wrong)
        misspelt = (await connected.checked(uri, 3))[0]
        asked = types.CodeActionParams(document, misspelt.range, types.CodeActionContext([misspelt], only=["quickfix"]))
        actions = {action.title: action for action in await client.text_document_code_action_async(asked)}
        edit = actions["fix all 3 of this kind (E0201)"].edit
        assert edit is not None and edit.changes is not None
        assert applied(wrong, list(edit.changes[uri])) == text


def test_findings_come_and_go_across_files(games: Path) -> None:
    asyncio.run(_findings_across_files(games))


async def _findings_across_files(games: Path) -> None:
    rules, companion = games / "go.rules", games / "go.examples.rules"
    text = rules.read_text("utf-8")
    async with editor(games) as connected:
        rules_uri, companion_uri = connected.open(rules), connected.open(companion)
        assert await connected.checked(rules_uri) == await connected.checked(companion_uri) == []
        connected.replace(rules_uri, 1, text.replace("option size: 5..19", "option size: 7..19"))
        await connected.until(lambda: bool(connected.diagnostics[companion_uri].diagnostics))
        assert await connected.checked(rules_uri, 1) == []
        (fault,) = connected.diagnostics[companion_uri].diagnostics
        assert fault.code_description is not None and fault.code_description.href.endswith("E0304.md")
        assert fault.related_information is not None and len(fault.related_information) > 5
        connected.replace(rules_uri, 2, text)
        await connected.until(lambda: not connected.diagnostics[companion_uri].diagnostics)
        connected.replace(rules_uri, 3, text.replace("action put(", "action puts("))
        (misspelt,) = await connected.checked(rules_uri, 3)
        action = types.CodeActionParams(
            types.TextDocumentIdentifier(rules_uri), misspelt.range,
            types.CodeActionContext([misspelt], only=["quickfix"]),
        )  # fmt: skip
        (fix,) = await connected.client.text_document_code_action_async(action)
        assert isinstance(fix, types.CodeAction) and fix.edit is not None and fix.edit.changes is not None
        assert "action put(" in applied(text.replace("action put(", "action puts("), list(fix.edit.changes[rules_uri]))


def test_examples_run_in_the_background(games: Path) -> None:
    asyncio.run(_failing_example(games))


async def _failing_example(games: Path) -> None:
    path = games / "nim.rules"
    text = path.read_text("utf-8")
    async with editor(games) as connected:
        uri = connected.open(path, text.replace("winners is {ben}", "winners is {ann}"))
        await connected.until(lambda: uri in connected.diagnostics and bool(connected.diagnostics[uri].diagnostics))
        (failure,) = connected.diagnostics[uri].diagnostics
        assert failure.source == "regelwerk test" and "`the last match loses` fails" in failure.message
        assert failure.range.start.line == where(text, "then winners is").line
        connected.replace(uri, 1, text)
        assert await connected.checked(uri, 1) == []


def test_what_no_example_reaches_is_a_hint(games: Path) -> None:
    asyncio.run(_unreached(games))


async def _unreached(games: Path) -> None:
    path = games / "nim.rules"
    text = path.read_text("utf-8").replace(
        "    set taker to me", "    set taker to me\n    if n is 7: set taker to ben"
    )
    async with editor(games, coverage=True) as connected:
        uri = connected.open(path, text)
        await connected.until(lambda: uri in connected.diagnostics and bool(connected.diagnostics[uri].diagnostics))
        hints = connected.diagnostics[uri].diagnostics
        assert {hint.severity for hint in hints} == {types.DiagnosticSeverity.Hint}
        assert where(text, "    if n is 7", "if").line in [hint.range.start.line for hint in hints]
        assert any("in no example: action take never holds" in hint.message for hint in hints)


@pytest.mark.parametrize("encoding", list(types.PositionEncodingKind))
def test_characters_are_counted_as_the_editor_does(games: Path, encoding: types.PositionEncodingKind) -> None:
    asyncio.run(_counted(games, encoding))


async def _counted(games: Path, encoding: types.PositionEncodingKind) -> None:
    units = {"utf-8": 4, "utf-16": 2, "utf-32": 1}[encoding.value]
    path = games / "nim.rules"
    text = path.read_text("utf-8").replace('"take {n}', '"🂡 {m}')
    async with editor(games, encoding) as connected:
        uri = connected.open(path, text)
        (fault,) = await connected.checked(uri)
        start = where(text, '"🂡 {m}', "m").character - 1 + units
        assert (fault.range.start.character, fault.range.end.character) == (start, start + 1)
        connected.change(uri, 1, types.TextDocumentContentChangePartial(fault.range, "n"))
        assert await connected.checked(uri, 1) == []


def test_it_survives_what_no_editor_should_send(games: Path) -> None:
    asyncio.run(_survives(games))


async def _survives(games: Path) -> None:
    path = games / "nim.rules"
    async with editor(games) as connected:
        uri = connected.open(path)
        assert await connected.checked(uri) == []
        pipe = connected.process.stdin
        assert pipe is not None
        for body in (b"{", b"[]", b"null", b'{"jsonrpc": "2.0"}', b'{"jsonrpc": "1.0", "method": "x"}', b"\xff\xfe",
                     b'{"jsonrpc": "2.0", "id": 9, "method": "textDocument/hover", "params": {"textDocument": 3}}',
                     b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {}}',
                     b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 77}}'):  # fmt: skip
            pipe.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        pipe.write(b"Nonsense: 1\r\n\r\n")
        for strange in (
            "untitled:one",
            "file:///nowhere/at/all.rules",
            "http://x/y.rules",
            (games / "nim.rules").as_uri(),
        ):
            params = types.HoverParams(types.TextDocumentIdentifier(strange), types.Position(10**6, 10**6))
            assert await answered(connected.client.text_document_hover_async(params)) is None
        with pytest.raises(Exception, match=r"(?i)method not found|unknown"):
            await answered(connected.client.protocol.send_request_async("textDocument/unheardOf", {}))
        cancelled = connected.client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(3, 3))
        )
        task = asyncio.ensure_future(cancelled)
        await asyncio.sleep(0)
        task.cancel()
        path.unlink()
        shutil.rmtree(games)
        text = "game ("
        connected.replace(uri, 5, text)
        assert [fault.severity for fault in await connected.checked(uri, 5)] == [types.DiagnosticSeverity.Error]
        connected.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))


def _initialize(process_id: int | None) -> bytes:
    params = {"capabilities": {}, "processId": process_id, "rootUri": None}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def test_it_ends_when_the_editor_closes_its_pipe() -> None:
    server = subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(_initialize(None))
    server.stdin.flush()
    assert server.stdout.readline()
    server.stdin.close()
    assert server.wait(_patience()) == 0
    server.stdout.close()


def test_it_ends_when_the_editor_is_killed() -> None:
    """The pipe stays open: somebody else has it, too."""
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    server = subprocess.Popen(SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(_initialize(other.pid))
    server.stdin.flush()
    assert server.stdout.readline()
    os.kill(other.pid, signal.SIGKILL)
    other.wait()
    server.wait(_patience())
    server.stdin.close()
    server.stdout.close()


def _patience() -> float:
    """Two seconds of a quiet machine; on a busy one this process gets its share of it."""
    began, spent = time.monotonic(), time.process_time()
    while time.process_time() - spent < 0.05:
        pass
    return 2 * max(1.0, (time.monotonic() - began) / 0.05) + 3


def test_after_random_edits_the_findings_are_those_of_a_fresh_check(games: Path, long_run: bool) -> None:
    asyncio.run(_random_edits(games, edits=10_000 if long_run else 60, every=20))


async def _random_edits(games: Path, edits: int, every: int) -> None:
    choose = random.Random(7)
    paths = [games / name for name in ("nim.rules", "go.rules", "go.examples.rules")]
    originals = {path: path.read_text("utf-8") for path in paths}
    async with editor(games) as connected:
        uris = {path: connected.open(path) for path in paths}
        path = paths[0]
        text = originals[path]
        for number in range(1, edits + 1):
            start = choose.randrange(len(text) + 1)
            end = min(len(text), start + choose.choice((0, 0, 1, 3, 12)))
            new = choose.choice(WORDS) if choose.random() < 0.7 else ""
            change = types.TextDocumentContentChangePartial(types.Range(_at(text, start), _at(text, end)), new)
            text = text[:start] + new + text[end:]
            connected.change(uris[path], number, change)
            if number % every == 0:
                await _same_findings(connected, uris[path], number, path, text)
                connected.replace(uris[path], number, originals[path])
                path = choose.choice(paths)
                text = originals[path]


async def _same_findings(connected: Editor, uri: str, version: int, path: Path, text: str) -> None:
    shown = await connected.checked(uri, version)
    fresh = [one for one in analyse(path, {path: text}, DISK, Trees()).findings if one.place.path == path]
    told = [(fault.code, fault.message, fault.range) for fault in shown]
    expected = [
        (one.code, one.message, types.Range(_at(text, one.place.start), _at(text, one.place.end))) for one in fresh
    ]
    assert told == expected


def _at(text: str, offset: int) -> types.Position:
    """The position of an offset, in UTF-16."""
    start = text.rfind("\n", 0, offset) + 1
    return types.Position(text.count("\n", 0, offset), len(text[start:offset].encode("utf-16-le")) // 2)
