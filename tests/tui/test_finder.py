"""The list of tables: which comes first, what is typed, and what is told."""

from __future__ import annotations

import pytest

from crisp_lan.game.rules import Text
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import PROTOCOL
from crisp_lan.tui import finder as finders
from crisp_lan.tui.finder import QUIT, Finder, found, press, rows, told, words_of

TITLES = {"crisp": "Crisp"}


def listing(table: str, protocol: int = 1) -> Listing:
    place = ("192.0.2.1",)
    return Listing(table, table, "crisp", 2, 8, "lobby", protocol, "9.9", False, place, 27477)


def finder(*names: str, mine: str = "") -> Finder:
    """These tables have been found; a seat waits at one of them."""
    tables = {name: listing(name) for name in names}
    return found(Finder(TITLES, 0.0), tables, None, frozenset({mine} - {""}))


def typed(before: Finder, *keys: str) -> tuple[Finder, finders.Chosen]:
    chosen: finders.Chosen = None
    for key in keys:
        before, chosen = press(before, key)
    return before, chosen


def shown(of: Finder, at: float = 10.0) -> str:
    return "\n".join("".join(text for _style, text in row) for row in rows(of, 80, 24, at))


def test_tables_are_listed_by_name() -> None:
    assert [one.id for one in finder("b", "A", "c").listings] == ["A", "b", "c"]


def test_the_table_where_a_seat_waits_comes_first_and_enter_goes_there() -> None:
    before = finder("a", "b", "c", mine="c")
    assert [one.id for one in before.listings] == ["c", "a", "b"]
    assert press(before, "enter")[1] == listing("c")
    assert "your seat   Crisp   2 of 8   lobby   192.0.2.1:27477" in shown(before)


def test_what_was_chosen_stays_chosen_when_a_seat_is_found_elsewhere() -> None:
    before, _ = typed(finder("a", "b"), "down")
    after = found(before, {n: listing(n) for n in ("a", "b", "c")}, None, frozenset({"c"}))
    assert press(after, "enter")[1] == listing("b")


def test_an_address_is_chosen_as_it_was_typed() -> None:
    assert typed(finder("a"), *"192.0.2.9:1", "enter")[1] == Text("192.0.2.9:1")


def test_a_name_with_spaces_chooses_the_table_of_that_name() -> None:
    before = finder("a", "Ayu's table")
    assert typed(before, *"ayu's", "space", *"table", "enter")[1] == listing("Ayu's table")


def test_a_space_alone_is_not_something_typed() -> None:
    assert typed(finder("a"), "space", "enter")[1] == listing("a")


def test_what_is_wrong_is_told_above_what_was_typed_until_the_next_key() -> None:
    before, _ = typed(finder("a"), *"nonsense")
    wrong = told(before, Text("{text} is not in the list.", {"text": "nonsense"}))
    above, address = shown(wrong).splitlines()[-4:-2]
    assert above.strip() == "nonsense is not in the list."
    assert address.strip() == "Address: nonsense"
    after, chosen = press(wrong, "backspace")
    assert (after.word, after.typed, chosen) == ("", "nonsens", None)


def test_how_an_address_looks_is_told_until_one_is_typed() -> None:
    example = "(type one, such as 192.168.1.20:27477)"
    assert example in shown(finder("a"))
    assert example not in shown(typed(finder("a"), "1")[0])


def test_escape_clears_what_was_typed_and_then_quits() -> None:
    cleared, chosen = typed(finder("a"), "x", "escape")
    assert (cleared.typed, chosen) == ("", None)
    assert press(cleared, "escape")[1] == QUIT
    assert press(cleared, "q")[1] == QUIT


@pytest.mark.parametrize(
    ("protocol", "told"),
    [
        (PROTOCOL + 1, "needs crisp-lan 9.9"),
        (PROTOCOL - 1 or -1, "has an older crisp-lan, 9.9"),
        (0, "of an unknown version"),
    ],
)
def test_a_table_of_another_version_says_which_it_has(protocol: int, told: str) -> None:
    assert words_of(listing("a", protocol=protocol), TITLES, frozenset()) == [told]


def test_of_a_table_that_was_not_heard_only_its_name_is_told_and_why() -> None:
    greeting = Listing("a", "a", "", 0, 0, "", PROTOCOL, "9.9", False, ("192.0.2.1",), 27477)
    problem = Text("No announcement is heard, but {table} answers.", {"table": "a"})
    screen = shown(found(Finder(TITLES, 0.0), {"a": greeting}, problem))
    assert "> a" + " " * 50 in screen
    assert "192.0.2.1:27477" in screen
    assert "No announcement is heard, but a answers." in screen


def test_a_long_word_about_what_was_chosen_is_told_whole() -> None:
    lines = shown(told(finder("a"), Text("word " * 30 + "end."))).splitlines()
    assert len(lines) == 24
    assert " ".join(" ".join(lines).split()).count("word") == 30


def test_the_foot_says_which_keys_choose_join_and_go_back() -> None:
    assert (
        shown(finder("a")).splitlines()[-1].strip() == "[arrows] choose  [Enter] join  [Esc] back"
    )
