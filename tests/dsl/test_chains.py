"""Definitions, steps and reactions that use one another in long chains work, or are refused where the chain is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dsl.diagnostics import RulesError
from interpreter.errors import PlayError
from interpreter.play.game import State, load
from interpreter.play.trace.origins import why
from interpreter.watchdog import watchdog
from tests.dsl.test_limits import game

LINKS = 120
"""How long a chain is that everything must be able to follow."""

TOO_MANY = 400


def chain(first: str, following: str, count: int, backwards: bool = False) -> str:
    """Declarations each of which uses the one before it; `backwards` puts the last one first."""
    links = [first, *(following.format(now=number + 1, before=number) for number in range(count))]
    return "".join(reversed(links) if backwards else links)


def required(text: str, condition: str) -> str:
    """The game with a requirement of its action."""
    return text.replace('    "go"\n', f'    "go"\n    require {condition} because "x {{n}}"\n')


def definitions(count: int, following: str = "define f{now}: f{before} + 1\n", backwards: bool = False) -> str:
    rules = chain("define f0: n + 1\n", following, count, backwards)
    return required(game(rules=f"{rules}define peak: f{count}\n"), "peak > 0")


def twice(count: int) -> str:
    """Every definition asks the one before it twice, but only the first few are ever worked out."""
    return definitions(count, "define f{now}: (f{before} + f{before} if n > {now} + 900 else 1)\n")


def with_arguments(count: int) -> str:
    rules = chain("define f0(p: Player): n + 1\n", "define f{now}(p: Player): f{before}(left(p)) + 1\n", count)
    table = 'table "T" for each p in Player:\n    "x": peak(p)\n'
    return required(game(table, rules=f"{rules}define peak(p: Player): f{count}(p)\n"), f"peak(me) > {count}")


def searching(count: int) -> str:
    following = "define f{now}(p: Player): some q in Player where f{before}(q)\n"
    rules = chain("define f0(p: Player): n < 900\n", following, count)
    return game(rules=f"{rules}define peak: f{count}(me)\n", phase="    if not peak: end game\n")


def reacting(count: int) -> str:
    rules = chain("define f0: n > 500\n", "define f{now}: f{before} or n > 600\n", count)
    return game(rules=f"{rules}define peak: f{count}\nwhen peak: add 0 to n\n")


def seeing(count: int) -> str:
    sight = chain("define f0: those\n", "define f{now}: f{before} + those\n", count)
    zone = "piece C: 4 in z\nzone z holds C, seen by peak\nnote those: several Player = {}\n"
    return game(f"{zone}{sight}define peak: f{count}\n", phase="    if count z > 9: end game\n")


def done(text: str) -> str:
    """The game whose action does a step."""
    return text.replace("    add 1 to n\n", "    add 1 to n\n    peak\n", 1)


def steps(count: int, backwards: bool = False) -> str:
    rules = chain("step s0: add 0 to n\n", "step s{now}: s{before}\n", count, backwards)
    return game(rules=f"{rules}step peak: s{count}\n", phase="    peak\n")


REQUIRE = '    require n < 900 because "x"\n'


def steps_of_an_action(count: int) -> str:
    first, following = f"step s0:\n{REQUIRE}    add 0 to n\n", f"step s{{now}}:\n{REQUIRE}    s{{before}}\n"
    return done(game(rules=f"{chain(first, following, count)}step peak: s{count}\n"))


def steps_done_twice(count: int) -> str:
    """The requirements of a step are asked once, however often an action does it."""
    following = "step s{now}:\n    if n > 900:\n        s{before}\n        s{before}\n    if n > 901: s{before}\n"
    late = "when late: peak\ndefine late: n > 900\n"
    rules = chain(f"step s0:\n{REQUIRE}    add 0 to n\n", following, count)
    return done(game(rules=f"{rules}step peak: s{count}\n{late}"))


def requirements_asked_twice(count: int) -> str:
    """As before, where a step is always done twice; it is cheap only as long as nobody does it."""
    rules = chain(f"step s0:\n{REQUIRE}    add 0 to n\n", "step s{now}:\n    s{before}\n    s{before}\n", count)
    action = 'action rest:\n    "rest"\n    require n > 900 because "x"\n    peak\n'
    return game(rules=f"{rules}step peak: s{count}\n{action}").replace("must go", "must go or rest")


def steps_that_ask(count: int) -> str:
    rules = chain("step s0: must go\n", "step s{now}: s{before}\n", count)
    return game(rules=f"{rules}step peak: s{count}\n", phase="    peak\n")


SHAPES: dict[str, Callable[[int], str]] = {
    "definitions": definitions,
    "definitions backwards": lambda count: definitions(count, backwards=True),
    "definitions asked twice": twice,
    "definitions with arguments": with_arguments,
    "definitions that search": searching,
    "definitions of reactions": reacting,
    "definitions of who sees": seeing,
    "steps": steps,
    "steps backwards": lambda count: steps(count, backwards=True),
    "steps of an action": steps_of_an_action,
    "steps done twice": steps_done_twice,
    "requirements asked twice": requirements_asked_twice,
    "steps that ask": steps_that_ask,
}  # fmt: skip


def everything(path: Path) -> State:
    """A game of a few moves, looked at from all sides."""
    state = load(path).start(1, traced=True)
    for _ in range(3):
        state.push(state.legal_moves[0])
        state.view("red")
        state.log("blue")
        assert state.why("go").lines()
        assert why(state, "n", "red").lines()
        assert state.program.criteria(state.cells, 0)
    return state


@pytest.mark.parametrize("shape", SHAPES)
def test_a_chain_is_followed(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "x.rules"
    path.write_text(SHAPES[shape](LINKS), encoding="utf-8")
    with watchdog(5.0):
        state = everything(path)
        if "define peak:" in path.read_text("utf-8"):
            assert len(list(why(state, "peak", None).lines())) < 200


@pytest.mark.parametrize("shape", SHAPES)
def test_a_chain_too_long_is_refused_where_it_is(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "x.rules"
    path.write_text(SHAPES[shape](TOO_MANY), encoding="utf-8")
    with pytest.raises(RulesError) as caught, watchdog(5.0):
        load(path)
    error, *_ = caught.value.diagnostics
    assert error.code == "E0346" and error.span.text in error.message and " → " in error.message


@pytest.mark.parametrize("length", [3, 60, 500])
def test_a_cycle_of_any_length_is_reported(length: int, tmp_path: Path) -> None:
    for text, code in ((definitions(length), "E0406"), (steps(length), "E0414")):
        closed = text.replace("define f0: n + 1", f"define f0: f{length}").replace("s0: add 0 to n", f"s0: s{length}")
        path = tmp_path / "x.rules"
        path.write_text(closed, encoding="utf-8")
        with pytest.raises(RulesError) as caught, watchdog(5.0):
            load(path)
        assert {error.code for error in caught.value.diagnostics if error.severity == "error"} <= {code, "E0346"}


def test_values_that_grow_with_every_step_are_refused(tmp_path: Path) -> None:
    lets = "".join(f"    let a{number + 1} = a{number} + a{number}\n" for number in range(40))
    inner = f"step inner(a: 0..999):\n{REQUIRE.replace('n <', 'a <')}    add 0 to n\n"
    rules = f"step peak:\n    let a0 = n\n{lets}    inner(a40)\n{inner}"
    path = tmp_path / "x.rules"
    path.write_text(done(game(rules=rules)), encoding="utf-8")
    with pytest.raises(PlayError, match="too long when this is substituted") as caught, watchdog(5.0):
        load(path).start(1)
    assert "x.rules:" in caught.value.location


def test_a_caller_with_little_room_left_gets_a_fault(tmp_path: Path) -> None:
    """A caller deep inside its own recursion gets an error that says so, and the state is as before."""
    path = tmp_path / "x.rules"
    tests = " or ".join(f"n > {{now}} + {900 + number}" for number in range(9))  # too long to stand where it is asked
    path.write_text(definitions(LINKS, f"define f{{now}}: (1 if {tests} else f{{before}} + 1)\n"), encoding="utf-8")
    state = load(path).start(1)

    def from_below(frames: int) -> None:
        if frames:
            from_below(frames - 1)
        else:
            state.program.criteria(state.cells, 0)
            state.program.value_of(state.program.model.defines["peak"].declaration.cases[0].value, state.cells)

    key, depth = state.key(), len(_stack())
    with pytest.raises(PlayError, match="are nested too deeply here") as caught:
        from_below(sys.getrecursionlimit() - depth - LINKS // 2)
    assert "x.rules:" in caught.value.location and state.key() == key


def _stack() -> list[object]:
    frame, found = sys._getframe(), []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back  # type: ignore[assignment]
    return found


@pytest.fixture
def usual_recursion_limit() -> Iterator[None]:
    """The limit of a process of its own: tests before this one may have raised it."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.usefixtures("usual_recursion_limit")
def test_more_requirements_than_can_be_compiled_are_refused(tmp_path: Path) -> None:
    """Requirements are compiled to conditions inside one another."""
    path = tmp_path / "many.rules"
    lines = "".join(f'    require n < 900 because "no {number}"\n' for number in range(2500))
    path.write_text(game().replace('    "go"\n', f'    "go"\n{lines}'), encoding="utf-8")
    with pytest.raises(PlayError, match="rules are nested too deeply to compile: name parts of them"):
        load(path).start()
