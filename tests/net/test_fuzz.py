"""Short runs of `fuzz.py`, and the corpus that a coverage-guided run has left."""

from __future__ import annotations

from tests.net.fuzz import CORPUS, HOSTS, decoder, one_input
from tests.net.intruders import sequences


def test_a_frame_of_anything_is_a_message_or_refused() -> None:
    seen = decoder(20_000, seed=1)
    assert seen["refused"] > seen["messages"] > 100


def test_whatever_led_to_new_places_in_the_decoder_is_a_message_or_refused() -> None:
    kept = [path.read_bytes() for path in sorted(CORPUS.iterdir())]
    passed = [one_input(made[1:], "host" if made[:1] >= HOSTS else "client") for made in kept]
    assert 0 < sum(passed) < len(passed)


def test_conversations_of_any_kind_touch_nobody_elses_game() -> None:
    seen = sequences(300, seed=1)
    assert seen["sequences"] == 300
    assert seen["answers"] > 100
    assert seen["honest acts"] > 50
