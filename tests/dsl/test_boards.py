"""Board files: what is read from valid ones, and the diagnostics of others.

The diagnostics of each file in `boards/wrong` are in a `.txt` file beside it; `REGELWERK_UPDATE=1` writes these anew.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dsl.boards import Board, Entry, Selected, UnknownStep, board_of, check_board, read_board
from dsl.boards.forms import FORMS, fits
from dsl.boards.json_positions import positions
from dsl.diagnostics import Diagnostic
from dsl.text.span import Source
from dsl.text.visible import HIDDEN
from tests.support.project import ROOT

FOLDER = Path(__file__).parent / "boards"
RIGHT, WRONG = sorted((FOLDER / "right").glob("*.json")), sorted((FOLDER / "wrong").glob("*.json"))
SHIPPED = sorted((ROOT / "games" / "boards").glob("*.json"))
SCHEMA = json.loads((ROOT / "dsl" / "boards" / "board.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
OF_FORMS = {"E0702", "E0704", "E0705"}


def read(path: Path) -> Board:
    board = read_board(path, path.name)
    assert isinstance(board, Board), "\n".join(diagnostic.draw() for diagnostic in board)
    return board


def diagnostics(data: object) -> list[Diagnostic]:
    text = data if isinstance(data, str) else json.dumps(data, indent=1)
    found = board_of(Source("x.json", text))
    return [] if isinstance(found, Board) else found


def codes(data: object) -> set[str]:
    return {diagnostic.code for diagnostic in diagnostics(data)}


# ---- diagnostics


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_diagnostics_of_a_wrong_board(path: Path) -> None:
    drawn = "\n\n".join(diagnostic.draw() for diagnostic in check_board(path, path.name)) + "\n"
    golden = path.with_suffix(".txt")
    if os.environ.get("REGELWERK_UPDATE"):
        golden.write_text(drawn, encoding="utf-8")
    assert drawn == golden.read_text("utf-8")


SYNTAX = [
    ("", "the file is empty"),
    ('{"format": 1,\n "name": "X",}', "trailing `,` before `}`"),
    ('{"format": 1, "p": [{},]}', "trailing `,` before `]`"),
    ('{"format": 1 "name": "X"}', "missing `,` before this"),
    ('{"format" 1}', "missing `:` after this name"),
    ('{"format":: 1}', "unexpected `:`"),
    ('{"format": }', "expected a value before `}`"),
    ('{"format": 1,, "name": 2}', "unexpected `,`"),
    ('{format: 1}', "names of fields must be in double quotes"),
    ("{'format': 1}", "names of fields must be in double quotes"),
    ('{"format": \'1\'}', "JSON strings must be in double quotes"),
    ('{"format": True}', "`True` is not a JSON value"),
    ('{"format": NaN}', "this is not a JSON value"),
    ('{"format": 01}', "this is not a JSON number"),
    ('{"format": 1} // the end', "unexpected text after the end of the board"),
    ('{"format": // one\n 1}', "JSON has no comments"),
    ('{"name": "X\n"}', "the string is not closed on its line"),
    ('{"name": "a\\qb"}', "invalid `\\` in a string"),
    ('{"name": "a\tb"}', "the string contains a tab"),
    ('{"p": [{"id": "a"}}', "`}` does not match the `[` in line 1"),
    ('{"p": [', "this `[` is never closed"),
    ("]", "unmatched `]`"),
    ("[" * 40, "brackets are nested more than 32 levels deep"),
    ("[" * 40 + "]" * 40, "brackets are nested more than 32 levels deep"),
    ("[" * 100_000, "brackets are nested more than 32 levels deep"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), SYNTAX, ids=[message for _, message in SYNTAX])
def test_diagnostic_of_a_text_that_is_not_json(text: str, message: str) -> None:
    (diagnostic,) = diagnostics(text)
    assert diagnostic.code == "E0701"
    assert message in diagnostic.message
    assert diagnostic.helps


def test_every_code_of_boards_is_reported_somewhere() -> None:
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "dsl" / "boards").glob("*.py"))
    golden = "".join(path.with_suffix(".txt").read_text("utf-8") for path in WRONG)
    assert set(re.findall(r'"(E07\d\d)"', sources)) == set(re.findall(r"error\[(E\d{4})\]", golden)) | {"E0701"}


def test_messages_are_written_as_agreed() -> None:
    for diagnostic in [found for path in WRONG for found in check_board(path)]:
        assert diagnostic.message[0] == "`" or diagnostic.message[0].islower() or diagnostic.message[0].isdigit()
        assert not diagnostic.message.endswith(".")
        assert 1 <= len(diagnostic.helps) <= 4


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    assert [found.code for found in check_board(tmp_path / "nowhere.json")] == ["E0101"]
    (tmp_path / "large.json").write_bytes(b" " * 2_000_001)
    (large,) = check_board(tmp_path / "large.json")
    assert large.code == "E0102"
    assert "rules" not in "".join(large.helps)


def test_at_most_25_errors_are_reported_and_soon(long_run: bool) -> None:
    places = 20_000 if long_run else 4_000
    many = [{"id": f"p{number}", "ends": ["nowhere", f"q{number}"]} for number in range(places)]
    before = time.process_time()
    assert len(diagnostics({"format": 1, "name": "X", "p": many})) == 25
    assert len(diagnostics({"format": 1, "name": "X", "p": [{"id": "a"}] * places})) == 25
    assert time.process_time() - before < places / 1_000


def test_of_a_long_list_one_error_is_reported() -> None:
    long: dict[str, Any] = {"colours": [True] * 2000, "ends": [1] * 2000}
    assert len(diagnostics({"format": 1, "name": "X", "p": [long]})) == 2


# ---- what is read


def test_a_board_is_read() -> None:
    board = read(FOLDER / "right" / "square.json")
    assert (board.name, board.reconstruction, board.holes, board.alternatives) == ("Two meadows", False, 0, ())
    assert board.drawing == (6, 3)
    assert board.evidence == (("drawn for this test", "design choice"),)
    assert board.note is not None
    assert {name: len(entries) for name, entries in board.lists.items()} == {"posts": 6, "hedges": 7, "meadows": 2}
    north = board.lists["posts"][1]
    assert (north.id, north.at, north.mark, north.name, north.ends) == ("n", (1.5, 0), "+", None, ())
    gate = board.lists["hedges"][0]
    assert (gate.ends, gate.fields, gate.path, gate.parents) == (("nw", "n"), {"gate": True}, ("hedges",), ())
    west, east = board.lists["meadows"]
    assert west.edges == ("nw_n", "n_s", "sw_s", "nw_sw")
    assert (west.name, west.fields, east.fields) == ("West meadow", {"soil": "clay"}, {"soil": None})


def ids(found: tuple[Entry, ...] | UnknownStep) -> list[str]:
    assert not isinstance(found, UnknownStep), found
    return [entry.id for entry in found]


def test_paths_find_places() -> None:
    board = read(FOLDER / "right" / "alternatives.json")
    assert ids(board.entries(["islands"])) == ["a", "b"]
    assert ids(board.entries(["islands", "huts"])) == ["a1", "a2", "b1"]
    assert ids(board.entries(["islands", Selected("b"), "huts"])) == ["b1"]
    assert ids(board.entries(["maps", Selected("day"), "links"])) == ["l1", "l2"]
    assert ids(board.entries(["maps", Selected("night"), "links"])) == ["l1"]
    assert ids(board.entries(["maps"])) == ["day", "night"]
    assert ids(board.entries(["ferries"])) == ["7", "9"]
    assert ids(board.entries(["steps"])) == ["1", "2", "3"]
    assert [entry.id for entry in board.walk()][:5] == ["a", "a1", "a2", "b", "b1"]


def test_nested_lists_are_fields_too() -> None:
    board = read(FOLDER / "right" / "alternatives.json")
    bay = board.lists["islands"][0]
    assert bay.fields == {"huts": ("a1", "a2"), "beasts": ("cow", "hen"), "height": 12}
    (link,) = board.lists["maps"][1].nested["links"]
    assert (link.path, link.parents, link.ends) == (("maps", "links"), ("night",), ("a1", "b1"))
    assert board.lists["jumps"][0].ends == ("1", "3")


def test_paths_that_find_nothing_say_what_there_is() -> None:
    board = read(FOLDER / "right" / "alternatives.json")
    lists = ("islands", "ferries", "maps", "steps", "jumps")
    assert board.entries(["island"]) == UnknownStep(0, "list", "island", lists)
    assert board.entries(["islands", "hut"]) == UnknownStep(1, "list", "hut", ("huts", "beasts"))
    assert board.entries(["islands", Selected("c"), "huts"]) == UnknownStep(1, "entry", "c", ("a", "b"))
    assert board.entries(["maps", "links"]) == UnknownStep(1, "choice", "maps", ("day", "night"))
    assert board.entries(["steps", "x"]) == UnknownStep(1, "list", "x", ())


def test_positions_of_places() -> None:
    board = read(FOLDER / "right" / "square.json")
    west = board.lists["meadows"][0]
    assert (board.span_of(west).text, board.span_of(west, "soil").text) == ('"west"', '"clay"')
    assert board.span_of(west).line == 18
    assert board.span_of(west, "colour").text.startswith('{"id": "west"')


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_boards_of_the_games(path: Path) -> None:
    board = read(path)
    assert board.reconstruction or board.evidence[0][1] in ("traditional pattern", "designed for this game")
    assert board.evidence
    assert board.note
    at = [entry.at for entry in board.walk() if entry.at]
    width = (max(x for x, _ in at) - min(x for x, _ in at)) * board.drawing.columns
    assert width <= 76
    ends = {end for entry in board.walk() for end in entry.ends}
    assert {entry.id for entry in board.walk() if entry.at} >= ends


def test_a_board_is_read_soon() -> None:
    for path in SHIPPED:
        source = Source(path.name, path.read_text("utf-8"))
        board_of(source)
        best = []
        for _ in range(5):
            before = time.process_time()
            board_of(source)
            best.append(time.process_time() - before)
        assert min(best) < 0.05


def test_only_errors_load_what_explains_them() -> None:
    program = (
        "import sys; from pathlib import Path; from dsl.boards import check_board\n"
        "print('dsl.boards.forms' in sys.modules)\n"
        "for path in map(Path, sys.argv[1:]):\n"
        "    print(len(check_board(path)) > 0, {'jsonschema', 'dsl.boards.json_positions'} <= set(sys.modules))\n"
    )
    files = [*SHIPPED, FOLDER / "wrong" / "head.json"]
    done = subprocess.run([sys.executable, "-c", program, *files], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:-1] == ["False", *["False False"] * len(SHIPPED), "True True"]


# ---- the schema accepts the same boards


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", [*RIGHT, *SHIPPED], ids=lambda path: path.stem)
def test_right_boards_fit_the_schema(path: Path) -> None:
    assert read(path)
    VALIDATOR.validate(json.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("path", WRONG, ids=lambda path: path.stem)
def test_schema_and_reader_reject_the_same_boards(path: Path) -> None:
    found = {diagnostic.code for diagnostic in check_board(path)}
    assert VALIDATOR.is_valid(json.loads(path.read_text("utf-8"))) == (found.isdisjoint(OF_FORMS))


PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-5, 1_000_000_001)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["a", "nw", "c d", "", "é", "\u202e", "a\nb", "x" * 61])
)
KEYS = st.sampled_from(["id", "number", "name", "mark", "at", "ends", "edges", "spots", "size", "two words"])
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))
FIELDS = st.sampled_from(["fact", "status", "columns", "lines", "format"])
ENTRIES = st.lists(st.dictionaries(KEYS, VALUES, max_size=4), max_size=3)
HEADS = st.fixed_dictionaries(
    {"format": st.just(1) | VALUES, "name": st.just("X") | VALUES},
    optional={
        "reconstruction": VALUES,
        "note": VALUES,
        "evidence": VALUES | st.just([{"fact": "f", "status": "s"}]),
        "drawing": VALUES | st.just({"columns": 4, "lines": 2}),
        "holes": VALUES,
        "alternatives": VALUES | st.just(["spots"]),
        "spots": ENTRIES | VALUES,
        "two words": ENTRIES,
    },
)


@given(st.sampled_from(sorted(FORMS)), VALUES | st.dictionaries(KEYS | FIELDS, PLAIN), st.data())
def test_forms_and_definitions_agree(name: str, value: object, draw: st.DataObject) -> None:
    examples = [example for definition in SCHEMA["$defs"].values() for example in definition.get("examples", [])]
    data = draw.draw(st.sampled_from(examples) | st.just(value))
    definition = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})
    if name in ("head", "keys") and not isinstance(data, dict):
        return  # definitions of the fields of objects; only objects are examined
    if name == "entry" and isinstance(data, dict):
        return  # only the kind is examined; fields have forms of their own
    assert fits(data, name) == definition.is_valid(data)


def test_names_of_the_schema_are_names_of_the_grammar() -> None:
    grammar = (ROOT / "dsl" / "grammar.lark").read_text("utf-8")
    (name,) = re.findall(r"^NAME: /(.*)/$", grammar, re.MULTILINE)
    assert SCHEMA["$defs"]["name"]["pattern"] == rf"^{name}(?![\s\S])"
    (keywords,) = SCHEMA["$defs"]["entry"]["patternProperties"]
    assert keywords.removeprefix("^(").removesuffix(r")(?![\s\S])") in name


def test_texts_of_the_schema_have_no_hidden_characters() -> None:
    every = "".join(map(chr, range(0x110000)))
    accepted = SCHEMA["$defs"]["text"]["pattern"].removeprefix("^").removesuffix(r"*(?![\s\S])")
    assert re.sub(accepted, "", every) == "".join(re.findall(rf"[{HIDDEN}\ufffc-\uffff]", every))


def agreed(data: object) -> bool:
    return VALIDATOR.is_valid(data) == codes(data).isdisjoint(OF_FORMS)


@given(HEADS)
def test_schema_and_reader_agree_on_any_form(data: dict[str, Any]) -> None:
    assert agreed(data), [diagnostic.message for diagnostic in diagnostics(data)]


def spots_of(data: Any) -> list[tuple[Any, Any]]:
    """Every container of the data with each of its keys or positions."""
    inner = list(data.items()) if isinstance(data, dict) else list(enumerate(data)) if isinstance(data, list) else []
    return [(data, key) for key, _ in inner] + [spot for _, value in inner for spot in spots_of(value)]


@given(st.sampled_from(RIGHT), VALUES, st.data())
def test_schema_and_reader_agree_on_boards_with_one_value_changed(
    path: Path, value: object, draw: st.DataObject
) -> None:
    data = json.loads(path.read_text("utf-8"))
    container, key = draw.draw(st.sampled_from(spots_of(data)))
    container[key] = value
    assert agreed(data), [diagnostic.message for diagnostic in diagnostics(data)]


# ---- any content


@given(st.binary(max_size=200) | st.text("{}[]:,\"\\'ab01.-etru \n\u00a0", max_size=60).map(str.encode))
def test_no_bytes_make_the_reader_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_bytes(data)
    found = read_board(path)
    assert isinstance(found, Board) or found
    if isinstance(found, list):
        assert all(diagnostic.draw() for diagnostic in found)


@given(st.sampled_from(RIGHT + SHIPPED), st.data())
def test_no_change_makes_the_reader_raise(path: Path, data: st.DataObject) -> None:
    text = path.read_text("utf-8")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    text = text[:start] + data.draw(st.text('{}[]:,"ab01', max_size=5)) + text[end:]
    found = board_of(Source("x.json", text))
    assert isinstance(found, Board) or all(diagnostic.draw().encode() for diagnostic in found)


@given(st.text("{}[]:,\"\\'ab01.-+eEtrufalsn \n\t\u00a0", max_size=40) | VALUES.map(json.dumps))
def test_texts_are_json_exactly_if_positions_say_so(text: str) -> None:
    def refuse(name: str) -> None:
        raise ValueError(name)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        right = False
    else:
        right = True
    assert (positions(Source("x", text)).fault is None) == right


@given(VALUES)
def test_positions_are_where_the_values_are(value: object) -> None:
    text = json.dumps(value, indent=1)
    found = positions(Source("x", text))
    for where, (start, end) in found.values.items():
        inner: Any = value
        for step in where:
            inner = inner[step]
        assert json.loads(text[start:end]) == inner
    assert () in found.values


# ---- planar boards


def meadow(width: int, height: int, cut: frozenset[int] = frozenset()) -> dict[str, Any]:
    """A grid of square faces; those in `cut` have a diagonal and are two triangles."""
    vertices = [{"id": f"v{x}_{y}", "at": [x, y]} for y in range(height + 1) for x in range(width + 1)]
    edges = [
        {"id": f"h{x}_{y}", "ends": [f"v{x}_{y}", f"v{x + 1}_{y}"]} for y in range(height + 1) for x in range(width)
    ] + [{"id": f"v{x}_{y}v", "ends": [f"v{x}_{y}", f"v{x}_{y + 1}"]} for y in range(height) for x in range(width + 1)]
    faces = []
    for number in range(width * height):
        y, x = divmod(number, width)
        north, east, south, west = f"h{x}_{y}", f"v{x + 1}_{y}v", f"h{x}_{y + 1}", f"v{x}_{y}v"
        if number in cut:
            edges.append({"id": f"d{number}", "ends": [f"v{x}_{y}", f"v{x + 1}_{y + 1}"]})
            faces += [
                {"id": f"f{number}a", "edges": [north, east, f"d{number}"]},
                {"id": f"f{number}b", "edges": [f"d{number}", south, west]},
            ]
        else:
            faces.append({"id": f"f{number}", "edges": [north, east, south, west]})
    return {"format": 1, "name": "Meadow", "vertices": vertices, "edges": edges, "faces": faces}


@st.composite
def meadows(draw: st.DrawFn) -> dict[str, Any]:
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    return meadow(width, height, draw(st.frozensets(st.integers(0, width * height - 1))))


@given(meadows(), st.randoms(use_true_random=False))
def test_planar_boards_are_right_in_any_order(board: dict[str, Any], random: Any) -> None:
    for name in ("vertices", "edges", "faces"):
        random.shuffle(board[name])
    for face in board["faces"]:
        turn = random.randrange(len(face["edges"]))
        face["edges"] = face["edges"][turn:] + face["edges"][:turn]
        if random.random() < 0.5:
            face["edges"].reverse()
    for edge in board["edges"]:
        if random.random() < 0.5:
            edge["ends"].reverse()
    assert diagnostics(board) == []


@given(meadows(), st.data())
def test_planar_boards_with_one_mistake(board: dict[str, Any], data: st.DataObject) -> None:
    edge = data.draw(st.sampled_from(board["edges"]))
    face = data.draw(st.sampled_from(board["faces"]))
    kind = data.draw(st.sampled_from(["gone", "twice", "alike", "short", "long", "bent", "copied"]))
    if kind == "gone":
        board["edges"].remove(edge)
        assert codes(board) == {"E0707"}
    elif kind == "twice":
        board["edges"].append(edge)
        assert codes(board) == {"E0706"}
    elif kind == "alike":
        board["edges"].append(edge | {"id": "another"})
        assert codes(board) == {"E0712"}
    elif kind == "short":
        face["edges"].remove(data.draw(st.sampled_from(face["edges"])))
        assert "E0710" in codes(board)
    elif kind == "long":
        face["edges"].append(data.draw(st.sampled_from(face["edges"])))
        assert "E0710" in codes(board)
    elif kind == "bent":
        edge["ends"] = [edge["ends"][0]] * 2
        assert codes(board) == {"E0708"}
    else:
        board["faces"].append(face | {"id": "copy"})
        alone = len(board["faces"]) == 2
        assert codes(board) == ({"E0713"} if alone else codes(board) & {"E0711", "E0713"}) != set()


@given(st.integers(3, 5), st.integers(3, 4), st.data())
def test_a_missing_face_is_a_hole(width: int, height: int, data: st.DataObject) -> None:
    board = meadow(width, height)
    x, y = data.draw(st.integers(1, width - 2)), data.draw(st.integers(1, height - 2))
    gone = board["faces"].pop(y * width + x)
    (diagnostic,) = diagnostics(board)
    assert diagnostic.code == "E0713"
    assert all(f"`{name}`" in "".join(diagnostic.helps) for name in gone["edges"])
    assert diagnostics(board | {"holes": 1}) == []
    assert codes(board | {"holes": 2}) == {"E0713"}


@given(meadows(), meadows())
def test_two_islands_are_a_planar_board(one: dict[str, Any], two: dict[str, Any]) -> None:
    text = re.sub(r'"([vhdf]\d)', r'"x\1', json.dumps(two))
    other = json.loads(text)
    for name in ("vertices", "edges", "faces"):
        one[name] += other[name]
    assert diagnostics(one) == []


# ---- the page for authors

PAGE = (ROOT / "docs" / "boards.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("number", range(3))
def test_the_boards_of_the_page_are_right(number: int) -> None:
    text = blocks("json")[number]
    assert diagnostics(text) == []
    VALIDATOR.validate(json.loads(text))


def test_the_error_of_the_page_is_reported() -> None:
    (shown,) = [block for block in blocks("text") if block.startswith("error")]
    found = board_of(Source("meadows.json", blocks("json")[0].replace('["n", "s"]', '["n1", "s"]')))
    assert not isinstance(found, Board)
    assert [diagnostic.draw() + "\n" for diagnostic in found] == [shown]


def test_the_page_and_the_schema_have_every_field_and_the_table_every_code() -> None:
    fields = {*SCHEMA["properties"], *SCHEMA["$defs"]["entry"]["properties"]}
    assert fields <= set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    reported = "".join(path.with_suffix(".txt").read_text("utf-8") for path in WRONG)
    assert set(re.findall(r"^\| (E\d+) \|", PAGE, re.MULTILINE)) == set(re.findall(r"E07\d\d", reported)) | {"E0701"}


def test_the_python_of_the_page_does_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (block,) = blocks("python")
    example = doctest.DocTestParser().get_doctest(block, {}, "boards.md", "boards.md", 0)
    out: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=out.append)
    assert "".join(out) == ""
