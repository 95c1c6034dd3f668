"""Custom bots: whatever is installed under the entry point group `regelwerk.bots`.

Only installed code is run: neither a save nor a command line can name a file with code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl.text.visible import brief
from interpreter.errors import BotError
from interpreter.opponents.failures import BotCodeError, called
from interpreter.opponents.situation import Bot
from interpreter.wording.phrases import Phrase

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "regelwerk.bots"
"""The entry point group: each is a class or function that returns a bot."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def _own_bots() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # start-up of play: reading metadata takes long to import

    return {one.name: one for one in entry_points(group=GROUP) if _NAME.fullmatch(one.name)}


def own_bot_names() -> list[str]:
    """The names of the installed bots."""
    return sorted(_own_bots())


def package_of(name: str) -> str | None:
    """The package that provides a bot, with its version; None if it is not known."""
    found = _own_bots().get(name)
    return None if found is None or found.dist is None else f"{found.dist.name} {found.dist.version}"


def own_bot(name: str, settings: str | None) -> Bot:
    """Make a bot, with what follows the colon after its name. Raises BotError."""
    found = _own_bots().get(name)
    if found is None:
        raise BotError(Phrase("there is no bot `{name}` here; is the package that has it installed?", name=brief(name)))

    def make() -> Bot:
        load = found.load()
        bot: Bot = load() if settings is None else load(settings)
        return bot

    return checked_bot(name, make, found.value)


def checked_bot(name: str, make: Callable[[], Bot], source: str) -> Bot:
    """Make a bot by code of others; `source` says where that is from. Raises BotError."""
    try:
        bot = called(make)
        choose = called(getattr, bot, "choose", None)
    except BotCodeError as fault:
        message = Phrase("the bot `{name}` cannot be made: {reason}", name=brief(name), reason=str(fault))
        raise BotError(message) from fault.__cause__
    if not callable(choose):
        raise BotError(
            Phrase(
                "the bot `{name}` has no method `choose`; `{source}` gave {type}",
                name=brief(name),
                source=brief(source),
                type=type(bot).__name__,
            )
        )
    return bot
