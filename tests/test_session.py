"""An evening at a table that is a fake: what is typed, what is said, and how it ends."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from crisp_lan.fair import Verdict
from crisp_lan.game.rules import Act, Clock, Text
from crisp_lan.lots import Sealed
from crisp_lan.net.client import SILENT, Back, Lost, News
from crisp_lan.net.messages import Bye, No, Opened, Show
from crisp_lan.session import GOODBYE, Ending, Session
from crisp_lan.tui.model import Screen
from tests.fake_table import DRAW, END, FAREWELL, Table, show


class Sitter:
    """What a player sees, and types."""

    def __init__(self) -> None:
        self.screen = Screen()
        self.pictures = 0
        self.types, self.keys = trio.open_memory_channel[str](100)

    def show(self, screen: Screen) -> None:
        self.screen = screen

    def redraw(self) -> None:
        self.pictures += 1

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.types.send(key)
        await trio.testing.wait_all_tasks_blocked()


async def evening(
    script: Callable[[Table, Sitter], Awaitable[None]], *, stays: bool = True
) -> tuple[Table, Sitter, Ending]:
    """Plays the script against a session, and waits for the session's end."""
    table, player = Table(), Sitter()
    session = Session(Screen(), player, player.keys, stays=stays, now=trio.current_time)
    endings: list[Ending] = []

    async def run() -> None:
        endings.append(await session.run(table.joined))

    with trio.fail_after(1000):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            await trio.testing.wait_all_tasks_blocked()
            await script(table, player)
    return table, player, endings[0]


async def says(table: Table, *news: News) -> None:
    for item in news:
        await table.says.send(item)
    await trio.testing.wait_all_tasks_blocked()


async def test_what_the_table_says_is_shown(autojump_clock: trio.testing.MockClock) -> None:
    async def script(table: Table, player: Sitter) -> None:
        assert player.screen.table_name == "Ayu's table"
        assert player.screen.addresses == ("192.0.2.7",)
        await says(table, show(DRAW))
        assert [p.name for p in player.screen.players] == ["Ayu", "Budi"]
        await says(table, No(1, Text("Not now.")))
        assert player.screen.word == "Not now."
        await player.press("q", "1")

    await evening(script)


async def test_what_is_typed_after_the_talk_key_is_said(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show(DRAW))
        await player.press("a", "H", "i", "enter", "a", "1")
        assert table.said == ["Hi", "Good call!"]
        assert table.acts == []
        await player.press("q", "1")

    await evening(script)


async def test_key_of_a_choice_is_an_act(autojump_clock: trio.testing.MockClock) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show(DRAW))
        await player.press("d", "d", "x")
        await player.press("q", "1")

    table, _, _ = await evening(script)
    assert table.acts == [Act("draw")]


async def test_quitting_keeps_the_seat_and_closes_in_good_order(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show())
        await player.press("q", "1")

    table, _, ending = await evening(script)
    assert table.closed
    assert not table.left
    assert ending.code == 0
    assert ending == Ending(0, "", kept=True)


async def test_giving_the_seat_up_waits_for_the_tables_answer(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show())
        await player.press("q", "2")
        assert table.left
        assert not table.closed
        await says(table, Bye(Text("Goodbye.")))

    table, _, ending = await evening(script)
    assert table.closed
    assert ending == Ending(0, "You have given up your seat.")


async def test_a_table_that_does_not_answer_a_goodbye_is_left_all_the_same(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show(END))
        await player.press("q", "1")
        assert table.acts == [Act("end")]
        before = trio.current_time()
        await trio.sleep(GOODBYE - 0.1)
        assert not table.closed
        await trio.sleep(1)
        assert table.closed
        assert trio.current_time() - before < GOODBYE + 1

    _, _, ending = await evening(script)
    assert ending == Ending(1, "The table did not answer: it may be open still.")


async def test_last_picture_stays_until_the_player_quits(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show(), Bye(Text(FAREWELL)))
        await trio.sleep(60)
        assert player.screen.farewell == FAREWELL
        assert table.closed
        await player.press("q")

    assert (await evening(script))[2] == Ending(0, FAREWELL)


async def test_where_nothing_stays_the_tables_end_is_the_end_and_its_goodbye_is_told_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show(), Bye(Text(FAREWELL)))
        assert player.screen.farewell == FAREWELL

    assert (await evening(script, stays=False))[2] == Ending(0, "")


async def test_who_ends_the_table_is_told_nothing_more_of_it(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show(END))
        await player.press("q", "1")
        last = player.screen
        await says(table, show(DRAW), Bye(Text(FAREWELL)))
        assert player.screen is last

    assert (await evening(script, stays=False))[2] == Ending(0, "The table is closed.")


async def test_news_that_run_dry_are_an_end_too(autojump_clock: trio.testing.MockClock) -> None:
    async def script(table: Table, player: Sitter) -> None:
        table.says.close()

    _, player, ending = await evening(script, stays=False)
    assert (player.screen.farewell, ending) == ("The table is closed.", Ending(0, ""))


async def test_seconds_without_a_word_from_the_table_are_counted_until_it_is_back(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show(DRAW), Lost(SILENT, 4.0))
        assert player.screen.lost_at == trio.current_time() - 4.0
        pictures = player.pictures
        await trio.sleep(5.5)
        assert player.pictures - pictures == 5
        await player.press("d")
        await says(table, Back())
        assert player.screen.lost_at is None
        await player.press("q", "1")

    table, _, _ = await evening(script)
    assert table.acts == []


async def test_what_the_table_said_last_is_told_while_it_is_away(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show(), Lost(Text(FAREWELL)))
        assert player.screen.farewell == FAREWELL
        await says(table, Back())
        assert player.screen.farewell == ""
        await says(table, Lost(SILENT))
        assert player.screen.farewell == ""
        await player.press("q")

    await evening(script)


@pytest.mark.parametrize(
    ("clock", "pictures"),
    [
        (Clock("draw", 0, 30_000, 30_000), range(9, 12)),
        (Clock("crisp window", 0, 3_000, 3_000, loud=True), range(5, 8)),
        (None, range(1)),
    ],
)
async def test_pictures_come_as_often_as_what_counts_down_needs(
    clock: Clock | None, pictures: range, autojump_clock: trio.testing.MockClock
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show(DRAW, clocks=(clock,) if clock else ()))
        await trio.sleep(10)
        assert player.pictures in pictures
        await player.press("q", "1")

    await evening(script)


async def test_quitting_is_possible_while_the_table_is_still_being_looked_for(
    autojump_clock: trio.testing.MockClock,
) -> None:
    player = Sitter()
    session = Session(Screen(), player, player.keys, stays=True)

    @asynccontextmanager
    async def never() -> AsyncIterator[Table]:
        await trio.sleep_forever()
        yield Table()

    await player.types.send("q")
    assert await session.run(never) == Ending(0, "")


async def test_a_table_that_cannot_be_joined_is_an_error(
    autojump_clock: trio.testing.MockClock,
) -> None:
    player = Sitter()
    session = Session(Screen(), player, player.keys, stays=True)

    @asynccontextmanager
    async def refused() -> AsyncIterator[Table]:
        raise OSError
        yield Table()

    with pytest.raises(BaseExceptionGroup) as raised:
        await session.run(refused)
    assert raised.group_contains(OSError)


@pytest.mark.parametrize(
    ("fits", "told"),
    [
        (True, "Deal checked."),
        (False, "The deal is not right: the deck is not the one that all have made together."),
    ],
)
async def test_when_a_round_is_opened_its_deal_is_checked_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, fits: bool, told: str
) -> None:
    drawn = Sealed("id", 1, {"host": "0" * 64}, 0, "1" * 64)
    opened = Opened(0, ("{}",), more=False)
    asked: list[object] = []

    class Heard:
        def seal(self, sealed: Sealed) -> None:
            asked.append(sealed)

        def see(self, show: Show) -> None:
            asked.append(show)

        def open(self, opened: Opened) -> Heard:
            asked.append(opened)
            return self

        def verdict(self) -> Verdict:
            assert threading.current_thread() is not threading.main_thread()
            return Verdict(Text(told), fits)

    monkeypatch.setattr("crisp_lan.session.Witness", Heard)

    async def script(table: Table, player: Sitter) -> None:
        shown = show(DRAW)
        await says(table, drawn, shown, opened)
        with trio.fail_after(60):
            while player.screen.verdict is None:  # noqa: ASYNC110
                await trio.sleep(0.01)
        assert asked == [drawn, shown, opened]
        assert player.screen.log[-1].words == told
        assert player.screen.notice == ("" if fits else told)
        assert player.screen.alarm == (0 if fits else 1)
        await player.press("q", "1")

    await evening(script)


async def test_an_act_is_shown_with_its_answer_or_soon_if_that_is_late(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def script(table: Table, player: Sitter) -> None:
        await says(table, show(DRAW))
        before = player.screen
        await player.press("d")
        assert player.screen is before
        await trio.sleep(0.1)
        assert player.screen.sent is not None
        await says(table, show(done=1))
        assert player.screen.sent is None
        await player.press("q", "1")

    await evening(script)
