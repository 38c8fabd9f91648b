"""Matches from elsewhere: recognised, played move by move, and told as a finished table's log.

Whoever sends one may have written anything: what is kept was checked by the rules or by the
types here, everything else is left behind.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_args

import msgspec
from msgspec import Meta, Struct

from kwartet.core import strict_json
from kwartet.core.errors import GameError, quoted, some_of
from kwartet.core.fairness import Luck, commitment, read_luck
from kwartet.core.sheet_reading import is_sheet, read_sheet, split_moves
from kwartet.games import find
from kwartet.server import events as e
from kwartet.server import messages as m
from kwartet.server.afterwards import Checked, ImportRecord, Trouble
from kwartet.server.conduct.playing import as_events, places
from kwartet.server.conduct.scene import Person
from kwartet.server.identity import clean_name

if TYPE_CHECKING:
    from kwartet.core.match import Match

POSSIBLE: Final = 60  # moves that are told of all that were possible
LATEST: Final = 253_402_300_799  # the last second of the year 9999
Count = Annotated[int, Meta(ge=0, le=100_000)]


class OriginTold(Struct, frozen=True):
    """Where a record says that its match went on from."""

    table: m.Key
    ply: Count
    chance: Literal["anew", "same"] = "anew"


class About(Struct, frozen=True):
    """What a record may tell besides the match."""

    players: Annotated[list[str], Meta(max_length=8)] | None = None
    at: Annotated[float, Meta(ge=0, le=LATEST)] | None = None
    order: Literal["lot", "fixed"] = "fixed"
    lot: Annotated[list[Count], Meta(max_length=8)] | None = None
    commitment: str | None = None
    origin: OriginTold | None = None
    result: m.ResultView | None = None


@dataclass(frozen=True)
class Draft:
    """A match from elsewhere as far as its moves are good."""

    match: "Match"
    seed: str  # in hexadecimal; "": unknown
    luck: Luck | None  # what the seed was made of, if it was
    players: list[str]
    about: About
    trouble: Trouble | None

    @property
    def is_over(self) -> bool:
        """Whether it was played to its end, or broken off as its record says."""
        return self.trouble is None and (self.match.actor is None or self.about.result is not None)

    def without(self, hidden: set[str]) -> "Draft":
        """The same with whoever has a name that nobody may have called by their number."""
        names = ["" if name in hidden else name for name in self.players]
        return replace(self, players=_names(names, len(names)))


def recognised(wish: ImportRecord) -> dict[str, Any]:
    """The record that a text is, or moves are; GameError if it is none. No move is played yet."""
    from kwartet.core.match import RECORD_FORMAT
    from kwartet.core.records import checked_fields

    if is_sheet(wish.text):
        return checked_fields(read_sheet(wish.text))
    text = wish.text.removeprefix("\ufeff").strip()
    if text.startswith(("{", "[")):
        return checked_fields(strict_json.parse(text, "The record"))
    if wish.game is None:
        raise GameError("bad-request", "Say which game these moves are of.")
    return {
        "kwartet": RECORD_FORMAT,
        "game": wish.game,
        "rules": find(wish.game).version,
        "options": wish.options or {},
        "moves": split_moves(text),
    }


def followed(record: dict[str, Any], players: list[str] | None) -> Draft:
    """Play a record's moves up to the first bad one; GameError if something else is wrong."""
    from kwartet.core.records import begun, check_end

    about = _about(record)
    match = begun(record, find)
    trouble = None
    for move in record["moves"]:
        try:
            match.play(move)
        except GameError as error:
            trouble = _trouble(match, move, error)
            break
    seed = bytes.fromhex(record.get("seed") or "")
    luck = read_luck(record)
    sealed = luck.secret if luck else seed
    if sealed and about.commitment and about.commitment.lower() != commitment(sealed):
        raise GameError("bad-record", "The record's seed is not the one that was promised.")
    if luck and (luck.seed != seed or len(luck.parts) != match.seats):
        raise GameError("bad-record", "The record's seed is not made of its secret and parts.")
    if trouble is None:
        check_end(record, match)
        _check_about(about, match)
    names = _names(players or about.players or [], match.seats)
    return Draft(match, seed.hex(), luck, names, about, trouble)


def checked(draft: Draft) -> Checked:
    """What the sender is told of it."""
    match = draft.match
    return Checked(
        game=match.game.key,
        options=match.options,
        players=draft.players,
        moves=match.moves,
        actor=None if draft.is_over else match.actor,
        legal=[] if draft.is_over else match.legal()[:POSSIBLE],
        over=draft.is_over,
        view=match.view(None),
        trouble=draft.trouble,
    )


def plan_import(person: Person, draft: Draft) -> tuple[e.Created, list[e.AnyEvent]]:
    """The table that the match becomes, and all that happened there; GameError if it is not over.

    Nobody sits there: names are names, and the match counts for nobody.
    """
    match, about = draft.match, draft.about
    if draft.trouble:
        number = draft.trouble.ply + 1
        sentence = f"Move {number}, {quoted(draft.trouble.move)}, is bad. {draft.trouble.sentence}"
        raise GameError("bad-record", sentence, draft.trouble.reason)
    if not draft.is_over:
        raise GameError("not-over", "That match is under way; one that is over can be brought in.")
    lot = about.lot if about.order == "lot" and about.lot else list(range(match.seats))
    planned = dict(zip(lot, draft.players, strict=True))
    created = e.Created(
        game=match.game.key,
        rules=match.version,
        options=match.options,
        seats=[_seat(planned[number]) for number in range(match.seats)],
        creator=person.id,
        host=person.name,
        seed="" if draft.luck else draft.seed,
        secret=draft.luck.secret.hex() if draft.luck else "",
        order=about.order,
        origin=_origin(about.origin, match),
        imported=True,
        at=about.at,
    )
    parts = enumerate(draft.luck.parts if draft.luck else [])
    added = [e.Parted(seat, part) for seat, part in parts if part is not None]
    ended = e.Ended(_result(about.result, match))
    moves = as_events(match.beginning(), match.moves, lot, draws=False)
    return created, [*added, *moves, ended]


def _about(record: dict[str, Any]) -> About:
    try:
        return msgspec.convert(record, About)
    except msgspec.ValidationError as error:
        raise GameError("bad-record", f"What the record tells of the match: {error}.") from None


def _trouble(match: "Match", move: str, error: GameError) -> Trouble:
    legal = match.legal()
    sentence = error.sentence.removesuffix(f" Possible: {some_of(legal)}.")
    return Trouble(
        ply=match.ply,
        move=_sendable(move[: m.MOVE_LENGTH]),
        sentence=_sendable(sentence),
        possible=legal[:POSSIBLE],
        reason=error.reason,
    )


def _sendable(text: str) -> str:
    """The text without halves of characters, which have no encoding."""
    return text.encode(errors="replace").decode()


def _check_about(about: About, match: "Match") -> None:
    """GameError if what is told of the match does not fit what was played."""
    seats = list(range(match.seats))
    if about.order == "lot" and sorted(about.lot or ()) != seats:
        raise GameError("bad-record", "The record's 'lot' is not an order of the seats.")
    if about.origin and about.origin.ply > match.ply:
        raise GameError("bad-record", "The record's 'origin' is after its last move.")
    result = about.result
    if result is None:
        return
    first = [seat for seat, place in enumerate(result.places) if place == 0]
    is_sound = (
        result.winners in ([], first)
        and len(result.places) == len(seats)
        and set(result.places) <= set(seats)
        and result.scores == match.scores()
    )
    played = (result.reason == "played") == (match.actor is None)
    if not is_sound or not played or (match.actor is None and result.winners != match.winners()):
        raise GameError("bad-record", "The record's 'result' is not that of its moves.")


def _names(given: list[str], seats: int) -> list[str]:
    """A name for each seat; who has none is numbered."""
    if len(given) > seats:
        raise GameError("bad-request", f"There are {seats} seats, not {len(given)}.")
    given = given + [""] * (seats - len(given))
    return [_name(name) or f"Player {number}" for number, name in enumerate(given, 1)]


def _name(given: str) -> str:
    try:
        return clean_name(given)[: m.NAME_LENGTH].strip()
    except GameError:
        return ""


def _seat(name: str) -> e.SeatPlan:
    level = name.removeprefix("bot:")
    if level != name and level in get_args(m.Level):
        return e.SeatPlan("bot", level=level)
    return e.SeatPlan("person", name=name)


def _origin(given: OriginTold | None, match: "Match") -> e.Origin | None:
    if given is None:
        return None
    return e.Origin(
        _sendable(given.table), given.ply, match.moves[: given.ply], given.chance == "same"
    )


def _result(given: m.ResultView | None, match: "Match") -> e.Result:
    """The result as it was given, else as the moves give it."""
    if given is not None:
        return e.Result(given.reason, given.winners, given.scores, given.places)
    winners, scores = match.winners(), match.scores()
    merits = [(seat in winners, score) for seat, score in enumerate(scores)]
    return e.Result("played", winners, scores, places(merits))
