"""A match as a sheet: a text that people read and that is read back exactly (`sheet_reading`).

The form is in docs/records.md. Labels stand in one of four languages, values are the record's
own. A field whose value cannot stand in its place is written as JSON under a label for the rest.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from kwartet.core import strict_json
from kwartet.core.errors import GameError, quoted, some_of
from kwartet.core.game import Game

LARGEST: Final = 4_000_000  # letters of a record or a sheet; a match of any game has far fewer
LANGUAGES: Final = ("en", "nl", "de", "fr")
LABELS: Final = {  # of the record's fields, in the order of the sheet
    "game": ("Game", "Spel", "Spiel", "Jeu"),
    "rules": ("Rules", "Regels", "Regeln", "Règles"),
    "options": ("Options", "Opties", "Optionen", "Options"),
    "at": ("Date", "Datum", "Datum", "Date"),
    "players": ("Players", "Spelers", "Spieler", "Joueurs"),
    "table": ("Table", "Tafel", "Tisch", "Table"),
    "order": ("Seats", "Plaatsen", "Plätze", "Places"),
    "lot": ("Lot", "Loting", "Los", "Tirage"),
    "origin": ("Origin", "Herkomst", "Herkunft", "Origine"),
    "seed": ("Seed", "Zaad", "Zufallssamen", "Graine"),
    "commitment": ("Seal", "Zegel", "Siegel", "Sceau"),
    "result": ("Result", "Uitslag", "Ergebnis", "Résultat"),
    "more": ("More", "Meer", "Mehr", "Plus"),
    "moves": ("Moves", "Zetten", "Züge", "Coups"),
    "scores": ("Scores", "Punten", "Punkte", "Points"),
    "winners": ("Winners", "Winnaars", "Gewinner", "Gagnants"),
}
OWN_LINES: Final = ("kwartet", "moves")  # fields that are not written as the others are
CHANCE_LABEL: Final = ("Chance", "Toeval", "Zufall", "Hasard")
SEAT_LABEL: Final = ("Seat", "Plaats", "Platz", "Place")

WORD: Final = r"(?!(?:true|false|null)\b)[A-Za-z][A-Za-z0-9_-]*"  # a text that is not quoted
NAME: Final = r"[A-Za-z_][A-Za-z0-9_]{0,60}"  # of a pair
DIGITS: Final = 15  # of a number, at most

_ONE_WORD: Final = re.compile(WORD)
_ONE_NAME: Final = re.compile(NAME)


def write_sheet(
    record: Any,
    find: Callable[[str], Game],
    language: str = "en",
    actors: Sequence[int | None] | None = None,
) -> str:
    """The sheet of a record; GameError if it is none, or if there are none in that language.

    `actors` says by ply who moved, None being chance; else the record is replayed to know it.
    """
    from kwartet.core.records import actors_of, checked_fields, replay

    if language not in LANGUAGES:
        raise GameError(
            "bad-option", f"There are no sheets in {quoted(language)}; say {some_of(LANGUAGES)}."
        )
    fields = checked_fields(record)
    if actors is None:
        actors = actors_of(replay(fields, find))
    return _Writer(fields, find(fields["game"]), LANGUAGES.index(language)).sheet(actors)


@dataclass
class _Writer:
    record: dict[str, Any]
    game: Game
    column: int  # of the language
    lines: list[str] = field(default_factory=list)

    def sheet(self, actors: Sequence[int | None]) -> str:
        self.lines = [f"Kwartet {self.record['kwartet']}"]
        told = {name: text for name, value in self.record.items() if (text := _told(name, value))}
        rest = {n: v for n, v in self.record.items() if n not in told and n not in OWN_LINES}
        if rest:
            told["more"] = (strict_json.write(rest, plain=True),)
        for name in LABELS:
            if name == "moves":
                self._moves(actors)
            elif name in told:
                self._line(name, told[name][0])
        return "\n".join(self.lines) + "\n"

    def _moves(self, actors: Sequence[int | None]) -> None:
        self.lines += ["", f"{LABELS['moves'][self.column]}:"]
        turns = list(_turns(self.record["moves"], actors, self.game.turn_ends))
        first = 0 if turns and turns[0].seat is None and not self.game.turn_ends else 1
        for number, turn in enumerate(turns, first):
            parts = "; ".join(_part(move) for move in turn.moves)
            self.lines.append(f"{number}. {self._name(turn.seat)}: {parts}")
        self.lines.append("")

    def _line(self, name: str, text: str) -> None:
        comment = self._comment(name)
        line = f"{LABELS[name][self.column]}: {text}".rstrip()
        self.lines.append(f"{line}  # {comment}" if comment else line)

    def _comment(self, name: str) -> str:
        """What a number or a key stands for, in words."""
        if name == "game":
            return self.game.title
        value = self.record.get(name)
        if name == "winners" and value:
            return ", ".join(self._name(seat) for seat in value)
        if name == "scores" and value:
            return ", ".join(f"{self._name(seat)} {score}" for seat, score in enumerate(value))
        return ""

    def _name(self, seat: int | None) -> str:
        """Who that is, without a letter that means something in a sheet."""
        if seat is None:
            return CHANCE_LABEL[self.column]
        players = self.record.get("players")
        known = players if isinstance(players, list) and seat in range(len(players)) else None
        name = known[seat] if known else ""
        clean = _clean(name) if isinstance(name, str) else ""
        if not clean:
            return f"{SEAT_LABEL[self.column]} {seat}"
        return clean if known and known.count(name) == 1 else f"{clean} {seat}"


def _clean(name: str) -> str:
    letters = (c if c.isprintable() and c not in '#:;"' else " " for c in name[:60])
    return " ".join("".join(letters).split())


def _told(name: str, value: Any) -> tuple[str] | None:
    """The field's value as its line has it; None if it has no line, or cannot be read back."""
    match name:
        case "game" | "table" | "order" | "seed" | "commitment" if isinstance(value, str):
            return (_part(value),)
        case "rules" if _is_short(value):
            return (str(value),)
        case "players" if isinstance(value, list) and all(isinstance(p, str) for p in value):
            return ("; ".join(map(_part, value)),)
        case "lot" | "scores" | "winners" if isinstance(value, list):
            return (", ".join(map(str, value)),) if all(map(_is_short, value)) else None
        case "options" | "result" | "origin" if isinstance(value, dict):
            if all(isinstance(key, str) and _ONE_NAME.fullmatch(key) for key in value):
                return (" ".join(f"{key}={_value(part)}" for key, part in value.items()),)
        case "at" if type(value) in (int, float):
            return _date(value)
    return None


def _is_short(value: Any) -> bool:
    """Whether it is a whole number that a sheet can tell."""
    return type(value) is int and abs(value) < 10**DIGITS


def _part(text: str) -> str:
    """One of several texts on a line; as JSON where it could be taken for something else."""
    plain = text.isprintable() and text == text.strip() and text and not set(text) & set('#;"')
    return text if plain else strict_json.write(text, plain=True)


def _value(value: Any) -> str:
    """A value as one would type it, if that is read as the same."""
    words = value if isinstance(value, list) and len(value) > 1 else [value]
    if all(isinstance(word, str) and _ONE_WORD.fullmatch(word) for word in words):
        return ",".join(words)
    return strict_json.write(value, plain=True)


def _date(at: float) -> tuple[str] | None:
    try:
        day = datetime.fromtimestamp(at, UTC)
    except (OSError, OverflowError, ValueError):
        return None
    return (f"{day:%Y-%m-%d %H:%M:%S} UTC ({at!r})",)


# Turns ------------------------------------------------------------------------------------


@dataclass
class _Turn:
    seat: int | None  # None: nobody's yet
    moves: list[str]


def _turns(
    moves: Sequence[str], actors: Sequence[int | None], ends: Sequence[str]
) -> Iterator[_Turn]:
    """Moves in a row of one seat, with the chance after them.

    Where some moves end a turn, chance after such a one belongs to the turn that it opens.
    """
    alone = len({actor for actor in actors if actor is not None}) == 1
    turn: _Turn | None = None
    for move, actor in zip(moves, actors, strict=True):
        if turn is not None and _is_next(turn, actor, ends, alone):
            yield turn
            turn = None
        turn = turn or _Turn(actor, [])
        turn.seat = actor if turn.seat is None else turn.seat
        turn.moves.append(move)
    if turn is not None:
        yield turn


def _is_next(turn: _Turn, actor: int | None, ends: Sequence[str], alone: bool) -> bool:
    """Whether a move of this actor begins another turn."""
    if turn.moves[-1] in ends:
        return True
    if actor is None or (turn.seat is None and ends):
        return False
    return actor != turn.seat or (alone and not ends)
