"""A table with all its pages in one thread, where the person who reads the pages may play every seat.

Bots decide between messages (`step`), so that a page is answered before the next decision. A bot that thinks keeps
everybody waiting: a browser gives a worker no second thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import json_text
from interpreter.errors import RegelwerkError, UsageError
from interpreter.seat.views.model import plain_data
from web import messages
from web.session import Session
from web.table import Table
from web.thinking import choose

FOLLOWING = ""
"""The token of a page that is at the seat of whichever person decides."""
WATCHING = "*"
"""The token of a page that only watches."""

Send = Callable[[int, str], None]
"""Sends a message to a page, by the number of its line."""


@dataclass(eq=False)
class Page:
    """A page of the table: whose it is, by its token, and its session, which changes with the seat."""

    token: str
    session: Session


@dataclass(eq=False)
class TableInOneThread:
    """A table and its pages, by the numbers of their lines; `name` tells games apart."""

    name: str
    table: Table
    send: Send
    pages: dict[int, Page] = field(default_factory=dict)

    # ------------------------------------------------------------ pages

    def hear(self, line: int, text: str) -> None:
        """Answer a message of a page, and show everybody what has changed."""
        try:
            request = messages.received(text)
            if isinstance(request, messages.Join):
                self.join(line, request.token, request.language or "")
                return
        except RegelwerkError as fault:
            self._tell(line, messages.Refused("", str(fault)))
            return
        page = self.pages.get(line)
        if page is None:
            return  # it has left, or belongs to a game that is over
        version = self.table.version
        self._tell(line, page.session.answer(request))
        if self.table.asking is not None:
            self._agree()
        if self.table.version != version:
            self.show()

    def join(self, line: int, token: str, language: str) -> None:
        """Show the table to a page. Raises UsageError if nobody plays its seat, LanguageError."""
        self.pages[line] = Page(token, Session(self.table, self._seat(token), language))
        self._greet(line)

    def _seat(self, token: str) -> str | None:
        """The seat that a page is at now."""
        if token == WATCHING:
            return None
        if token != FOLLOWING:
            if token not in self.table.game.seats:
                raise UsageError(f"nobody plays `{token}`")
            return token
        people = self.table.people
        return self.table.state.player if self.table.state.player in people else next(iter(people), None)

    def _greet(self, line: int) -> None:
        session = self.pages[line].session
        self._tell(line, session.welcome())
        position = session.position()
        if position is not None:
            self._tell(line, position)

    def _agree(self) -> None:
        """Whoever reads the pages agrees with themselves."""
        while (asking := self.table.asking) is not None:
            self.table.consent(min(asking.missing), True)

    def leave(self, line: int) -> None:
        """Forget a page."""
        self.pages.pop(line, None)

    def show(self) -> None:
        """Show all pages what has changed; one that follows whoever decides moves to another seat."""
        for line, page in self.pages.items():
            session = page.session
            decides = self.table.state.player
            if page.token == FOLLOWING and decides in self.table.people and decides != session.seat:
                page.session = Session(self.table, decides, session.language)
                self._greet(line)
            elif (position := session.position()) is not None:
                self._tell(line, position)

    def _tell(self, line: int, message: messages.Sent) -> None:
        self.send(line, json_text(plain_data(message)))

    # ------------------------------------------------------------ bots

    def step(self) -> bool:
        """Let the bot decide that has to; true if there may be another such decision."""
        table = self.table
        seat = table.deciding_bot
        if seat is None or not self.pages:
            return False
        try:
            choice = choose(self.name, table.state.copy(), table.kinds[seat])
            if choice.is_at_a_loss:
                for line, page in self.pages.items():
                    if (note := page.session.at_a_loss()) is not None:
                        self._tell(line, note)
            table.play_bot(table.version, choice.notation)
        except RegelwerkError as fault:
            for line, page in self.pages.items():
                self._tell(line, messages.Note(page.session.wrong(fault)))
            return False
        self.show()
        return True
