"""What happens at a table, as it stands in the log. A table is the sum of its entries.

An entry is one durable change; it may hold several events that belong together. The log
keeps secrets (the seed, what was drawn): it never leaves the server as it is.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from kwartet.server.messages import ChatLine, Clock, OfferKind, ResultView


class Event(Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Something that happened."""


class SeatPlan(Struct, frozen=True, omit_defaults=True):
    """Who is to sit on a seat."""

    kind: Literal["open", "invite", "person", "bot"]
    player: str | None = None  # who sits there; of an invitation, for whom it is
    name: str | None = None
    level: str | None = None
    invite: str | None = None  # the secret of an invitation, which was the seat's once


class Origin(Struct, frozen=True, omit_defaults=True):
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
    seed: str  # 32 bytes in hexadecimal; "": of an imported match, nobody knows it
    listed: bool = False
    rated: bool = False
    takeback: bool = True
    hints: bool = True
    order: Literal["lot", "fixed"] = "lot"
    clock: Clock | None = None
    host: str | None = None  # the creator's name
    invite: str | None = None  # the secret that lets people take seats kept for the invited
    chat: list[ChatLine] = []  # what was said at the table where these people played before
    muted: list[str] = []  # who may not speak, as there
    origin: Origin | None = None
    imported: bool = False  # the match was played elsewhere; its creator brought it in
    at: float | None = None  # when an imported match ended, if that is known


class Sat(Event, frozen=True, tag="sat"):
    """Somebody sat down."""

    seat: int
    player: str
    name: str


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


class Muted(Event, frozen=True, tag="muted"):
    """The creator closed or opened somebody's mouth."""

    player: str
    muted: bool


class Ended(Event, frozen=True, tag="ended"):
    """The match is over."""

    result: ResultView


class Dropped(Event, frozen=True, tag="dropped"):
    """Who sat there alone with bots put the match away; it counts nowhere."""


class Rematched(Event, frozen=True, tag="rematched"):
    """All have agreed to play again, at another table."""

    table: str


AnyEvent = (
    Created
    | Sat
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
    | Muted
    | Ended
    | Dropped
    | Rematched
)


class Body(Struct, frozen=True, omit_defaults=True):
    """What an entry of the log says."""

    events: list[AnyEvent]
    by: str | None = None  # the player who wished it
    request: str = ""  # the id of the wish
    digest: str = ""  # which wish it was
    time: float | None = None  # house time when the wish came in; None: the entry's own time
    decided: float | None = None  # house time when it was carried out, if that was later


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Body).decode
