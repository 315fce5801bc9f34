"""Where a table is, as it is typed: an address, an address and a port, or rather a name."""

from __future__ import annotations

import pytest

from crisp_lan.spots import PORT, WrongSpot, spot, typed_spot


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("192.0.2.1", ("192.0.2.1", PORT)),
        ("192.0.2.1:1", ("192.0.2.1", 1)),
        ("fd77::1", ("fd77::1", PORT)),
        ("[fd77::1]", ("fd77::1", PORT)),
        ("[fd77::1]:65535", ("fd77::1", 65535)),
        ("localhost", ("localhost", PORT)),
        ("laptop.local", ("laptop.local", PORT)),
        ("laptop:27478", ("laptop", 27478)),
        ("laptop", None),
        ("Hanna's table", None),
        ("Table 2.0", None),
        ("Table: 99999", None),
        ("", None),
    ],
)
def test_what_is_typed_is_an_address_or_a_name(text: str, meant: tuple[str, int] | None) -> None:
    assert typed_spot(text) == meant


@pytest.mark.parametrize("port", ["0", "65536", "99999", "9" * 5000])
def test_a_port_that_there_is_not_is_wrong(port: str) -> None:
    with pytest.raises(WrongSpot) as raised:
        typed_spot(f"192.0.2.1:{port}")
    assert raised.value.text.key == "{port} is not a port: one is from 1 to 65535."


@pytest.mark.parametrize("address", ["192.0.2.1", "fd77::1"])
def test_an_address_that_is_shown_can_be_typed(address: str) -> None:
    assert typed_spot(spot(address, 4711)) == (address, 4711)
