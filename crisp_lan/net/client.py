"""One client at one table, for as long as it takes: a lost link is found again by itself.

A client is known to its table by a token. When nothing is heard for some seconds, or the link
breaks, it dials again: at every address it knows, and wherever the table's id is announced now. An
act that was not answered is sent again with its serial, which the table takes at most once.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias, TypeVar

import trio

from crisp_lan import __version__
from crisp_lan.game.rules import Act, Problem, Text
from crisp_lan.lots import Sealed
from crisp_lan.net.calling import Call, Target, Ways
from crisp_lan.net.codec import AnyMessage, WireError
from crisp_lan.net.dialling import NotReached
from crisp_lan.net.link import Link, LinkLost, linked
from crisp_lan.net.messages import (
    PROTOCOL,
    Ask,
    Bye,
    Commits,
    Do,
    Half,
    Hello,
    Join,
    Leave,
    Message,
    No,
    Open,
    Opened,
    Proof,
    Say,
    Show,
    Shuffle,
    Welcome,
)
from crisp_lan.net.passcode import ASKED, NOT_ASKED, UNPROVEN, WRONG, Joiner, aside
from crisp_lan.net.shuffling import Share

M = TypeVar("M", bound=Message)

QUIET = 4.0
"""Seconds without a word from the table after which it is dialled anew."""
ANSWER = 5.0
"""Seconds that the table may take to answer a join."""
AGAIN = 1.0
"""Seconds between two attempts."""
HEAD_START = 1.0
"""Seconds for the addresses that are known, before the table is searched for as well."""
SEARCH = 5.0
"""Seconds of one search for where a table has gone."""
ADDRESSES = 16
NEWS = 256

SILENT = Text("Nothing is heard from the table.")
NO_ANSWER = Text("The table does not answer.")


@dataclass(frozen=True, slots=True)
class Lost:
    """The table cannot be heard; it is looked for until it is found or the client is closed.

    `silent`: seconds since it was heard last.
    """

    why: Text
    silent: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Back:
    """The table is heard again."""


News: TypeAlias = Show | No | Bye | Lost | Back | Sealed | Opened


class TurnedAway(Problem):
    """The table did not let this client join; `text` says why. `again`: it may later."""

    def __init__(self, bye: Bye) -> None:
        super().__init__(bye.why)
        self.again = bye.again


class PasscodeWanted(TurnedAway):
    """The table asks for its passcode, and none was given, or a wrong one."""


class Keeper(Protocol):
    """What keeps a client's seat, so that it can be found again after the client's end."""

    def token(self, table: str) -> str:
        """What gives back a seat at the table with this id; "" if none waits."""

    def keep(
        self, table: str, token: str, addresses: Sequence[str], port: int, fingerprint: str
    ) -> None:
        """The seat is this client's; the first of the addresses has led to its table."""

    def give_up(self) -> None:
        """The seat is nobody's any more."""


class Client:
    """A seat at a table, or a place to watch. `at_table` makes it and keeps it linked."""

    def __init__(
        self,
        target: Target,
        join: Join,
        ways: Ways,
        keeper: Keeper | None = None,
        passcode: str = "",
    ) -> None:
        self.target = target
        self.hello = Hello(PROTOCOL, "")
        self.welcome = Welcome("", (), 0)
        self._join = join
        self._ways = ways
        self._keeper = keeper
        self._passcode = passcode
        self._reason: Text | None = None
        self._tell, self._news = trio.open_memory_channel[News](NEWS)
        self._link: Link | None = None
        self._offer = 0
        self._serial = 0
        self._unanswered: dict[int, Do] = {}
        self._share: Share | None = None
        self._leaving = False
        self._joined = False

    @property
    def token(self) -> str:
        """What gives the seat back, from the first welcome on; "" for who watches."""
        return self._join.token

    @property
    def fingerprint(self) -> str:
        """Of the table's certificate, from the first welcome on."""
        return self.target.fingerprint

    @property
    def trip(self) -> float:
        """Seconds there and back, lately."""
        return self._link.trip if self._link else 0.0

    async def receive(self) -> News:
        """The next news, a Bye last of all. Raises trio.EndOfChannel after it."""
        news = await self._news.receive()
        if isinstance(news, Show):
            self._offer = news.offer
        return news

    def act(self, act: Act) -> None:
        """Answers the offer of the Show received last; a Show or a No comes back in any case."""
        self._serial += 1
        do = Do(self._offer, self._serial, act.name, act.picks)
        self._unanswered[do.serial] = do
        if self._link:
            self._link.send_nowait(do)

    def say(self, words: str) -> None:
        """Says something to all at the table; what a lost link takes along is not said again."""
        if self._link:
            self._link.send_nowait(Say(words))

    def leave(self) -> None:
        """Gives the seat up for good; the table's Bye is the answer."""
        self._leaving = True
        if self._keeper:
            self._keeper.give_up()
        if self._link:
            self._link.send_nowait(Leave())

    async def explain(self, why: Text) -> None:
        """Why the table cannot be heard, from somebody who knows better than this client."""
        self._reason = why
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            await self._tell.send(Lost(why))

    # ------------------------------------------------------------ the task

    async def keep(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Joins, which is `started`, and stays until the table's Bye.

        Raises NotReached or TurnedAway if the first join fails; later ones are tried for ever.
        """
        async with self._tell:
            try:
                bye = await self._stay_linked(task_status)
            except TurnedAway as turned_away:
                if not self._joined:
                    raise
                bye = Bye(turned_away.text)
            await self._tell.send(bye)

    async def _stay_linked(self, task_status: trio.TaskStatus[None]) -> Bye:
        """Joins again and again. Raises NotReached of the first time, and TurnedAway for good."""
        while True:
            try:
                call = await (self._find_again() if self._joined else self._ways.call(self.target))
                async with linked(call, "client") as link:
                    await self._join_over(link, call)
                    if not self._joined:
                        self._joined = True
                        task_status.started()
                    else:
                        self._reason = None
                        await self._tell.send(Back())
                    return await self._converse(link)
            except (WireError, NotReached, TurnedAway) as error:
                if not self._joined:
                    raise
                if isinstance(error, TurnedAway) and not error.again:
                    raise
                await self._lose(error.text)
            await trio.sleep(AGAIN)

    async def _lose(self, why: Text) -> None:
        """Says once that the table cannot be heard."""
        if self._link is not None:
            lost = Lost(self._reason or why, self._link.silence)
            self._link = None
            await self._tell.send(lost)

    async def _find_again(self) -> Call:
        """Dials where the table was and, if that fails or takes a while, where it is announced now.

        A table that has moved does not refuse at its old addresses: it is silent there. Raises
        NotReached.
        """
        calls: list[Call] = []
        failures: list[NotReached] = []
        tried = trio.Event()

        async def attempt() -> None:
            try:
                calls.append(await self._ways.call(self.target))
                nursery.cancel_scope.cancel()
            except NotReached as failure:
                failures.append(failure)
            tried.set()

        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(attempt)
                with trio.move_on_after(HEAD_START):
                    await tried.wait()
                if listing := await self._ways.search(self.target.table, SEARCH):
                    self._learn(listing.addresses, listing.port)
                    await attempt()
            found = calls.pop(0) if calls else None
        finally:
            for call in calls:
                await trio.aclose_forcefully(call)
        if found is None:
            raise failures[-1]
        return found

    def _learn(self, addresses: tuple[str, ...], port: int) -> None:
        """Addresses to try from now on, beside those that led here before on the same port."""
        known = self.target.addresses if port == self.target.port else ()
        both = tuple(dict.fromkeys(known + addresses))
        self.target = replace(self.target, addresses=both[:ADDRESSES], port=port)

    async def _join_over(self, link: Link, call: Call) -> None:
        """Takes a seat, or the one it had. Raises TurnedAway, and what `receive` raises."""
        hello = await _answer(link, Hello)
        if self._keeper and not self._join.token:
            self._know(self._keeper.token(hello.table))
        link.send_nowait(Hello(PROTOCOL, f"crisp-lan {__version__}"[:32]))
        link.send_nowait(self._join)
        welcome = await self._let_in(link, hello.table, call.fingerprint)
        self.hello, self.welcome = hello, welcome
        self._know(welcome.token)
        self.target = replace(self.target, table=hello.table, fingerprint=call.fingerprint)
        if welcome.port == self.target.port:
            self._learn(welcome.addresses, welcome.port)
        if self._keeper and welcome.token and not self._leaving:
            led = dict.fromkeys((*call.peer, *self.target.addresses))
            self._keeper.keep(
                hello.table, welcome.token, list(led), self.target.port, call.fingerprint
            )

    async def _let_in(self, link: Link, table: str, fingerprint: str) -> Welcome:
        """The welcome, once the passcode is shown to be known, if one is asked for. Who gave one
        expects to be asked. Raises TurnedAway."""
        answer = await _answer(link, Welcome, Ask)
        if isinstance(answer, Ask):
            await self._prove(link, table, fingerprint)
            answer = await _answer(link, Welcome)
        elif self._passcode and not self._join.token:
            raise TurnedAway(Bye(NOT_ASKED))
        assert isinstance(answer, Welcome)
        return answer

    async def _prove(self, link: Link, table: str, fingerprint: str) -> None:
        """Both sides show that they know the passcode. Raises TurnedAway."""
        if not self._passcode:
            raise PasscodeWanted(Bye(ASKED))
        joiner = await aside(Joiner, self._passcode, table, fingerprint)
        link.send_nowait(Half(joiner.message))
        half = await _answer(link, Half)
        proof = await aside(joiner.proof, half.half)
        if proof is None:
            raise TurnedAway(Bye(UNPROVEN))
        link.send_nowait(Proof(proof))
        try:
            answer = await _answer(link, Proof)
        except TurnedAway as away:
            raise (PasscodeWanted if away.text == WRONG else TurnedAway)(Bye(away.text)) from None
        if not joiner.believes(answer.proof):
            raise TurnedAway(Bye(UNPROVEN))

    def _know(self, token: str) -> None:
        own = self._join
        self._join = Join(own.name, token, own.key, own.level, own.watch)

    async def _converse(self, link: Link) -> Bye:
        """Passes on what the table says until its Bye. Raises TurnedAway if it may come back."""
        self._link = link
        for do in self._unanswered.values():
            link.send_nowait(do)
        if self._leaving:
            link.send_nowait(Leave())
        while True:
            message = await _heard(link)
            if isinstance(message, Bye):
                if message.again:
                    raise TurnedAway(message)
                if self._keeper:
                    self._keeper.give_up()
                return message
            if isinstance(message, Show | No):
                self._settle(message)
                await self._tell.send(message)
            elif isinstance(message, Shuffle):
                self._commit(link, message)
            elif isinstance(message, Commits):
                await self._open(link, message)
            elif isinstance(message, Opened):
                await self._tell.send(message)

    def _commit(self, link: Link, shuffle: Shuffle) -> None:
        """Takes part in a deck, where this client is asked to."""
        self._share = Share(self.hello.table, shuffle)
        if commit := self._share.commit:
            link.send_nowait(commit)

    async def _open(self, link: Link, commits: Commits) -> None:
        """Opens this client's part, and tells what was committed to before it was."""
        sealed = self._share.seal(commits) if self._share else None
        if sealed is not None:
            if sealed.secret:
                link.send_nowait(Open(sealed.deal, sealed.secret))
            await self._tell.send(sealed)

    def _settle(self, answer: Show | No) -> None:
        """Strikes out the acts that are answered."""
        if isinstance(answer, No):
            self._unanswered.pop(answer.serial, None)
        else:
            self._serial = max(self._serial, answer.done)
            for serial in [s for s in self._unanswered if s <= answer.done]:
                del self._unanswered[serial]


async def _heard(link: Link) -> AnyMessage:
    """The next message. Raises LinkLost if the other side is quiet for too long."""
    while (patience := QUIET - link.silence) > 0:
        with trio.move_on_after(patience):
            return await link.receive()
    raise LinkLost(SILENT)


async def _answer(link: Link, *wanted: type[M]) -> M:
    """The message that must come now. Raises TurnedAway if it is a Bye."""
    with trio.move_on_after(ANSWER):
        message = await link.receive()
        if isinstance(message, Bye):
            raise TurnedAway(message)
        assert isinstance(message, wanted), "the protocol lets nothing else through"
        return message
    raise LinkLost(NO_ANSWER)


@asynccontextmanager
async def at_table(
    target: Target,
    join: Join,
    ways: Ways,
    keeper: Keeper | None = None,
    passcode: str = "",
) -> AsyncIterator[Client]:
    """A client that has joined, kept linked while the block runs; its seat kept by `keeper`.

    Raises NotReached, LinkLost, RemoteProtocolError or TurnedAway if it cannot join.
    """
    client = Client(target, join, ways, keeper, passcode)
    failed: Exception | None = None
    async with trio.open_nursery() as nursery:
        try:
            await nursery.start(client.keep)
            yield client
        except Exception as error:
            failed = error
        finally:
            nursery.cancel_scope.cancel()
    if failed is not None:
        raise failed
