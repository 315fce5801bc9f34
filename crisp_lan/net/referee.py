"""The one task that owns the table. Whatever happens there, happens here, one thing at a time.

Connections stamp what they hear and await the bounded inbox; the referee awaits only that inbox and
the next deadline, never a client. Before a message stamped t, every deadline due at or before t
fires, in order; when a deadline comes up, messages already waiting go first, for they are older.

An act passes the guards in a fixed order: its seat comes from the connection's token; a serial that
was taken before is ignored, and one far too high refused; then the rules judge it; then it must
answer an offer that still stands. An offer is a choice, not the whole list: what others do never
spoils an act in flight, and a key pressed twice still acts once. What the rules say goes before
"too late", because they can say by how much.

A step is written to the journal first, then it is the table, then everybody is told. While the disk
has no room for it, the table stands still and says so: acts are refused, and whoever comes and goes
is written down when there is room again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

import trio

from crisp_lan.crashes import scene
from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game.rules import (
    Act,
    By,
    Line,
    Millis,
    Note,
    Refused,
    Seat,
    Text,
)
from crisp_lan.game.state import LEVELS, Table, TableStep
from crisp_lan.game.views import DISK_FULL
from crisp_lan.keeping import Kept
from crisp_lan.net.clocks import SECOND, MatchClock, Micros, instant
from crisp_lan.net.fair_deal import FairDeal
from crisp_lan.net.gathering import Gathering
from crisp_lan.net.ledger import Ledger, NoRoom, Written, journalled
from crisp_lan.net.lifetime import Lifetime
from crisp_lan.net.members import Holder, Holders, Member, Members, new_holder
from crisp_lan.net.messages import Bye, Commit, Do, Join, Leave, No, Open, Say, Welcome
from crisp_lan.net.showing import Showing
from crisp_lan.net.standstill import Standstill
from crisp_lan.net.talk import said
from crisp_lan.text import safe_name

INBOX = 256
BEAT: Micros = SECOND
SUSPENDED: Micros = 3 * SECOND
"""Between two looks at the clock, at most BEAT apart, so long only if the machine stood still."""

SERIALS = 2**20
"""How far a serial may be above the last one taken: the highest would be the seat's last."""
OFFERS = 2**20
"""More than a chair is ever offered by one process of a table."""

SERIAL_TOO_HIGH = Text("Your program numbers its acts wrongly. Close it, and join again.")
WATCHING = Text("You are watching.")
TOO_MANY_WORDS = Text("You say a lot at once. Wait a moment.")
NOT_OPENED = "{seat} has not opened a part of the deck: the cards are shuffled again without it."
STALE = Text("That came too late: it is no longer on offer.")

log = logging.getLogger(__name__)


def _note(text: Text) -> Note:
    return Note(text.key, text.values)


@dataclass(frozen=True, slots=True)
class House:
    """What holds for a table beside its game.

    `key`: the secret of the table's own screen. `first_is_host`: without it, the first person
    seated holds the host's rights. `table`: its id.
    """

    addresses: tuple[str, ...] = ()
    port: int = 0
    key: str = ""
    first_is_host: bool = False
    table: str = ""
    name: str = ""
    passcode: str = ""

    def welcome(self, token: str) -> Welcome:
        """What who joins is told."""
        return Welcome(token, self.addresses, self.port, self.name, self.passcode)


Heard: TypeAlias = Join | Do | Say | Leave | Commit | Open | None
"""What a connection passes on; None: it is gone."""


@dataclass(frozen=True, slots=True)
class _Newcomer:
    """Who sits down by a step, and the token of the new chair."""

    member: Member
    holder: Holder
    token: str


class Referee:
    """The owner of a table: hears clients, judges, writes down and shows."""

    def __init__(
        self,
        table: Table,
        journal: Written,
        lots: Callable[[Table], Random] | None,
        house: House,
        want_bot: Callable[[str, str], None],
        changed: Callable[[Table], None] = lambda table: None,
    ) -> None:
        """`lots(table)` are for its next deal; without them, all make each deck together.
        `want_bot(level, key)` sends for a bot that joins with that key; `changed` is told of every
        new table."""
        self.table = table
        self.members = Members()
        self._lots = lots
        self._house = house
        self._want_bot = want_bot
        self._changed = changed
        self._in, self._out = trio.open_memory_channel[tuple[Micros, Member, Heard]](INBOX)
        self._clock = MatchClock()
        self._wake_at = matches.wake_at(table)
        self._holders = Holders(house.key)
        self._gathering: Gathering | None = None
        self._showing = Showing(self._greeting)
        self._news: tuple[Note, ...] = ()
        self._why: Text | None = None
        self._looked = instant()
        self._lifetime = Lifetime(self._looked)
        self._standstill = Standstill(self._looked)
        self._fair_deal = FairDeal(house.table)
        self._ledger = Ledger(journal)
        self._opened_at = self._counted_at = self._looked

    # ------------------------------------------------------------ what connections call

    async def hear(self, member: Member, message: Heard) -> None:
        """Stamps a message and waits until the inbox takes it."""
        heard = (instant(), member, message)
        try:
            self._in.send_nowait(heard)
        except trio.WouldBlock:
            await self._in.send(heard)

    def holder(self, token: str) -> Holder | None:
        """Whose chair a token gives back, if any."""
        return self._holders.by_token(token)

    def is_own(self, key: str) -> bool:
        """Whether a key is the table's screen's or one of its bots'."""
        return self._holders.is_host_key(key) or self._holders.bot_key(key) is not None

    def send_for_bot(self, level: str, chair: int | None = None) -> None:
        """Sends for a bot of the table, to sit down or to play a chair that stands already."""
        self._want_bot(level, self._holders.new_bot_key(chair))

    def replace_bots(self) -> None:
        """Sends for new bots where the table's own were, since what played them has failed."""
        played = self.members.chairs
        for chair in self.table.chairs:
            own = chair.by == "bot" and (chair.hosted or chair.stand_in)
            if own and chair.id not in played:
                self.send_for_bot(chair.stand_in or chair.level, chair.id)

    def restore(self, kept: Kept) -> None:
        """Takes the table up where its journal has left it, and waits for who was there."""
        self._clock = MatchClock(self.table.match, kept.now)
        self._holders.add_host_keys(kept.keys)
        standing = [chair for chair in self.table.chairs if chair.by != "left"]
        for chair in standing:
            self._showing.offer_to(chair.id, (kept.times + 1) * OFFERS, goes_on=chair.present)
            if not chair.hosted:
                token, done = kept.tokens.get(chair.id, b""), kept.done.get(chair.id, 0)
                by: By = "bot" if chair.level else "person"
                self._holders.add(Holder(token, chair.id, by, done=done))
        here = [c for c in standing if c.present and not (c.hosted or c.stand_in)]
        self._gathering = Gathering(chair.id for chair in here) if here else None
        self._fair_deal.number_above((kept.times + 1) * OFFERS)
        self._ledger.take_up((*kept.record, *kept.due))
        if self.table.phase in ("reveal", "lobby"):
            self._ledger.open_up()
        with suppress(NoRoom):
            self._stand_still(kept.now, instant())
        self.replace_bots()

    def _stand_still(self, now: Millis, when: Micros) -> None:
        """What was due when the last line was written comes about; then a match waits."""
        while (due := matches.wake_at(self.table)) is not None and due <= now:
            self._take(matches.wake(self.table), when)
        if self._gathering and self.table.phase != "lobby" and not self.table.paused:
            self._take(matches.pause_again(self.table, now), when)

    def close(self) -> None:
        """Writes down that the table does not go on."""
        self._ledger.write(tables.close(self.table).lines)

    def tell_host(self, *news: Text) -> None:
        """Has whoever holds the host's rights know this of the table, now or when they come."""
        self._news = tuple(_note(text) for text in news)
        for member in self.members:
            if news and self._is_host(member):
                self._tell_one(member, self._news)

    def dismiss_all(self, why: Bye) -> None:
        """Says goodbye to everybody."""
        for member in self.members:
            self.members.dismiss(member, why)

    # ------------------------------------------------------------ the task

    async def run(self) -> Text:
        """Runs the table to its end; returns why it ended. Raises OSError of the journal."""
        while self._why is None:
            heard = await self._next()
            self._notice_gap()
            if heard is None:
                self._catch_up(instant())
            else:
                self._receive(*heard)
            self._look_round(instant())
        return self._why

    async def _next(self) -> tuple[Micros, Member, Heard] | None:
        """What was heard next; None when the alarm came first, and nothing older waits."""
        with suppress(trio.WouldBlock):
            return self._out.receive_nowait()
        alarms = (self._due(), self._answers_end, self._count_at, self._looked + BEAT)
        alarm = min(at for at in alarms if at is not None)
        with trio.move_on_at(alarm / SECOND):
            return await self._out.receive()
        with suppress(trio.WouldBlock):
            return self._out.receive_nowait()
        return None

    def _notice_gap(self) -> None:
        """A machine that was suspended, or a process that was stopped, costs nobody time."""
        now = instant()
        if now - self._looked > SUSPENDED:
            lost = now - self._looked - BEAT
            log.warning("stood still for %.1f s; the clocks wait as long", lost / SECOND)
            self._clock.give_back(lost, self._looked)
            self._fair_deal.give_back(lost)
        self._looked = now

    def _due(self) -> Micros | None:
        return None if self._wake_at is None else self._clock.instant_of(self._wake_at)

    def _catch_up(self, until: Micros) -> None:
        """Fires what is due, in order."""
        with suppress(NoRoom):
            while (due := self._due()) is not None and due <= until:
                self._take(matches.wake(self.table), due)

    def _look_round(self, now: Micros) -> None:
        """Whether the table can go on, and has anything to stay open for."""
        if self._standstill.lasts:
            if self._standstill.tries(now):
                self._go_on(now)
        elif self._gathering is not None and self._gathering.is_over(self.table, now):
            self._gathered(self._gathering, now)
        if self._lots is None:
            self._see_to_the_deck(now)
            if now - self._opened_at >= BEAT:
                self._open_record(now)
        if self._count_at is not None and now >= self._count_at:
            self._counted_at, self._showing.watchers = now, self._watchers
            self._tell((), None)
        alone = all(member.is_own_bot for member in self.members)
        self._why = self._lifetime.end(self.table, alone, now)

    @property
    def _watchers(self) -> tuple[str, ...]:
        return tuple(member.name for member in self.members.watchers)

    @property
    def _count_at(self) -> Micros | None:
        """When all are told who looks on, if that has changed. However many come and go, it is
        not sooner than this; and not later, or it would tell when others did something in vain."""
        changed = self._watchers != self._showing.watchers
        return self._counted_at + BEAT if changed else None

    def _gathered(self, gathering: Gathering, now: Micros) -> None:
        """Goes on with those who are back; the others are away from now on."""
        self._gathering = None
        with suppress(NoRoom):
            if self.table.paused == "again":
                self._take(matches.resume(self.table, self._clock.at(now), "host"), now)
        for holder in [one for one in self._holders if one.chair in gathering.missing]:
            self._play(holder, "nobody", "", now)

    # ------------------------------------------------------------ one message

    def _receive(self, when: Micros, member: Member, message: Heard) -> None:
        """One message, whose faults are its sender's alone, as long as nothing has come of it."""
        self._catch_up(when)
        before = self.table
        try:
            if isinstance(message, Join):
                self._join(member, message, when)
            elif member in self.members:
                self._hear_member(member, message, when)
        except OSError:
            raise
        except Exception as error:
            if self.table is not before:
                raise
            log.error("dropped a member over %s", scene(error))
            if member in self.members:
                self._gone(member, when)
            member.outlet.post(Bye(Text("Something went wrong at the table."), again=True))

    def _hear_member(
        self, member: Member, message: Do | Say | Leave | Commit | Open | None, when: Micros
    ) -> None:
        if isinstance(message, Do):
            self._do(member, message, when)
        elif isinstance(message, Say):
            self._say(member, message)
        elif isinstance(message, Commit | Open):
            self._fair_deal.hear(member, message)
        elif message is None:
            self._gone(member, when)
        else:
            self._leave(member, when)

    def _do(self, member: Member, do: Do, when: Micros) -> None:
        holder = member.holder
        if holder is None:
            member.outlet.post(No(do.serial, WATCHING))
            return
        if do.serial <= holder.done:
            return
        if do.serial > holder.done + SERIALS:
            member.outlet.post(No(do.serial, SERIAL_TOO_HIGH))
            return
        if self._standstill.lasts and do.act != "end":
            member.outlet.post(No(do.serial, DISK_FULL))
            return
        try:
            now, seat = self._clock.at(when), self._seat(holder)
            act = Act(do.act, do.picks)
            step = tables.apply(self.table, now, seat, act)
            if not self._showing.stands(holder.chair, act, do.offer):
                raise Refused(STALE.key)
        except Refused as refused:
            member.outlet.post(No(do.serial, refused.text))
            if refused.told is not None and holder.rulings.lets_through():
                self._tell((refused.told,), None)
            return
        try:
            self._take(step, when, acted=(holder, do.serial))
        except NoRoom:
            member.outlet.post(No(do.serial, DISK_FULL))

    def _say(self, member: Member, say: Say) -> None:
        """What somebody at the table says is told to all, and kept nowhere."""
        if member.holder is None:
            member.outlet.post(No(0, WATCHING))
        elif not member.holder.words.lets_through():
            member.outlet.post(No(0, TOO_MANY_WORDS))
        elif (note := said(self._seat(member.holder), say.words)) is not None:
            self._tell((note,), None)

    def _leave(self, member: Member, when: Micros) -> None:
        holder = member.holder
        self.members.dismiss(member, Bye(Text("You have left the table.")))
        if holder is not None:
            self._play(holder, "left", "", when)

    def _gone(self, member: Member, when: Micros) -> None:
        """A lost connection. The table's own bots come back by themselves."""
        self.members.remove(member)
        if member.holder is not None and not member.is_own_bot:
            self._play(member.holder, "nobody", "", when)

    # ------------------------------------------------------------ joining

    def _join(self, member: Member, join: Join, when: Micros) -> None:
        holder = self.holder(join.token)
        if holder is not None:
            self._come_back(member, holder, join.token, when)
        elif join.watch:
            self.members.make_way(member.address)
            member.name = safe_name(join.name, "Player")
            self._welcome(member, "")
            self._tell_one(member)
        else:
            self._sit(member, join, when)

    def _come_back(self, member: Member, holder: Holder, token: str, when: Micros) -> None:
        elsewhere = Bye(Text("This seat is played from another window now."))
        for other in self.members:
            if other.chair == holder.chair:
                self.members.dismiss(other, elsewhere)
        member.holder = holder
        self._welcome(member, token)
        self._count_back(holder)
        if not self._play(holder, holder.by, holder.level, when):
            self._tell_one(member)

    def _sit(self, member: Member, join: Join, when: Micros) -> None:
        """A newcomer sits down, or an own bot takes over the chair it was sent for."""
        key = self._holders.bot_key(join.key)
        try:
            self._check(join, key)
            if key is None or (chair := self._holders.use_bot_key(key)) is None:
                self._sit_down(member, join, when, own=key is not None)
            elif self._lacks_player(chair):
                holder, token = new_holder(chair, "bot", own=True, level=join.level)
                self._holders.add(holder)
                self._come_back(member, holder, token, when)
            else:
                raise Refused("That seat needs no bot any more.")
        except Refused as refused:
            member.outlet.post(Bye(refused.text))
        except NoRoom:
            member.outlet.post(Bye(DISK_FULL, again=True))

    def _check(self, join: Join, bot_key: bytes | None) -> None:
        if join.key and bot_key is None and not self._holders.is_host_key(join.key):
            raise Refused("That key is not from this table.")
        if join.level and join.level not in LEVELS:
            raise Refused("A bot plays easy, normal or hard.")

    def _sit_down(self, member: Member, join: Join, when: Micros, own: bool) -> None:
        by: By = "bot" if join.level else "person"
        first = self._house.first_is_host and self.table.host is None and not join.level
        step = tables.sit(
            self.table,
            self._clock.at(when),
            safe_name(join.name, "Player"),
            by,
            level=join.level,
            hosted=own,
            host=first or self._holders.is_host_key(join.key),
        )
        if self._standstill.lasts:
            raise NoRoom
        holder, token = new_holder(step.table.next_id - 1, by, own=own)
        self._take(step, when, newcomer=_Newcomer(member, holder, token))

    def _seat_newcomer(self, newcomer: _Newcomer) -> None:
        newcomer.member.holder = newcomer.holder
        self._holders.add(newcomer.holder)
        self._showing.offer_to(newcomer.holder.chair)
        self._welcome(newcomer.member, newcomer.token)
        self._count_back(newcomer.holder)

    def _count_back(self, holder: Holder) -> None:
        if self._gathering is not None and not holder.own:
            self._gathering.back(holder.chair, instant())

    def _welcome(self, member: Member, token: str) -> None:
        self.members.add(member)
        member.outlet.post(self._house.welcome(token))

    def _play(self, holder: Holder, by: By, level: str, when: Micros) -> bool:
        """Somebody else plays that chair, or nobody; returns whether all were told. What cannot be
        written down now comes about when it can."""
        if not self._standstill.lasts:
            now, seat = self._clock.at(when), self._seat(holder)
            step = tables.presence(self.table, now, seat, by, level)
            if step.table is self.table:
                return False
            with suppress(NoRoom):
                self._take(step, when)
                return True
        self._standstill.come(holder.chair, by, level)
        return False

    # ------------------------------------------------------------ one step

    def _take(
        self,
        step: TableStep,
        when: Micros,
        acted: tuple[Holder, int] | None = None,
        newcomer: _Newcomer | None = None,
    ) -> None:
        """Writes a step down, makes it the table, and shows it; a new round is dealt at once.

        `acted`: whose act it is, and its serial. Raises NoRoom, and nothing has happened.
        """
        phase = self.table.phase
        self._write(step, when, newcomer.holder if newcomer else None, acted)
        if acted:
            acted[0].done = acted[1]
        if newcomer:
            self._seat_newcomer(newcomer)
        self._become(step, when)
        if step.bot:
            self.send_for_bot(step.bot, step.chair)
        notes = step.notes + self._dealt(when)
        self._tell(notes, acted[0].chair if acted else None)
        self._wake_at = matches.wake_at(self.table)
        if self.table.phase != phase and self.table.phase in ("reveal", "lobby"):
            self._ledger.open_up()
            self._open_record(when)
        self._changed(self.table)

    def _become(self, step: TableStep, when: Micros) -> None:
        """What is written down is the table."""
        self._standstill.end()
        self._let_lapse(step.lines)
        chairs, self.table = self.table.chairs, step.table
        self._clock.follow(step.table, when)
        if self.table.chairs is not chairs:
            self._see_out_the_gone()

    def _dealt(self, when: Micros) -> tuple[Note, ...]:
        """Deals if a round waits for it, and lots are given; what there is to tell of that."""
        if self._lots is None or not matches.wants_deck(self.table):
            return ()
        cards = list(matches.deck(self.table))
        lots = self._lots(self.table)
        lot = lots.getrandbits(64)
        lots.shuffle(cards)
        step = matches.deal(self.table, self._clock.at(when), cards, lot)
        with suppress(NoRoom):
            self._write(step, when)
            self._become(step, when)
            return step.notes
        return ()

    def _write(
        self,
        step: TableStep,
        when: Micros,
        newcomer: Holder | None = None,
        acted: tuple[Holder, int] | None = None,
    ) -> None:
        """Raises NoRoom, and the table stands still; only for its end it needs none."""
        try:
            self._ledger.write(journalled(step.lines, newcomer, acted))
        except NoRoom:
            if not step.table.over:
                self._hold(when)
                raise

    # ------------------------------------------------------------ a deck that all make together

    def _see_to_the_deck(self, now: Micros) -> None:
        """Goes on with the deck that a round waits for. In a pause, what was made of it is kept."""
        if self.table.phase != "shuffle":
            self._fair_deal.drop()
        elif matches.wants_deck(self.table):
            while failed := self._fair_deal.go_on(self.members, self._players_here(), now):
                self._tell(tuple(Note(NOT_OPENED, {"seat": s}) for s in sorted(failed)), None)
                self._fair_deal.begin_again(self.members, failed, now)
            if (step := self._fair_deal.dealt(self.table, self._clock.at(now))) is not None:
                with suppress(NoRoom):
                    self._take(step, now)

    @property
    def _answers_end(self) -> Micros | None:
        """When nobody is waited for any longer with a deck that is being made."""
        return self._fair_deal.until if matches.wants_deck(self.table) else None

    def _players_here(self) -> dict[Seat, Member]:
        seated = {self._seat(m.holder): m for m in self.members if m.holder is not None}
        return {seat: m for seat, m in seated.items() if self.table.chairs[seat].playing}

    def _open_record(self, now: Micros) -> None:
        """After a round everybody is told what was written down of it, a piece at a time."""
        self._opened_at = now
        for member in self.members if self._lots is None else ():
            if (opened := self._ledger.piece(member)) is not None:
                member.outlet.post(opened)

    # ------------------------------------------------------------ a full disk

    def _hold(self, when: Micros) -> None:
        """The table stands still from `when` on, and says why."""
        if self._standstill.lasts:
            return
        log.warning("there is no room for the journal: the table waits")
        self.table = self._standstill.begin(self.table)
        self._clock.follow(self.table, when)
        self._wake_at = matches.wake_at(self.table)
        self._tell((_note(DISK_FULL),), None)

    def _go_on(self, now: Micros) -> None:
        """Goes on from where the table was held, if there is room again: for the deal as well that
        found none, or the table would be held again with every attempt."""
        step = self._standstill.step(self._clock.at(now))
        if (dealt := self._fair_deal.dealt(step.table, self._clock.at(now))) is not None:
            step = step.then(dealt)
        with suppress(NoRoom):
            self._take(step, now)

    # ------------------------------------------------------------ who has lost their chair

    def _let_lapse(self, lines: Iterable[Line]) -> None:
        """Ends the offers of who is away when their clock has run out, or cards are dealt anew.

        They are shown nothing meanwhile, and an act lost on its way must not answer a later offer.
        """
        here = self.members.chairs
        for line in lines:
            if line["kind"] == "deal":
                self._showing.lapse(self._showing.offered_to - here)
            elif line["kind"] == "timeout":
                self._showing.lapse({self.table.chairs[line["seat"]].id} - here)

    def _see_out_the_gone(self) -> None:
        """Whoever has lost their chair, by their own wish or the host's, is not a member now."""
        standing = {chair.id: chair.by for chair in self.table.chairs if chair.by != "left"}
        self._holders.keep(standing)
        self._showing.offer_only(standing)
        for member in self.members:
            if member.holder is not None and member.holder not in self._holders:
                self.members.dismiss(member, Bye(Text("The host has taken you from the table.")))

    # ------------------------------------------------------------ showing

    def _tell(self, notes: tuple[Note, ...], actor: int | None) -> None:
        """Shows everybody what has changed; `actor` is the chair by whose act."""
        now = self._clock.at(instant())
        self._showing.show_all(self.members, self.table, now, notes, actor)

    def _tell_one(self, member: Member, notes: tuple[Note, ...] = ()) -> None:
        self._showing.show_one(member, self.table, self._clock.at(instant()), notes)

    def _greeting(self, member: Member) -> tuple[Note, ...]:
        """What somebody is told with the first view of the table."""
        news = self._news if self._is_host(member) else ()
        return news + ((_note(DISK_FULL),) if self._standstill.lasts else ())

    # ------------------------------------------------------------ who is who

    def _lacks_player(self, chair: int) -> bool:
        """Whether a bot may play this chair: it stands, and nobody else plays it; for somebody
        away only in a match."""
        return chair not in self.members.chairs and any(
            c.id == chair and (c.by == "bot" or (c.by == "nobody" and c.playing))
            for c in self.table.chairs
        )

    def _is_host(self, member: Member) -> bool:
        return member.holder is not None and member.holder.chair == self.table.host

    def _seat(self, holder: Holder) -> Seat:
        return next(s for s, c in enumerate(self.table.chairs) if c.id == holder.chair)
