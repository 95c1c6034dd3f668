"""The tables that are open: who is connected to them, who is shown what, and the bots that think for them.

Work on a table is done in threads, one at a time for each table, as rules may take their time. A person is sent what is
new through a queue of their own: whoever reads slowly keeps nobody waiting, and is cut off when too much is due. The
page then connects again and is sent the whole position.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import field
from multiprocessing import active_children, get_context
from time import time
from typing import Any, TypeVar

from pydantic import TypeAdapter

from dsl.lazy_dataclasses import dataclass
from dsl.text.visible import brief
from interpreter.arguments import seat_number
from interpreter.errors import BotError, PlayError, RegelwerkError, SaveError, StoppedError, UsageError
from interpreter.loading.custom_board import boards_for
from interpreter.loading.game_library import find_named
from interpreter.loading.rules import load_rules
from interpreter.opponents.specs import SpecProblem, spec_of
from interpreter.play.game import Game, State, seat_game
from interpreter.play.saves.files import PERSON, WHICH_RULES, SaveMeta, notes_of, resume, save_document
from interpreter.play.saves.model import SaveFile
from interpreter.runtime.chance import drawn_seed
from interpreter.watchdog import ThreadWatchdog
from interpreter.wording.phrases import Phrase
from interpreter.wording.words import OWN
from web import messages
from web.clock import Clock, TimeLimit
from web.server.games import SharedGames
from web.server.lobby import named_variant
from web.server.store import Store
from web.session import Session
from web.table import Table
from web.thinking import choose, end_with_parent, problem_of

MAX_TABLES = 10_000
"""Maximum number of tables that a server keeps."""
MAX_OPEN_TABLES = 500
"""Maximum number of tables that are in memory at once."""
MAX_CONNECTIONS = 2_000
"""Maximum number of pages that are connected at once."""
MAX_PAGES_OF_A_SEAT = 8
"""Maximum number of pages that show the same seat."""
MAX_DUE = 64
"""Maximum number of messages that wait for a page that reads slowly."""
MAX_NAME = 30
"""Maximum length of a name that somebody gives themselves."""
SECONDS_BETWEEN_TICKS = 5.0
"""The interval at which elapsed time is stored: a server that is killed forgets at most this much."""
SECONDS_BETWEEN_TIDYING = 3600.0
MAX_SECONDS_OF_RULES = 10.0
"""Maximum processor time of one call into the rules; a table whose rules take longer is closed."""
CLOSED = Phrase("the rules of this game took too long; the table is closed until the server is started again")
BOT_PROCESSES = 2
LOBBY_THREADS = 2

T = TypeVar("T")


@dataclass(eq=False)
class Connection:
    """A page that is connected: its session, and the messages that it is due."""

    session: Session
    due: asyncio.Queue[str | None] = field(default_factory=lambda: asyncio.Queue(MAX_DUE))

    def send(self, message: messages.Sent) -> None:
        """Send a message, or cut the page off if too much is due."""
        try:
            self.due.put_nowait(encoded(message))
        except asyncio.QueueFull:
            self.cut_off()

    def cut_off(self) -> None:
        """End the connection after what fits."""
        while self.due.full():
            self.due.get_nowait()
        self.due.put_nowait(None)


_messages: TypeAdapter[Any] = TypeAdapter(Any)  # of dataclasses as they are: their types say no more


def encoded(message: messages.Sent) -> str:
    """A message as JSON; each text in it shows what it contains (`visible`)."""
    return _messages.dump_json(message).decode()


@dataclass(eq=False)
class OpenTable:
    """A table in memory; `joining` pages are being connected. Of `questions` that take long it asks one at a time."""

    id: str
    table: Table
    connections: set[Connection] = field(default_factory=set)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    questions: asyncio.Lock = field(default_factory=asyncio.Lock)
    joining: int = 0
    thinking: asyncio.Task[None] | None = None
    alarm: asyncio.TimerHandle | None = None

    @property
    def has_players(self) -> bool:
        """True if the page of a seat is connected; spectators alone let no clock run."""
        return any(connection.session.seat is not None for connection in self.connections)


TracePage = Callable[[State, str | None], str]
"""Makes the page of a game's trace as a seat may know it; None for everything. It is called in another process."""


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table that somebody wants: its game, and who plays each seat (`PERSON`, or a bot)."""

    game: str
    kinds: dict[str, str]
    names: dict[str, str]
    options: dict[str, str]
    variants: tuple[str, ...]
    limit: TimeLimit | None = None
    board: str = ""


class Hall:
    """All tables of a server."""

    def __init__(
        self, store: Store, keep: float = 0, bot_processes: int = BOT_PROCESSES,
        patience: float = MAX_SECONDS_OF_RULES, trace_page: TracePage | None = None,
    ) -> None:  # fmt: skip
        self.store, self._keep, self._trace_page = store, keep, trace_page
        self._watchdog = ThreadWatchdog(patience)
        self._closed = set[str]()
        self._games = SharedGames()
        self._open: dict[str, OpenTable] = {}
        self._opening: dict[str, asyncio.Lock] = {}
        # Games are compiled for the lobby in few threads, so that others are left for the tables.
        self.lobby = asyncio.Semaphore(LOBBY_THREADS)
        self._bots: ProcessPoolExecutor | None = None
        self._tasks = set[asyncio.Task[None]]()
        self._bot_processes = bot_processes

    async def close(self) -> None:
        """Cut all pages off and end the bots. Nothing has to be stored but the time: everything else is already."""
        self._tick()
        for opened in self._open.values():
            if opened.thinking is not None:
                opened.thinking.cancel()
            for connection in opened.connections:
                connection.cut_off()
        if self._bots is not None:
            self._bots.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.kill()
        self.store.close()

    # ------------------------------------------------------------ new tables

    async def add(self, new_table: NewTable) -> tuple[str, dict[str, str]]:
        """Begin the game of a new table; its name, and the secrets of its seats. Raises what `load` raises."""
        if self.store.count() >= MAX_TABLES:
            raise UsageError(Phrase("there are too many tables here; no more can be added"))
        async with self.lobby:
            return await self.work("", self._added, new_table)

    def _added(self, new_table: NewTable) -> tuple[str, dict[str, str]]:
        seats = tuple(new_table.kinds)
        game = loaded(new_table.game, seats, new_table.options, new_table.variants, new_table.board)
        for seat, kind in new_table.kinds.items():
            problem = "" if kind == PERSON else problem_of(kind, game)
            if problem:
                raise UsageError(
                    Phrase("{bot} cannot play {seat}: {problem}", bot=brief(kind), seat=seat, problem=problem)
                )
        if new_table.limit is not None and (problem := problem_of(new_table.limit.stand_in, game)):
            bot = brief(new_table.limit.stand_in)
            raise UsageError(Phrase("{bot} cannot play this game: {problem}", bot=bot, problem=problem))
        for seat in new_table.names:
            seat_number(seats, seat)
        names = {seat: name.strip()[:MAX_NAME] for seat, name in new_table.names.items() if name.strip()}
        state = game.start(drawn_seed())  # a game whose setup fails gets no table
        return self.store.add(
            state, {seat: new_table.kinds[seat] for seat in game.seats}, names, new_table.limit, time()
        )

    # ------------------------------------------------------------ open tables

    async def opened(self, table: str) -> OpenTable:
        """A table in memory. Raises UsageError if there is no such table, or its rules have changed since."""
        if table in self._closed:
            raise UsageError(CLOSED)
        async with self._opening.setdefault(table, asyncio.Lock()):
            if table not in self._open:
                self._make_room()
                self._open[table] = OpenTable(table, await self.work(table, self._restored, table))
            return self._open[table]

    def _make_room(self) -> None:
        """Forget tables that nobody is connected to, the longest open first; they can be opened again."""
        idle = [
            opened for opened in self._open.values()
            if not opened.connections and not opened.joining and opened.thinking is None
        ]  # fmt: skip
        for opened in idle[: max(0, len(self._open) - MAX_OPEN_TABLES + 1)]:
            del self._open[opened.id]

    def _restored(self, table: str) -> Table:
        """A table played through again."""
        stored = self.store.table(table)
        save = stored.save
        state = self._resumed(save)
        if state is None:
            raise UsageError(Phrase("the rules of {title} have changed since this table began", title=save.title))
        forced = {ply for ply, move in enumerate(state.made) if move.legal is not None and len(move.legal) == 1}
        restored = Table(state, dict(save.seats), dict(stored.names), notes_of(save), forced)
        if stored.limit is not None:
            restored.clock = Clock(stored.limit, list(stored.charges), pending=stored.pending)
        restored.keeper = self.store.keeper(table)
        restored.begin()
        return restored

    def _resumed(self, save: SaveFile) -> State | None:
        """The game of a table under the rules with which it began; None if they are gone."""
        for rules in WHICH_RULES:
            try:
                state = resume(save, loading=self._games.load, rules=rules)
            except SaveError:  # its message would name moves, which may be secret, or files of this machine
                continue
            if state.game.rules.hash == save.rules_hash:
                return state
        return None

    async def join(self, opened: OpenTable, seat: str | None, language: str) -> Connection:
        """Connect a page. Raises UsageError if there are too many, LanguageError for an unknown language, PlayError."""
        pages = sum(1 for connection in opened.connections if connection.session.seat == seat)
        connected = sum(len(table.connections) for table in self._open.values())
        if pages >= MAX_PAGES_OF_A_SEAT or connected >= MAX_CONNECTIONS:
            raise UsageError(Phrase("too many pages are connected"))
        connection = Connection(Session(opened.table, seat, language))
        opened.joining += 1
        try:
            await self._greet(opened, connection)
        except PlayError as fault:
            raise connection.session.permitted(fault) from None
        finally:
            opened.joining -= 1
        self._go_on(opened)
        return connection

    async def _greet(self, opened: OpenTable, connection: Connection) -> None:
        """Send a page its first messages; from then on it is shown what changes."""
        async with opened.lock:
            welcome = await self.work(opened.id, connection.session.welcome)
            is_attended = opened.table.is_attended
            opened.connections.add(connection)
            opened.table.attend(opened.has_players)
            try:
                position = await self.work(opened.id, connection.session.position)
            except BaseException:
                opened.connections.discard(connection)
                opened.table.attend(opened.has_players)
                raise
            connection.send(welcome)
            if position is not None:
                connection.send(position)
            if opened.table.clock is not None and opened.table.is_attended != is_attended:
                await self._show(opened)

    async def leave(self, opened: OpenTable, connection: Connection) -> None:
        """Forget a page. With the last one of a player, the clock stops."""
        opened.connections.discard(connection)
        clock = opened.table.clock
        if clock is None or opened.has_players:
            return
        async with opened.lock:
            opened.table.attend(opened.has_players)
            if not opened.has_players:
                await asyncio.to_thread(opened.table.keeper.ticked, clock.elapsed)
            await self._show(opened)
        self._go_on(opened)

    async def answer(self, opened: OpenTable, connection: Connection, request: messages.Request) -> None:
        """Answer a page, and show everybody what has changed."""
        session = connection.session
        if isinstance(request, messages.Lengthy):
            connection.send(await self._told(opened, session, request))
            return
        with suppress(StoppedError):  # all pages have been told
            await self._answer(opened, connection, request)

    async def _answer(self, opened: OpenTable, connection: Connection, request: messages.Request) -> None:
        session = connection.session
        async with opened.lock:
            version = opened.table.version
            connection.send(await self.work(opened.id, session.answer, request))
            if opened.table.version != version:
                await self._show(opened)
        self._go_on(opened)

    async def _told(self, opened: OpenTable, session: Session, request: messages.Lengthy) -> messages.Sent:
        """The answer to a question that takes long, found in another process, so that nobody waits for it.

        Each table asks one at a time, as all tables share the processes.
        """
        try:
            async with opened.questions:
                async with opened.lock:
                    version = opened.table.version
                    function = await self.work(opened.id, session.lengthy, request)
                answer = await self._elsewhere(function)
            if isinstance(request, messages.Hint) and opened.table.version != version:
                raise UsageError(Phrase("the game has gone on meanwhile"))
            return session.told(request, answer)
        except RegelwerkError as fault:
            return session.refused(request, fault)

    async def trace_page(self, table: str, token: str, language: str) -> str:
        """The page of the trace of a table, as far as whoever has a secret may know it. Raises UsageError, BotError."""
        if self._trace_page is None:
            raise UsageError(Phrase("this server has no page of the trace"))
        seat = await asyncio.to_thread(self.store.seat_of, table, token)
        opened = await self.opened(table)
        async with opened.questions:
            async with opened.lock:
                session = Session(opened.table, seat, language)
                state, as_seat = await self.work(opened.id, session.traced)
            try:
                return await self._elsewhere(self._trace_page, state, as_seat)
            except PlayError as fault:
                raise session.permitted(fault) from None

    async def _show(self, opened: OpenTable) -> None:
        """Show all pages what has changed for them. The table is locked."""
        connections = list(opened.connections)
        positions = await self.work(opened.id, _positions, [connection.session for connection in connections])
        for connection, position in zip(connections, positions, strict=True):
            if isinstance(position, RegelwerkError):
                connection.send(messages.Refused("", connection.session.wrong(position)))
                connection.cut_off()
            elif position is not None:
                connection.send(position)

    # ------------------------------------------------------------ what happens by itself

    def _go_on(self, opened: OpenTable) -> None:
        """Let a bot think that has to decide, and wait for what happens by itself when time has passed."""
        self._let_bots_think(opened)
        self._set_alarm(opened)

    def _set_alarm(self, opened: OpenTable) -> None:
        if opened.alarm is not None:
            opened.alarm.cancel()
        seconds, loop = opened.table.next_alarm, asyncio.get_running_loop()
        opened.alarm = None if seconds is None else loop.call_later(seconds, lambda: self._begin(self._ring(opened)))

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        """Begin something that nobody waits for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ring(self, opened: OpenTable) -> None:
        """Time has passed at a table: show everybody what that has changed."""
        with suppress(StoppedError):  # all pages have been told
            async with opened.lock:
                kinds = dict(opened.table.kinds)
                if await self.work(opened.id, opened.table.ring):
                    if opened.table.kinds != kinds:
                        await self._greet_again(opened)
                    await self._show(opened)
            self._go_on(opened)

    async def _greet_again(self, opened: OpenTable) -> None:
        """Tell all pages who plays now; they are sent everything anew. The table is locked."""
        for connection in list(opened.connections):
            session = connection.session
            connection.session = Session(opened.table, session.seat, session.language)
            connection.send(await self.work(opened.id, connection.session.welcome))

    def begin(self) -> list[asyncio.Task[None]]:
        """Begin what is done repeatedly as long as the server runs."""
        repeated = [_repeat(self._tick, SECONDS_BETWEEN_TICKS)]
        if self._keep:
            repeated.append(_repeat(self._tidy, SECONDS_BETWEEN_TIDYING))
        return [asyncio.create_task(work) for work in repeated]

    def _tick(self) -> None:
        """Keep the time that has passed at all tables, so that little of it is lost with the server."""
        clocks = [(opened.id, opened.table.clock) for opened in list(self._open.values())]
        pending = {table: clock.elapsed for table, clock in clocks if clock is not None and clock.since is not None}
        if pending:
            self.store.ticked(pending)

    def _tidy(self) -> None:
        """Delete tables that are over or were never begun, when they have been kept for long enough.

        Tables that somebody looks at are kept until later.
        """
        attended = [opened.id for opened in list(self._open.values()) if opened.connections or opened.joining]
        for table in self.store.forget(time() - self._keep, attended):
            self._open.pop(table, None)
            self._opening.pop(table, None)

    # ------------------------------------------------------------ bots

    def _let_bots_think(self, opened: OpenTable) -> None:
        """Let the bot that has to decide begin, unless it thinks already."""
        table = opened.table
        if opened.connections and opened.thinking is None and table.deciding_bot is not None and table.asking is None:
            opened.thinking = asyncio.create_task(self._think(opened))

    async def _think(self, opened: OpenTable) -> None:
        """Make the decisions of bots until a person has to decide, or everybody has left."""
        try:
            while opened.connections and opened.table.deciding_bot is not None and opened.table.asking is None:
                async with opened.lock:
                    version, seat = opened.table.version, opened.table.deciding_bot
                    if seat is None:  # somebody has gone back meanwhile
                        continue
                    state, kind = opened.table.state.copy(), opened.table.bot_for(seat)
                spec = spec_of(kind)
                is_quick = not isinstance(spec, SpecProblem) and spec.is_random
                if is_quick:
                    choice = await self.work(opened.id, choose, opened.id, state, kind)
                else:
                    choice = await self._elsewhere(choose, opened.id, state, kind)
                async with opened.lock:
                    if choice.is_at_a_loss and opened.table.version == version:
                        for connection in opened.connections:
                            if (note := connection.session.at_a_loss()) is not None:
                                connection.send(note)
                    await self.work(opened.id, opened.table.play_bot, version, choice.notation)
                    await self._show(opened)
        except RegelwerkError as fault:
            for connection in opened.connections:
                connection.send(messages.Note(connection.session.wrong(fault)))
        finally:
            opened.thinking = None
            self._set_alarm(opened)

    async def work(self, table: str, function: Callable[..., T], *arguments: object) -> T:
        """The result of a function in a thread, in which the time of rules is limited. Raises StoppedError.

        A table whose rules take longer is closed: each page that asked for it again would hold up all others. For the
        lobby, `table` is empty.
        """
        try:
            return await asyncio.to_thread(self._watchdog.call, function, *arguments)
        except StoppedError as fault:
            logging.getLogger(__name__).error(f"{f'table {table} was closed: ' if table else ''}{fault}")
            if table:
                self._closed.add(table)
                opened = self._open.pop(table, None)
                for connection in opened.connections if opened is not None else ():
                    connection.send(messages.Refused("", connection.session.words.phrase(CLOSED)))
                    connection.cut_off()
            raise StoppedError(CLOSED if table else Phrase("the rules of this game take too long")) from None

    async def _elsewhere(self, function: Callable[..., T], *arguments: object) -> T:
        """The result of a function in another process. Raises BotError if that process has been killed."""
        if self._bots is None:
            # A forked process would have copies of locks that threads of this one hold.
            self._bots = ProcessPoolExecutor(
                self._bot_processes, mp_context=get_context("spawn"), initializer=end_with_parent
            )
        bots = self._bots
        try:
            with _interrupts_blocked():
                answer = asyncio.get_running_loop().run_in_executor(bots, function, *arguments)
            return await answer
        except BrokenProcessPool:
            if self._bots is bots:
                self._bots = None
            raise BotError(Phrase("the search was broken off")) from None

    # ------------------------------------------------------------ saves

    async def save(self, opened: OpenTable, seat: str | None) -> dict[str, object]:
        """The save of a table whose game is over, which then holds no secret any more. Raises UsageError before."""
        async with opened.lock:
            table = opened.table
            if not table.state.over:  # the save of a game that hides nothing still tells what will be drawn and rolled
                raise UsageError(Phrase("the save holds the secrets of the game; it can be had when the game is over"))
            return await self.work(opened.id, save_document, table.state, SaveMeta(table.kinds, table.notes))


async def _repeat(work: Callable[[], None], seconds: float) -> None:
    """Do something in a thread, now and then again; a disk that is full now may not be later."""
    while True:
        try:
            await asyncio.to_thread(work)
        except SaveError as fault:
            logging.getLogger(__name__).error(str(fault))
        await asyncio.sleep(seconds)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Within the block, processes that are started never receive Ctrl-C, which the server answers for them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    earlier_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, earlier_mask)


def _positions(sessions: Sequence[Session]) -> list[messages.Position | RegelwerkError | None]:
    """What is new for each page; one whose position cannot be shown does not keep it from the others."""
    positions: list[messages.Position | RegelwerkError | None] = []
    for session in sessions:
        try:
            positions.append(session.position())
        except RegelwerkError as fault:
            positions.append(fault)
    return positions


def loaded(
    name: str, seats: Sequence[str], options: Mapping[str, str], variants: Sequence[str], board: str = ""
) -> Game:
    """A game of the library in all its languages, by its name alone and never by a path, as are its variants and board.

    Raises what `load` does.
    """
    path, variants = find_named(name), [named_variant(variant) for variant in variants]
    rules = load_rules(path, variants=variants, every_language=True)
    if board:
        boards = boards_for(path, rules.model.board) if rules.model.board is not None else {}
        if board not in boards:
            raise UsageError(Phrase("there is no board `{path}`", path=brief(board)))
        rules = load_rules(path, variants=variants, board=boards[board].path, every_language=True)
    return seat_game(rules, list(seats), options).in_words(OWN)
