"""What is said at a table: to all, made harmless, not too much, and kept nowhere."""

from __future__ import annotations

from trio.testing import MockClock

from crisp_lan.net.members import WORDS
from crisp_lan.net.messages import PHRASES, No, Say, Show
from crisp_lan.net.talk import WIDEST
from tests.net.hall import Hall, Tapped, later, open_hall, playing, settled


def heard(client: Tapped) -> list[tuple[int, str]]:
    """Who has said what."""
    notes = [note for show in client.all(Show) for note in show.notes]
    said = [note for note in notes if note.key in ("{seat}: {words}", "{seat}: {phrase}")]
    assert all(note.to is None for note in said)
    return [
        (note.values["seat"], note.values.get("words") or note.values["phrase"]) for note in said
    ]


async def say(client: Tapped, *words: str) -> None:
    client.say(*(Say(each) for each in words))
    await settled()


async def three(hall: Hall) -> list[Tapped]:
    return [await hall.seat("Ayu"), await hall.seat("Budi"), await hall.seat("Eve", watch=True)]


async def test_what_is_said_is_heard_by_all_players_and_watchers(autojump_clock: MockClock) -> None:
    async with open_hall() as hall:
        everybody = await three(hall)
        await say(everybody[1], "Shall we begin?")
        assert [heard(one) for one in everybody] == [[(1, "Shall we begin?")]] * 3


async def test_a_phrase_is_told_so_that_each_reads_it_in_the_own_language(
    autojump_clock: MockClock,
) -> None:
    async with open_hall() as hall:
        ayu, budi, _eve = await three(hall)
        await say(ayu, *PHRASES[:3], "Good call")
        keys = [note.key for show in budi.all(Show) for note in show.notes][-4:]
        assert keys == ["{seat}: {phrase}"] * 3 + ["{seat}: {words}"]


async def test_a_watcher_says_nothing(autojump_clock: MockClock) -> None:
    async with open_hall() as hall:
        ayu, _budi, eve = await three(hall)
        await say(eve, "Budi has a king")
        assert heard(ayu) == []
        assert eve.last(No).why.key == "You are watching."


async def test_words_are_made_harmless_and_short(autojump_clock: MockClock) -> None:
    async with open_hall() as hall:
        ayu, budi, _eve = await three(hall)
        await say(ayu, "a\x1b]52;c;x\x07b\u202ec\nd", "\u200b \u2060", "牌" * WIDEST)
        [(_ayu, first), (_same, long)] = heard(budi)
        assert first == "a]52;c;xbc d"
        assert long == "牌" * ((WIDEST - 1) // 2) + "…"


async def test_who_says_too_much_is_told_so_and_heard_again_later(
    autojump_clock: MockClock,
) -> None:
    async with open_hall() as hall:
        ayu, budi, _eve = await three(hall)
        await say(ayu, *map(str, range(WORDS + 3)))
        assert len(heard(budi)) == WORDS
        assert [no.serial for no in ayu.all(No)] == [0] * 3
        await ayu.cut()
        ayu = await hall.seat("Ayu", token=ayu.token)
        await say(ayu, "and more")
        assert len(heard(budi)) == WORDS
        await later(2.1)
        await say(ayu, "again")
        assert heard(budi)[-1] == (0, "again")


async def test_words_spoil_no_act_and_are_written_down_nowhere(autojump_clock: MockClock) -> None:
    async with open_hall(2, by_itself=True) as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        if "draw" not in budi.offered:
            ayu, budi = budi, ayu
        offer, lines, state = budi.show.offer, len(hall.journal.all), hall.referee.table
        await say(ayu, "Thank you!", "my dear")
        assert budi.show.offer == offer
        assert hall.referee.table is state
        assert len(hall.journal.all) == lines
        late = await hall.seat("Cici")
        assert heard(late) == []
        assert await budi.does("draw", offer=offer) is None


async def test_in_a_pause_and_in_the_round_people_talk_as_ever(autojump_clock: MockClock) -> None:
    async with open_hall(2, by_itself=True) as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        await ayu.does("pause" if "pause" in ayu.offered else "ask")
        await say(budi, "One moment, please.")
        assert heard(ayu) == [(1, "One moment, please.")]


async def test_everybody_is_told_who_watches_but_not_more_than_once_a_second(
    autojump_clock: MockClock,
) -> None:
    async with open_hall() as hall:
        ayu = await hall.seat("Ayu")
        eves = [await hall.seat(name, watch=True) for name in ("Eve", "Wira", "\x1b[2J")]
        await later(2)
        assert ayu.show.watchers == eves[0].show.watchers == ("Eve", "Wira", "[2J")
        before = len(ayu.all(Show))
        for eve in eves[:2]:
            await eve.cut()
        for _ in range(10):
            await (await hall.seat("Eve", watch=True)).cut()
        await later(2)
        assert ayu.show.watchers == ("[2J",)
        assert len(ayu.all(Show)) <= before + 3
