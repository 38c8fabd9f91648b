"""What happens at a table, as it stands in the log. A table is the sum of its entries.

An entry is one durable change; it may hold several events that belong together. The log
keeps secrets (the seed, what was drawn): it never leaves the server as it is.

The log outlives the program: its types are its own, none of them crosses the wire. A field may
be added here with a default; whatever else changes makes a new `VERSION`, and the one before
gets a reader of its own. What this program does not know is refused, never guessed.
"""

from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from kwartet.core.errors import GameError

UNREADABLE: Final = ("unknown-entry", "damaged-entry")  # codes of what cannot be read
VERSION: Final = 2  # of entries that are written; those of 1 do not tell theirs

OfferKind = Literal["takeback", "draw", "rematch"]
Reason = Literal["played", "resigned", "time", "agreed", "dropped"]
Outcome = Literal["won", "shared", "drawn", "lost", "alone", "dropped"]
DAY: Final = 86400  # seconds


class Part(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A part of something that happened."""


class Event(Struct, frozen=True, tag_field="type", omit_defaults=True, forbid_unknown_fields=True):
    """Something that happened."""


class Clock(Part, frozen=True):
    """How long one may think: `live` for a whole match, `move` for each turn."""

    kind: Literal["live", "move"]
    seconds: int
    increment: int = 0  # a live clock gets it back with each turn

    @property
    def is_over_days(self) -> bool:
        """Whether nobody is expected to wait at the table."""
        return self.kind == "move" and self.seconds >= DAY


class Line(Part, frozen=True):
    """Something that was said at another table."""

    number: int
    at: float
    player: str
    name: str
    text: str


class Result(Part, frozen=True):
    """How a match ended."""

    reason: Reason
    winners: list[int]
    scores: list[int]
    places: list[int]  # by seat, 0 is the best
    outcomes: list[Outcome] = []  # by seat


class SeatPlan(Part, frozen=True):
    """Who is to sit on a seat."""

    kind: Literal["open", "invite", "person", "bot"]
    player: str | None = None  # who sits there; of an invitation, for whom it is
    name: str | None = None
    level: str | None = None
    invite: str | None = None  # the secret of an invitation, which was the seat's once


class Origin(Part, frozen=True):
    """Where a match goes on from: the first moves of another."""

    table: str
    ply: int
    moves: list[str]
    same: bool = False  # whether luck comes from the other match's seed, too


class Created(Event, frozen=True, tag="created"):
    """A table was opened."""

    game: str
    rules: int
    options: dict[str, Any]
    seats: list[SeatPlan]
    creator: str
    seed: str  # 32 bytes in hexadecimal; "": made of the secret and parts, or unknown
    listed: bool = False
    rated: bool = False
    takeback: bool = True
    hints: bool = True
    order: Literal["lot", "fixed"] = "lot"
    clock: Clock | None = None
    host: str | None = None  # the creator's name
    invite: str | None = None  # the secret that lets people take seats kept for the invited
    chat: list[Line] = []  # what was said at the table where these people played before
    muted: list[str] = []  # who may not speak, as there
    origin: Origin | None = None
    imported: bool = False  # the match was played elsewhere; its creator brought it in
    at: float | None = None  # when an imported match ended, if that is known
    secret: str = ""  # 32 bytes in hexadecimal to which people add parts; "": the seed stands
    promised: list[str] = []  # the players at their seats who will add one


class Sat(Event, frozen=True, tag="sat"):
    """Somebody sat down."""

    seat: int
    player: str
    name: str
    promised: bool = False  # whether a part for the luck will come


class Parted(Event, frozen=True, tag="parted"):
    """Who sits there added a part to the luck."""

    seat: int
    part: str


class Left(Event, frozen=True, tag="left"):
    """Somebody got up."""

    seat: int


class Filled(Event, frozen=True, tag="filled"):
    """A bot took a seat."""

    seat: int
    level: str


class Started(Event, frozen=True, tag="started"):
    """The match began; `lot[i]` is which of the planned seats became seat i."""

    lot: list[int]
    moves: list[str]  # chance before the first decision
    actor: int  # the seat that begins
    scores: list[int] | None = None  # as they stand then; not told once


class Played(Event, frozen=True, tag="played"):
    """A seat's move and the chance it caused."""

    seat: int
    moves: list[str]
    actor: int | None  # the seat to act next; None when the match is over
    scores: list[int] | None = None
    thought: float | None = None  # seconds on a bot's clock; of people the entry's time tells


class Offered(Event, frozen=True, tag="offered"):
    """A seat asks the others for something."""

    kind: OfferKind
    seat: int


class Agreed(Event, frozen=True, tag="agreed"):
    """A seat agrees to what is offered."""

    seat: int


class Declined(Event, frozen=True, tag="declined"):
    """What was offered is off; the seat that said no was not noted once."""

    seat: int | None = None


class TookBack(Event, frozen=True, tag="took-back"):
    """Everything from this ply on was taken back."""

    ply: int
    actor: int
    scores: list[int] | None = None


class Resigned(Event, frozen=True, tag="resigned"):
    """A seat gave up; where others play on, a bot moves for it."""

    seat: int
    reason: Literal["resigned", "time"] = "resigned"


class HandedOver(Event, frozen=True, tag="handed-over"):
    """A bot plays for somebody who is away."""

    seat: int
    level: str


class Returned(Event, frozen=True, tag="returned"):
    """The person is back."""

    seat: int


class Said(Event, frozen=True, tag="said"):
    """Somebody said something."""

    player: str
    name: str
    text: str


class Renamed(Event, frozen=True, tag="renamed"):
    """Somebody who sits here is called something else from now on."""

    player: str
    before: str  # what the seat said; where it says something else nothing changes
    name: str


class Muted(Event, frozen=True, tag="muted"):
    """The creator closed or opened somebody's mouth."""

    player: str
    muted: bool


class Ended(Event, frozen=True, tag="ended"):
    """The match is over."""

    result: Result


class Dropped(Event, frozen=True, tag="dropped"):
    """Who sat there alone with bots put the match away; it counts nowhere."""


class Rematched(Event, frozen=True, tag="rematched"):
    """All have agreed to play again, at another table."""

    table: str


class Rewritten(Event, frozen=True, tag="rewritten"):
    """Entries before this one were written anew: what was read of them before does not hold."""


AnyEvent = (
    Created
    | Sat
    | Parted
    | Left
    | Filled
    | Started
    | Played
    | Offered
    | Agreed
    | Declined
    | TookBack
    | Resigned
    | HandedOver
    | Returned
    | Said
    | Renamed
    | Muted
    | Ended
    | Dropped
    | Rematched
    | Rewritten
)


class Body(Part, frozen=True):
    """What an entry of the log says."""

    events: list[AnyEvent]
    by: str | None = None  # the player who wished it
    request: str = ""  # the id of the wish
    digest: str = ""  # which wish it was
    time: float | None = None  # house time when the wish came in; None: the entry's own time
    decided: float | None = None  # house time when it was carried out, if that was later
    version: int = 1  # of what is written here


class _Stamp(Struct, frozen=True):
    """What every entry of whatever version has."""

    version: int = 1


_encode = msgspec.json.Encoder().encode
_stamp = msgspec.json.Decoder(_Stamp).decode
_decode = msgspec.json.Decoder(Body).decode

# Those of 1 are those of 2 without the house's time and what bots thought.
READERS: Final[dict[int, Callable[[bytes], Body]]] = {1: _decode, 2: _decode}


def encode(body: Body) -> bytes:
    """The entry as it is stored from now on."""
    return _encode(msgspec.structs.replace(body, version=VERSION))


def decode(text: bytes) -> Body:
    """The entry as any version up to this one stored it.

    GameError `unknown-entry` if none of them did, `damaged-entry` if no program ever did.
    """
    try:
        version = _stamp(text).version
        if version not in READERS:
            raise msgspec.ValidationError(f"It is of version {version}.")
        return READERS[version](text)
    except msgspec.ValidationError as problem:
        raise GameError(
            "unknown-entry",
            "This table was written by another version of the program, which cannot be read here.",
        ) from problem
    except (msgspec.DecodeError, ValueError, RecursionError) as problem:  # not even JSON
        raise damaged() from problem


def damaged() -> GameError:
    """What is said of an entry that is torn, or does not fit those before it."""
    return GameError(
        "damaged-entry",
        "What is kept of this table is damaged. Tell who runs this server; a backup may have it.",
    )
