"""The games that can be played. A new one is its own file and one line here."""

from __future__ import annotations

from typing import Any

from crisp_lan.game.briscola import BRISCOLA
from crisp_lan.game.crisp import CRISP
from crisp_lan.game.crisps_duel import CRISPS
from crisp_lan.game.rules import Game

GAMES: dict[str, Game[Any]] = {game.key: game for game in (CRISP, BRISCOLA, CRISPS)}
