"""What the store holds, row by row, and the errors it raises. Times are seconds since 1970."""

from collections.abc import Callable
from typing import Literal

import msgspec

from kwartet.core.errors import GameError

State = Literal["open", "running", "over"]
Kind = Literal["token", "link"]

Skill = tuple[float, float]  # mu and sigma
Rate = Callable[[list[Skill | None]], list[Skill]]  # before (None: never rated) -> after, by result


class StoreError(GameError):
    """The database refused or is away; read the log again before going on.

    `store-unavailable`: it cannot be reached. `store-failed`: it refused, as when the disk is full.
    """

    @property
    def is_away(self) -> bool:
        """Whether nothing can be asked for now; else what was asked for failed alone."""
        return self.code == "store-unavailable"


class Conflict(GameError):
    """Somebody else has written that entry, or its table is gone. Nothing was changed."""


class Entry(msgspec.Struct, frozen=True):
    """One change of a table."""

    table: str
    number: int  # from 1, without gaps
    at: float
    body: bytes  # the store does not look into it


class TableRow(msgspec.Struct, frozen=True):
    """What is known of a table without reading its entries."""

    id: str
    game: str
    state: State
    listed: bool
    created: float
    changed: float
    deadline: float | None = None  # when a clock runs out
    bot_due: bool = False  # a bot is to act, or a full table has not begun
    summary: bytes = b""  # the store does not look into it
    players: list[str | None] = []  # by seat; None: no one yet


class Result(msgspec.Struct, frozen=True):
    """How one seat ended."""

    seat: int
    player: str
    score: int
    rank: int  # 0 is the best; shared ranks are equal
    outcome: str  # what the table calls it


class Snapshot(msgspec.Struct, frozen=True):
    """What a table was after some entry, for who can read it."""

    table: str
    number: int  # of the entry
    form: str  # who wrote it so
    body: bytes  # the store does not look into it


class Player(msgspec.Struct, frozen=True):
    """A person, or a bot with a name."""

    id: str
    name: str
    created: float


class Secret(msgspec.Struct, frozen=True):
    """What a token or link is good for; of itself only a hash is kept."""

    id: str  # to name it by, tells nothing of the secret
    player: str
    kind: Kind
    name: str
    created: float
    expires: float | None  # the reader compares it with the clock


class Subscription(msgspec.Struct, frozen=True):
    """A browser of a player's, and where to send what it is to show."""

    endpoint: str  # at its push service; one browser has one
    player: str
    key: bytes
    auth: bytes
    created: float
    device: str = ""  # the player's, where it is known


class Device(msgspec.Struct, frozen=True):
    """A browser in which somebody is known by a cookie."""

    id: str
    player: str
    name: str  # such as "Firefox, Android"
    created: float
    seen: float  # within a day or so


class Ban(msgspec.Struct, frozen=True):
    """Who is kept out: a player, or all addresses of a network."""

    id: str
    player: str | None
    network: str | None
    reason: str
    created: float
    until: float | None  # None: for good


class Report(msgspec.Struct, frozen=True):
    """What somebody says is wrong: with a person, at a table, with a line said there."""

    id: str
    at: float
    reporter: str
    player: str | None  # who is meant
    name: str | None  # that person's, at that time; "" without a player: they were forgotten
    table: str | None
    line: int | None  # of the table's chat
    reason: str
    words: str
    done: float | None = None  # when it was dealt with


class ReviewMark(msgspec.Struct, frozen=True):
    """How far a review is, without its findings."""

    care: str
    digest: str
    done: int


class ReviewRow(msgspec.Struct, frozen=True):
    """What has been found out about a match that is over, with one care."""

    table: str
    care: str
    digest: str  # of what was asked: another one's findings are of no use
    at: float
    done: int
    total: int
    findings: bytes  # the store does not look into it


class Rating(msgspec.Struct, frozen=True):
    """A player's strength at a game."""

    player: str
    game: str
    mu: float
    sigma: float
    matches: int


class HistoryRow(msgspec.Struct, frozen=True):
    """A finished table as one of its seats saw it."""

    table: str
    game: str
    at: float
    seat: int
    score: int
    rank: int
    outcome: str
    skill: Skill | None  # after the match; None: it was not rated
    listed: bool  # whether the table was
    results: list[Result]  # of all seats, this one too


class Best(msgspec.Struct, frozen=True):
    """A score that someone reached alone."""

    table: str
    at: float
    score: int
