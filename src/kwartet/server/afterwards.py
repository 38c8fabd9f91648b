"""What crosses the wire about a match that is over: its replay, its review, records, fairness.

The types of `messages` for everything after the end. None of them is told while a match runs.
"""

from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from kwartet.server.messages import (
    MOVE_LENGTH,
    Key,
    Pong,
    Preparing,
    Reason,
    Refused,
    Request,
    SeatWish,
)

Ply = Annotated[int, Meta(ge=0, le=100_000)]
CareName = Literal["quick", "normal", "thorough"]
VerdictName = Literal["best", "fine", "slip", "mistake", "blunder"]
Move = Annotated[str, Meta(max_length=MOVE_LENGTH)]
IMPORT_LENGTH: Final = 60_000  # letters of a match from elsewhere
IMPORT_BYTES: Final = 4 * IMPORT_LENGTH + 10_000  # of a request with one

# Replay ---------------------------------------------------------------------------------


class ReplayStep(Struct, frozen=True):
    """What lay on the table after so many moves."""

    ply: int
    view: Any  # the game's, from the seat that was asked for


class Replay(Struct, frozen=True):
    """A finished match, some of its positions at a time."""

    total: int  # moves of the match; there is a position after each, and one before
    seat: int | None  # whose eyes; None: an onlooker's
    actors: list[int | None]  # by ply, who moved; None is chance
    log: list[str]  # by ply, as that seat knew it
    steps: list[ReplayStep]  # from `since` on, at most 64


class Position(Struct, frozen=True):
    """Where somebody had to decide: what they saw, and what they could have done."""

    ply: int
    seat: int
    view: Any
    legal: list[str]


# Review ---------------------------------------------------------------------------------


class Figure(Struct, frozen=True):
    """On both scales: the result from −1 to 1, and points."""

    win: float
    points: float


class OptionView(Struct, frozen=True):
    """A move that was weighed."""

    move: str
    worth: Figure  # to the seat that decided
    reason: Reason | None = None


class DecisionView(Struct, frozen=True):
    """A move that somebody made, and what it lost against the best one."""

    ply: int
    seat: int
    move: str
    best: str
    loss: Figure
    error: Figure
    verdict: VerdictName
    exact: bool
    forced: bool  # there was one legal move
    options: list[OptionView]  # the best few and the one played


class ChanceView(Struct, frozen=True):
    """A draw, a roll, a lay-out, and what it changed for each seat."""

    ply: int
    outcome: str
    luck: list[Figure]
    sampled: bool


class AccountView(Struct, frozen=True):
    """How a seat came to its result: start + luck + own + others + unexplained = result."""

    seat: int
    start: Figure
    luck: Figure
    own: Figure
    others: Figure
    unexplained: Figure
    result: Figure
    adjusted: Figure
    accuracy: float | None
    verdicts: dict[VerdictName, int]


class WorthView(Struct, frozen=True):
    """What each seat could expect before a ply; after the last one, what they came to."""

    ply: int
    seats: list[Figure]


class ReviewMessage(Struct, frozen=True, tag_field="type", tag="review"):
    """A review as far as it is; the lists have what is new since the message before."""

    judge: str  # a bot's name
    care: CareName
    state: Literal["none", "waiting", "making", "stopped", "done"]
    ahead: int  # reviews that are made before this one
    done: int  # plies that have been looked at
    total: int
    decided: int  # decisions that have been judged
    decisions_total: int
    scale: Literal["win", "points"]  # what people of this game talk about
    ended: bool  # played to its end; else the results are what could be expected at last
    since: int  # 0: this is whole, forget what was told before
    decisions: list[DecisionView]
    chances: list[ChanceView]
    worth: list[WorthView]
    seats: list[AccountView]  # always all of them, so far
    preparing: Preparing | None = None  # what it waits for: machine code, the game's solution


class AskReview(Request, frozen=True, tag_field="type", tag="ask"):
    """Have the review made, or made with more care."""

    care: CareName = "normal"


class LookNext(Request, frozen=True, tag_field="type", tag="next"):
    """Judge this ply before the others."""

    ply: Ply


class StopReview(Request, frozen=True, tag_field="type", tag="stop"):
    """No longer wanted; what has been found is kept."""


class ReviewPing(Request, frozen=True, tag_field="type", tag="ping"):
    """Are you there?"""


ToReviewer = AskReview | LookNext | StopReview | ReviewPing
FromReviewer = ReviewMessage | Refused | Pong


class Try(Request, frozen=True):
    """Another move at a decision, to be judged."""

    ply: Ply
    move: Move
    care: CareName = "normal"  # as the review's


class Tried(Struct, frozen=True):
    """What another move would have lost against the best one."""

    ply: int
    move: str
    loss: Figure
    error: Figure
    verdict: VerdictName
    exact: bool
    reason: Reason | None = None


# Playing on, records --------------------------------------------------------------------


class Branch(Request, frozen=True):
    """A new table that goes on from a position of a finished match."""

    ply: Ply
    seats: Annotated[list[SeatWish], Meta(max_length=8)]
    chance: Literal["anew", "same"] = "anew"  # drawn again, or as it came
    promise: bool = False  # whether one will add a part to what is drawn again


class ImportRecord(Request, frozen=True):
    """A match from elsewhere: a record as JSON, a sheet, or moves of a game typed in."""

    text: Annotated[str, Meta(max_length=IMPORT_LENGTH)]
    game: Key | None = None  # of moves alone
    options: dict[Key, Any] | None = None
    players: Annotated[list[Annotated[str, Meta(max_length=24)]], Meta(max_length=8)] | None = None


class Trouble(Struct, frozen=True):
    """The first move that is wrong."""

    ply: int
    move: str
    sentence: str
    possible: list[str]  # some of what was possible
    reason: Any = None  # the game's, in parts


class Checked(Struct, frozen=True):
    """How far an import is good."""

    game: str
    options: dict[str, Any]
    players: list[str]
    moves: list[str]  # the good ones
    actor: int | None  # who is to act after them; −1 is chance
    legal: list[str]  # some of what is possible then
    over: bool
    view: Any  # the position after them, as an onlooker sees it
    trouble: Trouble | None
