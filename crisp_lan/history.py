"""The games that are kept here: which there are, who won them, and how the players stand.

A game is told from its record alone, not played again. Of one that still runs nobody hears a score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias

from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Line, Note, Seat, Text
from crisp_lan.journal import is_running, read, records
from crisp_lan.text import cells, cut, harmless, same_name
from crisp_lan.tui.wording import elapsed, number, percent
from crisp_lan.words import _, filled

Status: TypeAlias = Literal["finished", "interrupted", "running"]

LONGEST = 10**9
"""Seconds; no match takes longer."""
NAME = 26
"""The width of a player's name in the standings."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat at a seat. `by` is who played it at first, in the record's words; `score`: the last
    that was written down, None where there is none or it is not to be told."""

    seat: Seat
    name: str
    by: str
    score: int | None
    won: bool
    left: bool


@dataclass(frozen=True, slots=True)
class Game:
    """One game. `began` has a time zone; `seconds` are of match time."""

    id: str
    key: str
    began: datetime
    status: Status
    seconds: float
    rounds: int
    players: tuple[Player, ...]
    record: Sequence[Line]

    @property
    def title(self) -> str:
        """The name of what was played, also where this version does not know it."""
        return _(GAMES[self.key].title) if self.key in GAMES else harmless(self.key)


@dataclass(slots=True)
class Standing:
    """How often a player has played and won, by what was played. A shared win is a win."""

    name: str
    bot: bool
    games: dict[str, int] = field(default_factory=dict)
    wins: dict[str, int] = field(default_factory=dict)

    @property
    def share(self) -> float:
        return sum(self.wins.values()) / sum(self.games.values())


# ---------------------------------------------------------------- what is kept


def kept(folder: Path) -> tuple[list[Game], list[Text]]:
    """The games of a folder, the newest first, and what had to be left out."""
    games: list[Game] = []
    troubles: list[Text] = []
    for path in sorted(folder.glob("*.jsonl")):
        try:
            found, torn = _in_journal(path)
        except OSError as error:
            values = {"file": str(path), "reason": error.strerror or ""}
            troubles.append(Text("{file} is left out: it cannot be read: {reason}.", values))
        except _NO_RECORD as error:
            troubles.append(_left_out(path, error))
        else:
            games += found
            if torn:
                key = "The last line of {file} is torn, and is left out."
                troubles.append(Text(key, {"file": str(path)}))
    return sorted(games, key=lambda game: game.began, reverse=True), troubles


_NO_RECORD = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
"""What it may lead to when a file is taken for a journal that is none."""


def _left_out(path: Path, error: Exception) -> Text:
    """That a file is passed over, and why where its reader has said so."""
    known = getattr(error, "text", None)
    if isinstance(known, Text):
        return Text("{reason} It is left out.", {"reason": filled(_(known.key), known.values)})
    key = "{file} is no journal that this version can read, and is left out."
    return Text(key, {"file": str(path)})


def _in_journal(path: Path) -> tuple[list[Game], bool]:
    """The games of a journal, the last first, and whether its last line is torn."""
    lines, running = read(path), is_running(path)
    recorded = list(records(lines))
    games = [
        _told(record, running and record is recorded[-1] and lines[-1]["kind"] != "closed")
        for record in reversed(recorded)
    ]
    return games, not running and not _ends_whole(path)


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read() == b"\n"


def _told(record: Sequence[Line], running: bool) -> Game:
    """One game from its record. Raises what a record that is none leads to."""
    head, last = record[0], record[-1]
    end = next((line for line in record if line["kind"] == "end"), None)
    status: Status = "finished" if end else "running" if running else "interrupted"
    scored = [line["scores"] for line in record if line["kind"] in ("score", "end")]
    scores = scored[-1] if scored and status != "running" else {}
    gone = {line["seat"] for line in record if (line["kind"], line.get("by")) == ("seat", "left")}
    winners = end["winners"] if end else []
    players = tuple(
        Player(
            seat["seat"],
            harmless(seat["name"]),
            harmless(seat["by"]),
            None if (score := scores.get(str(seat["seat"]))) is None else int(score),
            seat["seat"] in winners,
            seat["seat"] in gone,
        )
        for seat in head["seats"]
    )
    return Game(
        harmless(head["id"]),
        harmless(head["game"]),
        datetime.fromisoformat(head["started"]).astimezone(),
        status,
        _seconds(last.get("t", 0)),
        sum(line["kind"] == "deal" for line in record),
        players,
        record,
    )


def _seconds(t: float) -> float:
    if not 0 <= t <= LONGEST:
        raise ValueError("no time in a match")
    return float(t)


def named(games: Iterable[Game], wanted: str | None) -> list[Game]:
    """The games that a player may mean by the beginning of an id; the newest, if by nothing."""
    by_id: dict[str, Game] = {}
    for game in games:
        by_id.setdefault(game.id, game)
    if wanted is None:
        return list(by_id.values())[:1]
    if wanted in by_id:
        return [by_id[wanted]]
    return [game for game in by_id.values() if game.id.startswith(wanted)]


def last_word(game: Game) -> Note | None:
    """What is to be said where the record of a game without an end stops."""
    words = {
        "finished": None,
        "interrupted": Note("The game was interrupted here."),
        "running": Note("The game is still running: this is all so far."),
    }
    return words[game.status]


def standings(games: Iterable[Game]) -> list[Standing]:
    """Who has played the finished games, the best first; names are compared as at the table."""
    found: list[Standing] = []
    for game in games:
        if game.status == "finished":
            for player in game.players:
                standing = _standing_of(found, player)
                standing.games[game.key] = standing.games.get(game.key, 0) + 1
                standing.wins[game.key] = standing.wins.get(game.key, 0) + player.won
    return sorted(found, key=lambda one: (-one.share, -sum(one.games.values()), one.name))


def _standing_of(found: list[Standing], player: Player) -> Standing:
    """The standing of that name, by which no bot is taken for a person; else a new one."""
    bot = player.by.startswith("bot")
    for standing in found:
        if standing.bot == bot and same_name(standing.name, player.name):
            return standing
    found.append(Standing(player.name, bot))
    return found[-1]


# ---------------------------------------------------------------- for people


def when(moment: datetime) -> str:
    """A date and a time of day in the order that is usual in the reader's language."""
    return moment.strftime(_("%Y-%m-%d %H:%M"))


def lines(games: Sequence[Game]) -> Iterator[str]:
    """The games, two lines each, and the standings after them."""
    title = max((cells(game.title) for game in games), default=0)
    for game in games:
        words = [when(game.began), _wide(game.title, title), _took(game).rjust(7), game.id]
        yield "  ".join(words)
        yield f"    {_ended(game)}"
    if table := standings(games):
        yield ""
        yield from _standing_lines(table)


def _took(game: Game) -> str:
    return "" if game.status == "running" else elapsed(round(game.seconds * 1000))


def _ended(game: Game) -> str:
    names = ", ".join(_with_score(player) for player in game.players)
    if game.status == "running":
        return filled(_("{names}: still running, so no scores are told."), {"names": names})
    if game.status == "interrupted":
        return filled(_("{names}: interrupted, nobody has won."), {"names": names})
    winners = ", ".join(player.name for player in game.players if player.won)
    if not winners:
        return filled(_("{names}: nobody has won."), {"names": names})
    return filled(_("{names}: won by {winners}."), {"names": names, "winners": winners})


def _with_score(player: Player) -> str:
    words = [player.name] if player.score is None else [player.name, number(player.score)]
    return " ".join([*words, *([f"({_('has left')})"] if player.left else [])])


def _standing_lines(table: Sequence[Standing]) -> Iterator[str]:
    """Games and wins in all and the share of wins; then wins of games for each kind."""
    played = {key: None for one in table for key in one.games}
    kinds = [key for key in dict.fromkeys([*GAMES, *played]) if key in played]
    titles = [_(GAMES[key].title) if key in GAMES else harmless(key) for key in kinds]
    heads = [_("games"), _("won"), _("share"), *titles]
    yield _wide(_("player"), NAME) + "".join(f"  {head:>7}" for head in heads)
    for one in table:
        games, wins = sum(one.games.values()), sum(one.wins.values())
        each = [f"{one.wins[key]}/{one.games[key]}" if key in one.games else "" for key in kinds]
        numbers = [str(games), str(wins), percent(one.share), *each]
        name = f"{one.name} ({_('bot')})" if one.bot else one.name
        columns = (f"  {text:>{max(7, cells(head))}}" for text, head in zip(numbers, heads))
        yield _wide(cut(name, NAME), NAME) + "".join(columns)


def _wide(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


# ---------------------------------------------------------------- for programs


def as_line(game: Game) -> Line:
    """A game as `history --json` prints it (docs/history.md)."""
    return {
        "kind": "game",
        "id": game.id,
        "game": game.key,
        "started": game.began.isoformat(timespec="seconds"),
        "status": game.status,
        "seconds": game.seconds,
        "rounds": game.rounds,
        "players": [
            {
                "seat": player.seat,
                "name": player.name,
                "by": player.by,
                "score": player.score,
                "won": player.won,
                "left": player.left,
            }
            for player in game.players
        ],
    }
