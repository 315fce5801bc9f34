"""The table around a game: who sits, who may start, rounds and reveals, pauses and partings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.options import setting_of
from crisp_lan.game.rules import Act, Line, Note, Refused
from crisp_lan.game.state import Table, TableStep
from crisp_lan.tui.wording import worded
from tests.example_game import HIGHEST, Highest

DECK = HIGHEST.cards(2)


class Other(Highest):
    """The same game under another name, for two alone."""

    key = "other"
    title = "Other"
    seats: tuple[int, ...] = (2,)


class Sitting:
    """A table, the lines and notes it has given, and a few words to play on it."""

    def __init__(self, *names: str, size: int = 4, by_itself: bool = False, **options: int) -> None:
        self.table: Table = tables.opened(HIGHEST, options, size, starts_by_itself=by_itself)
        self.lines: list[Line] = []
        self.notes: list[Note] = []
        self.last: TableStep
        for name in names:
            self.sit(name)

    def take(self, step: TableStep) -> TableStep:
        self.table, self.last = step.table, step
        self.lines += step.lines
        self.notes += step.notes
        return step

    def sit(self, name: str, bot: bool = False, hosted: bool = False) -> None:
        first = not self.table.chairs
        by = "bot" if bot else "person"
        level = "normal" if bot else ""
        self.take(
            tables.sit(self.table, 0, name, by, level=level, hosted=hosted, host=first)  # type: ignore[arg-type]
        )

    def do(self, seat: int, name: str, *picks: int | str, now: int = 0) -> TableStep:
        return self.take(tables.apply(self.table, now, seat, Act(name, picks)))

    def begin(self) -> Sitting:
        for seat, chair in enumerate(self.table.chairs):
            if chair.id != self.table.host and not chair.ready:
                self.do(seat, "ready")
        self.do(0, "start")
        return self.deal()

    def deal(self, now: int = 0, deck: tuple[str, ...] = DECK) -> Sitting:
        self.take(matches.deal(self.table, now, deck, 0))
        return self

    def offered(self, seat: int | None) -> set[str]:
        return {choice.name for choice in views.table_view(self.table, seat).choices}

    def round_over(self) -> Sitting:
        for seat in [s for s, c in enumerate(self.table.chairs) if c.playing]:
            self.do(seat, "keep")
        return self

    @property
    def kinds(self) -> list[str]:
        return [line["kind"] for line in self.lines]


def test_a_taken_name_gets_a_number() -> None:
    sitting = Sitting("Ayu", "ayu", "Аyu", "Ayu\u200b")
    assert [c.name for c in sitting.table.chairs] == ["Ayu", "ayu (2)", "Аyu (3)", "Ayu\u200b (4)"]


def test_a_full_table_takes_nobody() -> None:
    sitting = Sitting("A", "B", size=2)
    before = sitting.table
    with pytest.raises(Refused):
        sitting.sit("C")
    assert sitting.table is before


def test_an_absent_seat_in_the_lobby_makes_room() -> None:
    sitting = Sitting("A", "B", size=2)
    sitting.take(tables.presence(sitting.table, 0, 1, "nobody"))
    sitting.sit("C")
    assert [c.name for c in sitting.table.chairs] == ["A", "C"]


def test_start_is_offered_to_the_host_when_the_others_are_ready() -> None:
    sitting = Sitting("A", "B")
    assert "start" not in sitting.offered(0)
    sitting.do(1, "ready")
    assert "start" in sitting.offered(0)
    assert "start" not in sitting.offered(1)
    sitting.do(1, "unready")
    assert "start" not in sitting.offered(0)


def test_nobody_starts_alone() -> None:
    assert "start" not in Sitting("A").offered(0)


def test_who_is_away_does_not_keep_others_from_starting() -> None:
    sitting = Sitting("A", "B", "C")
    sitting.do(2, "ready")
    sitting.take(tables.presence(sitting.table, 0, 1, "nobody"))
    sitting.do(0, "start")
    assert [(c.name, c.playing) for c in sitting.table.chairs] == [
        ("A", True),
        ("C", True),
        ("B", False),
    ]


def test_a_table_of_fixed_size_starts_when_all_seats_are_taken() -> None:
    sitting = Sitting("A", size=2, by_itself=True)
    assert sitting.table.phase == "lobby"
    sitting.sit("Bot", bot=True, hosted=True)
    assert sitting.table.phase == "shuffle"
    assert sitting.kinds == ["sit", "sit", "game"]


def test_a_second_match_of_such_a_table_waits_until_all_are_ready() -> None:
    sitting = Sitting("A", "B", size=2, by_itself=True).deal().round_over()
    sitting.do(0, "next")
    sitting.do(1, "next")
    assert sitting.table.phase == "lobby"
    sitting.do(0, "ready")
    assert sitting.table.phase == "lobby"
    sitting.do(1, "ready")
    assert sitting.table.phase == "shuffle"


def test_options_are_set_by_the_host_in_the_lobby_alone() -> None:
    sitting = Sitting("A", "B")
    sitting.do(0, "set", "points", "3")
    assert sitting.table.options == {"points": 3}
    with pytest.raises(Refused):
        sitting.do(1, "set", "points", "1")
    sitting.begin()
    with pytest.raises(Refused):
        sitting.do(0, "set", "points", "1")


def test_a_changed_option_asks_everybody_but_bots_and_the_host_whether_they_are_ready() -> None:
    sitting = Sitting("A", "B", "C")
    sitting.sit("Robo", bot=True)
    sitting.do(0, "ready")
    sitting.do(1, "ready")
    step = sitting.do(0, "set", "points", "3")
    assert [chair.ready for chair in sitting.table.chairs] == [True, False, False, True]
    assert [note.to for note in step.notes] == [(1,)]
    assert not sitting.do(0, "set", "points", "1").notes


@pytest.mark.parametrize("text", ["0", "-1", "on", "off", "1.5", "", "١"])
def test_a_setting_that_an_option_cannot_have_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        assert setting_of(HIGHEST.options[0], text) == int(text) >= 1


def test_any_number_from_the_least_up_can_be_agreed_at_the_opening() -> None:
    assert tables.opened(HIGHEST, {"points": 7}).options == {"points": 7}
    for bad in (0, True, None):
        with pytest.raises(Refused):
            tables.opened(HIGHEST, {"points": bad})


def test_the_host_chooses_another_game_which_begins_as_if_it_were_the_first() -> None:
    sitting = Sitting("A", "B")
    other = Other()
    games = {"highest": HIGHEST, "other": other}
    sitting.table = replace(sitting.table, games=games, options={"points": 3}, wanted=None)
    assert "game" not in sitting.offered(1)
    sitting.do(1, "ready")
    step = sitting.do(0, "game", "Other")
    assert [chair.ready for chair in sitting.table.chairs] == [False, False]
    assert [note.to for note in step.notes] == [None, (1,)]
    assert sitting.table.game is other
    assert sitting.table.options == {"points": 1}
    assert sitting.table.size == 2
    with pytest.raises(Refused):
        sitting.do(0, "game", "Other")
    sitting.begin()
    assert next(line for line in sitting.lines if line["kind"] == "game")["game"] == "other"


def test_a_table_of_fixed_size_offers_only_games_for_so_many() -> None:
    sitting = Sitting("A", size=4)
    games = {"highest": HIGHEST, "other": Other()}
    sitting.table = replace(sitting.table, games=games)
    assert "game" not in sitting.offered(0)


def test_the_host_plays_again_by_one_key() -> None:
    sitting = Sitting("A", "B", "C").begin().round_over()
    for seat in range(3):
        sitting.do(seat, "next")
    assert sitting.table.phase == "lobby"
    sitting.do(0, "start")
    assert sitting.table.phase == "shuffle"


def test_a_round_is_scored_and_lies_open_until_all_have_seen_it() -> None:
    sitting = Sitting("A", "B", points=3).begin().round_over()
    view = views.table_view(sitting.table, 0)
    assert view.phase == "reveal"
    assert [p.score for p in view.players] == [0, 1]
    sitting.do(0, "next", now=500)
    assert sitting.table.phase == "reveal"
    assert "next" not in sitting.offered(0)
    sitting.do(1, "next", now=700)
    assert sitting.table.phase == "shuffle"


def test_a_reveal_ends_by_itself_after_20_s_and_among_bots_after_3() -> None:
    people = Sitting("A", "B", points=3).begin().round_over()
    assert matches.wake_at(people.table) == 20_000
    bots = Sitting(points=3)
    bots.sit("X", bot=True)
    bots.sit("Y", bot=True)
    bots.begin().round_over()
    assert matches.wake_at(bots.table) == 3_000
    bots.take(matches.wake(bots.table))
    assert bots.table.phase == "shuffle"


def test_a_reveal_does_not_wait_for_who_goes_away() -> None:
    sitting = Sitting("A", "B", points=3).begin().round_over()
    sitting.do(0, "next", now=500)
    sitting.take(tables.presence(sitting.table, 900, 1, "nobody"))
    assert sitting.table.phase == "shuffle"


def test_the_match_ends_in_a_lobby_with_its_standings() -> None:
    sitting = Sitting("A", "B").begin().round_over()
    assert sitting.table.winners == (1,)
    assert sitting.notes[-1] == Note("{seat} wins with {n}.", {"seat": 1, "n": 1})
    assert views.table_view(sitting.table, None).clocks[0].name == "back to the lobby"
    sitting.do(0, "next")
    assert [p.ready for p in views.table_view(sitting.table, None).players] == [True, False]
    sitting.do(1, "next")
    view = views.table_view(sitting.table, None)
    assert view.phase == "lobby"
    assert [(r.name, r.score, r.won) for r in view.results] == [("B", 1, True), ("A", 0, False)]
    assert sitting.lines[-1] == {
        "kind": "end",
        "t": 0.0,
        "winners": [1],
        "scores": {"0": 0, "1": 1},
    }


def test_the_deal_passes_to_the_next_present_seat() -> None:
    sitting = Sitting("A", "B", "C", points=3).begin().round_over()
    sitting.take(tables.leave(sitting.table, 0, 1))
    sitting.do(0, "next")
    sitting.do(2, "next")
    sitting.deal()
    assert sitting.lines[-1]["dealer"] == 2
    assert sitting.lines[-1]["seats"] == [0, 2]


def test_the_one_left_wins_at_once_and_the_round_is_not_scored() -> None:
    sitting = Sitting("A", "B").begin()
    sitting.take(tables.leave(sitting.table, 100, 0))
    assert sitting.table.phase == "lobby"
    assert sitting.kinds[-2:] == ["seat", "end"]
    assert sitting.lines[-1]["winners"] == [1]
    assert [c.name for c in sitting.table.chairs] == ["B"]


def test_who_leaves_after_the_match_is_decided_changes_nothing() -> None:
    sitting = Sitting("A", "B").begin().round_over()
    sitting.take(tables.leave(sitting.table, 100, 1))
    assert sitting.table.phase == "reveal"
    sitting.do(0, "next", now=200)
    assert sitting.lines[-1]["winners"] == [1]


def test_the_game_ends_when_the_last_person_leaves_the_tables_bots() -> None:
    sitting = Sitting("A")
    sitting.sit("X", bot=True, hosted=True)
    sitting.sit("Y", bot=True, hosted=True)
    sitting.begin()
    sitting.take(tables.leave(sitting.table, 0, 0))
    assert sitting.table.phase == "lobby"
    assert sitting.lines[-1]["winners"] == []


def test_a_match_without_anybody_stands_still_and_goes_on_by_itself() -> None:
    sitting = Sitting("A", "B").begin()
    sitting.take(tables.presence(sitting.table, 100, 0, "nobody"))
    assert not sitting.table.paused
    sitting.take(tables.presence(sitting.table, 200, 1, "nobody"))
    assert sitting.table.paused == "empty"
    assert matches.wake_at(sitting.table) is None
    sitting.take(tables.presence(sitting.table, 200, 1, "person"))
    assert not sitting.table.paused
    assert [line["by"] for line in sitting.lines if line["kind"] in ("pause", "resume")] == [
        "empty",
        "empty",
    ]


def test_a_pause_of_the_host_takes_no_acts_of_the_round() -> None:
    sitting = Sitting("A", "B").begin()
    sitting.do(0, "pause")
    before = sitting.table
    with pytest.raises(Refused):
        sitting.do(0, "keep")
    assert sitting.table is before
    view = views.round_view(sitting.table, 0)
    assert view is not None
    assert not view.choices
    assert "resume" not in sitting.offered(1)
    sitting.do(0, "resume")
    sitting.do(0, "keep")


def test_others_may_go_on_when_the_host_is_away() -> None:
    sitting = Sitting("A", "B").begin()
    sitting.do(0, "pause")
    sitting.take(tables.presence(sitting.table, 0, 0, "nobody"))
    assert "resume" in sitting.offered(1)
    sitting.do(1, "resume")
    assert sitting.lines[-1]["by"] == 1


def banner(sitting: Sitting, seat: int | None) -> str:
    told = views.table_view(sitting.table, seat).banner
    return worded(told, views.table_view(sitting.table, None).players) if told else ""


def test_a_newcomer_does_not_go_on_with_a_game_of_others() -> None:
    sitting = Sitting("A", "B").begin()
    sitting.take(tables.sit(sitting.table, 0, "C", "person"))
    sitting.do(0, "pause")
    sitting.take(tables.presence(sitting.table, 0, 0, "nobody"))
    assert ["resume" in sitting.offered(seat) for seat in (1, 2)] == [True, False]


def test_a_newcomer_reads_why_a_game_whose_players_are_away_stands_still() -> None:
    sitting = Sitting("A", "B").begin()
    sitting.take(tables.sit(sitting.table, 0, "C", "person"))
    for seat in (0, 1):
        sitting.take(tables.presence(sitting.table, 0, seat, "nobody"))
    assert banner(sitting, 2) == "The game stands still until one of its players is back."
    sitting.take(tables.presence(sitting.table, 0, 1, "person"))
    assert banner(sitting, 2) == ""


def test_a_player_asks_for_a_pause_and_the_host_grants_it() -> None:
    sitting = Sitting("Ayu", "Budi", "Cici").begin()
    step = sitting.do(1, "ask", now=500)
    assert step.lines == ({"kind": "ask", "t": 0.5, "seat": 1},)
    assert step.notes == (Note("{seat} asks for a pause.", {"seat": 1}),)
    assert not sitting.table.paused
    assert [banner(sitting, seat) for seat in (0, 1, 2, None)] == [
        "Budi asks for a pause.",
        *("", "", ""),
    ]
    sitting.do(0, "pause", now=900)
    assert sitting.lines[-1] == {"kind": "pause", "t": 0.9, "by": "host"}
    for seat in (0, 1, 2, None):
        assert banner(sitting, seat) == "Ayu has paused the game, and can go on."
    sitting.do(0, "resume", now=900)
    assert [banner(sitting, seat) for seat in (0, 1)] == ["", ""]


def test_a_pause_is_asked_for_once_until_it_is_granted_or_the_next_round() -> None:
    sitting = Sitting("A", "B", points=3).begin()
    assert "ask" not in sitting.offered(0)
    sitting.do(1, "ask")
    assert "ask" not in sitting.offered(1)
    sitting.do(0, "pause")
    sitting.do(0, "resume")
    sitting.do(1, "ask")
    sitting.round_over()
    assert "ask" not in sitting.offered(1)
    sitting.do(0, "next")
    sitting.do(1, "next")
    assert "ask" in sitting.deal().offered(1)


def test_with_the_host_away_who_would_ask_pauses_at_once_and_anybody_goes_on() -> None:
    sitting = Sitting("Ayu", "Budi", "Cici").begin()
    sitting.take(tables.presence(sitting.table, 0, 0, "nobody"))
    assert "ask" not in sitting.offered(1)
    sitting.do(1, "pause", now=500)
    assert sitting.lines[-1] == {"kind": "pause", "t": 0.5, "by": 1}
    assert banner(sitting, 2) == "Budi has paused the game. Everybody here can go on."
    assert "resume" in sitting.offered(2)
    sitting.take(tables.presence(sitting.table, 500, 0, "person"))
    assert banner(sitting, 2) == "Budi has paused the game. Ayu can go on."
    assert ["resume" in sitting.offered(seat) for seat in (0, 1, 2)] == [True, False, False]


def test_a_bot_that_plays_for_the_host_has_not_the_hosts_rights() -> None:
    sitting = Sitting("A", "B", "C").begin()
    sitting.take(tables.presence(sitting.table, 0, 0, "nobody"))
    sitting.take(tables.presence(sitting.table, 0, 0, "bot", "normal"))
    sitting.do(1, "pause")
    sitting.do(2, "resume")


def test_nobody_asks_for_a_pause_who_does_not_play() -> None:
    sitting = Sitting("A", "B")
    assert "ask" not in sitting.offered(1)
    sitting.sit("Robo", bot=True)
    sitting.begin().sit("D")
    assert [seat for seat in range(4) if "ask" in sitting.offered(seat)] == [1]
    assert "ask" not in sitting.offered(None)
    sitting.do(1, "ask")
    sitting.take(tables.presence(sitting.table, 0, 1, "nobody"))
    assert not banner(sitting, 0)


def test_others_may_start_when_the_host_is_away() -> None:
    sitting = Sitting("A", "B", "C")
    sitting.do(2, "ready")
    assert "start" not in sitting.offered(1)
    sitting.take(tables.presence(sitting.table, 0, 0, "nobody"))
    assert "start" in sitting.offered(1)
    assert not {"set", "remove", "bot", "end"} & sitting.offered(1)


def test_a_match_of_the_tables_own_bots_alone_does_not_begin_to_run() -> None:
    sitting = Sitting(size=2, by_itself=True)
    sitting.sit("X", bot=True, hosted=True)
    sitting.sit("Y", bot=True, hosted=True)
    assert sitting.table.phase == "lobby"


def test_the_hosts_rights_pass_to_the_next_person_clockwise() -> None:
    sitting = Sitting("A")
    sitting.sit("X", bot=True)
    sitting.sit("B")
    sitting.take(tables.leave(sitting.table, 0, 0))
    assert [p.host for p in views.table_view(sitting.table, None).players] == [False, True]


def test_the_hosts_rights_pass_on_when_the_hosts_seat_makes_room() -> None:
    sitting = Sitting("A", "B", size=2)
    sitting.take(tables.presence(sitting.table, 0, 0, "nobody"))
    sitting.sit("C")
    assert [(p.name, p.host) for p in views.table_view(sitting.table, None).players] == [
        ("B", True),
        ("C", False),
    ]


def test_a_newcomer_watches_the_match_and_plays_the_next() -> None:
    sitting = Sitting("A", "B").begin()
    sitting.sit("C")
    with pytest.raises(Refused):
        sitting.do(2, "keep")
    view = views.round_view(sitting.table, 2)
    assert view is not None
    assert view.seat is None
    sitting.round_over()
    sitting.do(0, "next")
    sitting.do(1, "next")
    sitting.begin()
    assert sitting.lines[-1]["seats"] == [0, 1, 2]


def test_the_host_lets_a_bot_play_for_somebody_away_who_takes_the_seat_back() -> None:
    sitting = Sitting("A", "B", "C").begin()
    assert "bot" not in sitting.offered(0)
    sitting.take(tables.presence(sitting.table, 100, 1, "nobody"))
    assert "bot" not in sitting.offered(2)
    step = sitting.do(0, "bot", 1, "hard", now=200)
    assert (step.bot, step.chair, step.lines) == ("hard", sitting.table.chairs[1].id, ())
    sitting.take(tables.presence(sitting.table, 300, 1, "bot", "hard"))
    assert sitting.lines[-1] == {"kind": "seat", "t": 0.3, "seat": 1, "by": "bot:hard"}
    assert views.table_view(sitting.table, None).players[1].level == "hard"
    assert "bot" not in sitting.offered(0)
    sitting.take(tables.presence(sitting.table, 400, 1, "person"))
    assert sitting.lines[-1]["by"] == "person"
    assert views.table_view(sitting.table, None).players[1].level == ""


def test_a_bot_that_plays_for_somebody_keeps_no_match_going_and_goes_after_it() -> None:
    sitting = Sitting("A", "B").begin()
    sitting.take(tables.presence(sitting.table, 100, 1, "nobody"))
    sitting.take(tables.presence(sitting.table, 200, 1, "bot", "easy"))
    sitting.take(tables.presence(sitting.table, 300, 0, "nobody"))
    assert sitting.table.paused == "empty"
    sitting.take(tables.presence(sitting.table, 300, 0, "person"))
    sitting.round_over()
    sitting.do(0, "next")
    assert [(c.by, c.ready, c.level) for c in sitting.table.chairs] == [
        ("person", True, ""),
        ("nobody", False, ""),
    ]


def away_and_late(stand_in: str = "easy") -> Sitting:
    """A, who is away, has just missed a turn in the second of two rounds."""
    sitting = Sitting("A", "B", points=9)
    sitting.table = replace(sitting.table, stand_in=stand_in)
    sitting.begin()
    sitting.take(tables.presence(sitting.table, 0, 0, "nobody"))
    sitting.take(matches.wake(sitting.table))
    assert sitting.last.bot == ""
    return one_round_more(sitting)


def one_round_more(sitting: Sitting) -> Sitting:
    """B ends the round, and A misses a turn in the next."""
    now = matches.wake_at(sitting.table)
    assert now is not None
    sitting.do(1, "keep", now=now)
    sitting.do(1, "next", now=now)
    sitting.deal(now=now).take(matches.wake(sitting.table))
    assert sitting.lines[-1]["kind"] == "timeout"
    return sitting


def test_a_bot_steps_in_by_itself_after_two_time_outs_in_a_row_of_somebody_away() -> None:
    sitting = away_and_late()
    assert sitting.kinds.count("timeout") == 2
    assert (sitting.last.bot, sitting.last.chair) == ("easy", sitting.table.chairs[0].id)


def test_no_bot_steps_in_by_itself_where_the_table_does_not_want_it() -> None:
    assert away_and_late(stand_in="").last.bot == ""


def test_a_bot_that_has_not_come_is_wanted_again_after_the_next_time_out() -> None:
    assert one_round_more(away_and_late()).last.bot == "easy"


def test_time_outs_before_a_return_do_not_count_and_those_of_who_is_here_neither() -> None:
    sitting = Sitting("A", "B", "C", points=9)
    sitting.table = replace(sitting.table, stand_in="hard")
    sitting.begin()
    assert sitting.take(matches.wake(sitting.table)).bot == ""
    sitting.take(tables.presence(sitting.table, 10_000, 1, "nobody"))
    assert sitting.take(matches.wake(sitting.table)).bot == ""
    assert sitting.table.chairs[1].missed == 1
    sitting.take(tables.presence(sitting.table, 20_000, 1, "person"))
    assert sitting.table.chairs[1].missed == 0


def test_a_table_where_a_bot_steps_in_says_so_among_its_options() -> None:
    plain = tables.opened(HIGHEST, {}, 2)
    assert views.table_view(plain, None).options == (("points", 1),)
    stands_in = tables.opened(HIGHEST, {}, 2, stand_in="normal")
    assert views.table_view(stands_in, None).options == (("points", 1), ("bot_when_away", True))


def test_places_in_the_match_are_shared_by_equals_and_leavers_have_none() -> None:
    sitting = Sitting("A", "B", "C", points=3).begin().round_over()
    assert [p.place for p in views.table_view(sitting.table, None).players] == [2, 2, 1]
    sitting.take(tables.leave(sitting.table, 0, 2))
    assert [p.place for p in views.table_view(sitting.table, None).players] == [1, 1, None]


def test_only_offered_acts_of_the_table_are_taken() -> None:
    sitting = Sitting("A", "B")
    before = sitting.table
    for seat, name, picks in [
        (1, "start", ()),
        (0, "start", ()),
        (0, "remove", (0,)),
        (0, "remove", (7,)),
        (1, "end", ()),
        (0, "ready", ("x",)),
        (0, "next", ()),
        (0, "pause", ()),
        (0, "nonsense", ()),
    ]:
        with pytest.raises(Refused):
            sitting.do(seat, name, *picks)
    assert sitting.table is before


def test_the_host_removes_somebody_in_a_match_who_is_gone_for_good() -> None:
    sitting = Sitting("Ayu", "Budi", "Cici", "Dodi", points=3).begin()
    assert "remove" not in sitting.offered(1)
    step = sitting.do(0, "remove", 1, now=500)
    assert step.lines[0] == {"kind": "seat", "t": 0.5, "seat": 1, "by": "left"}
    assert step.notes[0] == Note("{name} has been taken from the table.", {"name": "Budi"})
    sitting.take(tables.presence(sitting.table, 600, 2, "nobody"))
    sitting.do(0, "remove", 2, now=700)
    picks = next(c.picks for c in views.table_view(sitting.table, 0).choices if c.name == "remove")
    assert picks == ((3,),)
    sitting.do(0, "remove", 3, now=800)
    assert sitting.table.phase == "lobby"
    assert sitting.lines[-1]["winners"] == [0]
    assert [c.name for c in sitting.table.chairs] == ["Ayu"]


def test_a_match_against_bots_alone_offers_nobody_to_be_removed() -> None:
    bots = Sitting("Ayu")
    bots.sit("Ben", bot=True)
    assert "remove" in bots.offered(0)
    assert "remove" not in bots.begin().offered(0)
    sitting = Sitting("Ayu", "Budi")
    sitting.sit("Ben", bot=True)
    sitting.begin().take(tables.presence(sitting.table, 0, 1, "nobody"))
    assert "remove" in sitting.offered(0)


@pytest.mark.parametrize("phase", ["reveal", "pause", "bot"])
def test_the_host_removes_somebody_at_any_time(phase: str) -> None:
    sitting = Sitting("A", "B", "C", points=3).begin()
    if phase == "reveal":
        sitting.round_over()
    elif phase == "pause":
        sitting.do(0, "pause")
    else:
        sitting.take(tables.presence(sitting.table, 0, 1, "nobody"))
        sitting.take(tables.presence(sitting.table, 0, 1, "bot", "easy"))
    sitting.do(0, "remove", 1)
    assert [c.by for c in sitting.table.chairs] == ["person", "left", "person"]
    assert sitting.table.chairs[1].stand_in == ""


def test_the_host_removes_somebody_and_closes_the_table() -> None:
    sitting = Sitting("A", "B")
    sitting.do(0, "remove", 1)
    assert [c.name for c in sitting.table.chairs] == ["A"]
    sitting.do(0, "end")
    assert sitting.table.over
