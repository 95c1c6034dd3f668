"""The steps of lark's parser, each looked up once.

Lark hashes the rule of the grammar and compares names of terminals at every step, and reduces each name in an
expression through a dozen rules that leave it as it is. Here a step is a look-up, and a chain of such rules one step.
"""

from __future__ import annotations

from typing import Any, cast

from lark import Token
from lark.grammar import Rule
from lark.lexer import LexerThread
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser
from lark.parsers.lalr_parser import LALR_Parser, _Parser
from lark.parsers.lalr_parser_state import ParseConf, ParserState

from dsl.syntax.layout import Built, Placing


class Reduction:
    """A step before which a rule of the grammar is complete: the topmost values become the tree that `build` makes.

    `ends` are the states after it, by those that it uncovers. A `chain` of rules that leave one value as it is goes on
    as far as the next terminal allows.
    """

    __slots__ = ("build", "ends", "is_chain", "rule", "size")

    def __init__(self, rule: Rule, build: Placing, is_chain: bool) -> None:
        self.rule, self.build, self.is_chain = rule, build, is_chain
        self.size = len(rule.expansion)
        self.ends: dict[int, int] = {}


Steps = dict[int, dict[str, "int | Reduction"]]
"""What to do in a state before a terminal: shift it, which leads to another state, or reduce."""


class FastConf(ParseConf[int]):
    """The tables of a parser as lark has them, and the steps that have been looked up in them."""

    __slots__ = ("steps",)

    def __init__(self, parser: FastParser, start: str) -> None:
        super().__init__(parser.parse_table, parser.callbacks, start)
        self.steps = parser.steps

    def step(self, state: int, terminal: str) -> int | Reduction | None:
        """Look a step up; None if the terminal is not possible."""
        action, found = self.states[state].get(terminal, (None, None))
        if action is None:
            return None
        step = found if action is Shift else self._reduction(found)
        self.steps.setdefault(state, {})[terminal] = step
        return step

    def _reduction(self, rule: Rule) -> Reduction:
        builders = cast("dict[Rule, Placing]", self.callbacks)  # by rules, not by names as lark declares them
        return Reduction(rule, builders[rule], is_chain=builders[rule].leaves_as_is(rule))

    def end_of(self, step: Reduction, uncovered: int, terminal: str) -> int:
        """The state after a reduction."""
        end: int = self.states[uncovered][step.rule.origin.name][1]
        if step.is_chain:
            following = self.steps.get(end, {}).get(terminal) or self.step(end, terminal)
            if isinstance(following, Reduction) and following.is_chain:
                end = self.end_of(following, uncovered, terminal)
        step.ends[uncovered] = end
        return end


class FastState(ParserState[int]):
    """Where a parser is in a text: makes the steps of its base, which takes over at the end and at errors."""

    parse_conf: FastConf

    def feed_token(self, token: Token, is_end: bool = False) -> Built:
        """Reduce what is complete before a token, and shift it. Raises UnexpectedToken."""
        conf, terminal = self.parse_conf, token.type
        if is_end or not conf.callbacks:  # lark tries without callbacks which terminals are possible
            return super().feed_token(token, is_end)
        states, values, steps = self.state_stack, self.value_stack, conf.steps
        while True:
            state = states[-1]
            step = steps[state].get(terminal) if state in steps else None
            if step is None:
                step = conf.step(state, terminal)
            if type(step) is int:
                states.append(step)
                values.append(token)
                return None
            if type(step) is not Reduction:
                return super().feed_token(token)
            if step.is_chain:
                uncovered = states[-2]
                states[-1] = step.ends[uncovered] if uncovered in step.ends else conf.end_of(step, uncovered, terminal)
                continue
            children = []
            if step.size:
                children = values[-step.size :]
                del values[-step.size :], states[-step.size :]
            uncovered = states[-1]
            values.append(step.build(children))
            states.append(step.ends[uncovered] if uncovered in step.ends else conf.end_of(step, uncovered, terminal))


class FastParser(_Parser):
    """The loop over the tokens of a text."""

    def __init__(self, base: _Parser) -> None:
        super().__init__(base.parse_table, base.callbacks, base.debug)
        self.steps: Steps = {}

    def parse(
        self, lexer: LexerThread, start: str, value_stack: list[Built] | None = None,
        state_stack: list[int] | None = None, start_interactive: bool = False,
    ) -> Built:  # fmt: skip
        """The tree of a text, or what parses it token by token."""
        state = FastState(FastConf(self, start), lexer, state_stack, value_stack)
        return InteractiveParser(self, state, lexer) if start_interactive else self.parse_from_state(state)


class FastTables(LALR_Parser):
    """The tables that lark computes from the grammar."""

    def __init__(self, *settings: Any, **more: Any) -> None:  # those of its base
        super().__init__(*settings, **more)
        self.parser = FastParser(self.parser)
