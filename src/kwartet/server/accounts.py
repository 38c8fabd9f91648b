"""What people ask and are told about themselves: names, devices, tokens, what is kept of them."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from kwartet.server.messages import Key, Name, Rating, Request

Endpoint = Annotated[
    str,
    Meta(
        max_length=1000,
        description="Of a push service: https on port 443, at a name or a public address, with "
        "neither user nor fragment, in printable ASCII.",
        extra_json_schema={"format": "uri"},
    ),
]


class Me(Struct, frozen=True):
    """Oneself."""

    id: str
    name: str
    named: bool  # whether one chose the name
    ratings: dict[str, Rating]


class Rename(Request, frozen=True):
    """Choose a name."""

    name: Name


class MakeToken(Request, frozen=True):
    """Ask for a token with which a script plays as oneself."""

    name: Name


class Token(Struct, frozen=True):
    """A token; the secret itself is told once."""

    id: str
    name: str
    created: float
    secret: str | UnsetType = UNSET


class Device(Struct, frozen=True):
    """A browser in which one is known by a cookie."""

    id: str
    name: str  # such as "Firefox, Android"; "" if it does not say
    created: float
    seen: float  # within a day or so
    here: bool  # whether it is the one that asks


class ExportedSubscription(Struct, frozen=True):
    """A browser that is told of one's turns."""

    service: str  # where
    created: float


class ExportedResult(Struct, frozen=True):
    """How a match ended for one."""

    table: str
    game: str
    at: float
    seat: int
    score: int
    place: int
    outcome: str


class ExportedLine(Struct, frozen=True):
    """Something one said."""

    at: float
    text: str


class ExportedTable(Struct, frozen=True):
    """What is kept of a table where one sat, or which one opened, or where one spoke."""

    table: str
    game: str
    created: float
    own: bool  # whether one opened it
    chat: list[ExportedLine]
    record: dict[str, Any] | None  # of a finished match that one played


class Export(Struct, frozen=True):
    """Everything that is kept of oneself."""

    me: Me
    since: float | None  # None: one has done nothing yet
    devices: list[Device]
    tokens: list[Token]
    notifications: list[ExportedSubscription]
    blocked: list[str]  # players
    results: list[ExportedResult]
    tables: list[ExportedTable]
    unreadable: list[str]  # tables whose log this server cannot read; they are left out


class Forget(Request, frozen=True):
    """Delete everything that is kept of oneself; the name is typed so that it is meant."""

    name: Name


class Block(Request, frozen=True):
    """Be spared somebody."""

    player: Key


class Blocked(Struct, frozen=True):
    """Somebody one is spared."""

    player: str
    name: str


ReportReason = Literal["insult", "name", "cheating", "spam", "other"]


class MakeReport(Request, frozen=True):
    """Tell who runs the server what is wrong: with a person, a table, or a line said there."""

    reason: ReportReason
    player: Key | None = None
    table: Key | None = None
    line: Annotated[int, Meta(ge=1)] | None = None
    words: Annotated[str, Meta(max_length=500)] = ""


class Link(Struct, frozen=True):
    """A personal link: who opens it within the hour goes on as oneself."""

    url: str
    secret: str
    expires: float


class Claim(Request, frozen=True):
    """Use a personal link."""

    secret: Annotated[str, Meta(max_length=128)]


class PushKey(Struct, frozen=True):
    """What a browser subscribes with at its push service."""

    key: str


class SubscriptionKeys(Request, frozen=True):
    """What a message to a browser is sealed with."""

    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=32)]


class Subscribe(Request, frozen=True):
    """Have this browser told when one's turn begins and one is not at the table."""

    endpoint: Endpoint
    keys: SubscriptionKeys


class Unsubscribe(Request, frozen=True):
    """Have it told no more."""

    endpoint: Endpoint
