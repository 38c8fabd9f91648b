"""What crosses the wire at tables and in lists: requests, commands, answers, what a watcher sees.

Requests are hostile until they are one of these; unknown fields and overlong texts are
refused by the types themselves. The API's description, the page's types and the Python
client all come from here, `accounts`, `drawn` and `afterwards`.
"""

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from kwartet.core.fairness import PART_LENGTH

NAME_LENGTH: Final = 24  # letters
Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=NAME_LENGTH,
        description="Something is left of it without spaces and what is not printed.",
    ),
]
Key = Annotated[str, Meta(max_length=64)]
RequestId = Annotated[str, Meta(max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, le=7)]
MOVE_LENGTH: Final = 200  # letters
Level = Literal["novice", "casual", "skilled", "expert", "master"]
OfferKind = Literal["takeback", "draw", "rematch"]
TableState = Literal["open", "preparing", "running", "over"]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """Something a client sends."""


# Tables ---------------------------------------------------------------------------------


class SeatWish(Request, frozen=True):
    """Who is to sit somewhere: the creator, anyone, who has the invitation, or a bot."""

    kind: Literal["me", "open", "invite", "bot"]
    level: Level | None = None  # of a bot
    name: Name | None = None  # of another person at the creator's device


class Clock(Request, frozen=True):
    """How long one may think: `live` for a whole match, `move` for each turn."""

    kind: Literal["live", "move"]
    seconds: Annotated[int, Meta(ge=10, le=30 * 86400)]
    increment: Annotated[int, Meta(ge=0, le=600)] = 0  # a live clock gets it back with each turn


class CreateTable(Request, frozen=True):
    """A new table. Seats left out are the creator's and, for the others, open."""

    game: Key
    options: dict[Key, Any] = {}
    seats: Annotated[list[SeatWish], Meta(max_length=8)] | None = None
    listed: bool | None = None  # else only who has the link finds it; None: if a seat is open
    clock: Clock | None = None
    takeback: bool = True
    hints: bool = True
    rated: bool = False  # then nothing may be taken back and nobody gets hints
    order: Literal["lot", "fixed"] = "lot"  # how seats are given to those who sit down
    promise: bool = False  # whether one will add a part to the luck, for which it then waits


# Commands at a table --------------------------------------------------------------------


class Command(Request, frozen=True, kw_only=True, tag_field="type"):
    """A wish of somebody at a table. With an `id`, one that is repeated is answered again."""

    id: RequestId = ""


class Play(Command, frozen=True, kw_only=True, tag="play"):
    """Play a move. `ply` says which position it is meant for."""

    ply: Annotated[int, Meta(ge=0)]
    move: Annotated[str, Meta(max_length=MOVE_LENGTH)]


class Sit(Command, frozen=True, kw_only=True, tag="sit"):
    """Take a seat: a certain one, one kept for the invited, or any that is open."""

    seat: SeatNumber | None = None
    invite: Key | None = None
    name: Name | None = None  # of who has chosen none yet; others keep theirs
    promise: bool = False  # whether one will add a part to the luck, for which it then waits


class Shuffle(Command, frozen=True, kw_only=True, tag="shuffle"):
    """Add one's part to the luck of the match, once, before it begins."""

    part: Annotated[str, Meta(min_length=1, max_length=PART_LENGTH)]  # that can be printed


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Get up from a table that has not started."""


class Start(Command, frozen=True, kw_only=True, tag="start"):
    """Start at once; bots of this level take the seats that are still open."""

    level: Level = "skilled"


class Offer(Command, frozen=True, kw_only=True, tag="offer"):
    """Ask the others to let one take a move back, to agree on a draw, or to play again."""

    kind: OfferKind


class Reply(Command, frozen=True, kw_only=True, tag="reply"):
    """Answer what another seat offers; or withdraw what one offers oneself."""

    accept: bool


class Resign(Command, frozen=True, kw_only=True, tag="resign"):
    """Give the match up, for one seat of one's own."""

    seat: SeatNumber | None = None


class HandOver(Command, frozen=True, kw_only=True, tag="handover"):
    """Let a bot play for somebody who is away."""

    seat: SeatNumber
    level: Level = "skilled"


class Return(Command, frozen=True, kw_only=True, tag="return"):
    """Take one's seat back from the bot that played for one."""


class Chat(Command, frozen=True, kw_only=True, tag="chat"):
    """Say something to everybody at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]


class Mute(Command, frozen=True, kw_only=True, tag="mute"):
    """The creator lets somebody speak at the table no more, or again."""

    player: Key
    muted: bool = True


class Hint(Command, frozen=True, kw_only=True, tag="hint"):
    """Ask what an expert would play, who knows no more than oneself."""


class Solve(Command, frozen=True, kw_only=True, tag="solve"):
    """Let the game be solved, so that one's decisions alone at a table can be judged."""


AnyCommand = (
    Play
    | Sit
    | Shuffle
    | Leave
    | Start
    | Offer
    | Reply
    | Resign
    | HandOver
    | Return
    | Chat
    | Mute
    | Hint
    | Solve
)
COMMANDS: tuple[type[Command], ...] = AnyCommand.__args__


# What a watcher sees --------------------------------------------------------------------


class ClockView(Struct, frozen=True):
    """How long one may think: `live` for a whole match, `move` for each turn."""

    kind: Literal["live", "move"]
    seconds: int
    increment: int = 0  # a live clock gets it back with each turn


class SeatView(Struct, frozen=True):
    """A seat as everybody sees it."""

    kind: Literal["open", "invite", "person", "bot"]
    name: str | None = None
    player: str | None = None  # whose profile to look at
    level: str | None = None  # of a bot, also of one that plays for somebody
    connected: bool = False
    stand_in: bool = False  # a bot plays for the person
    resigned: bool = False
    left: float | None = None  # seconds on the clock when the turn began
    invite: str | None = None  # the table's invitation, for those who sit there


class OfferView(Struct, frozen=True):
    """What a seat offers, and which seats have agreed."""

    kind: OfferKind
    seat: int
    agreed: list[int]


class DeclinedView(Struct, frozen=True):
    """What was offered last and declined since; by the seat that offered it: withdrawn."""

    kind: OfferKind
    seat: int


class ChatLine(Struct, frozen=True):
    """Something that was said."""

    number: int
    at: float
    player: str
    name: str
    text: str


class StepView(Struct, frozen=True):
    """A position on the way to the present one, as the watcher may see it."""

    ply: int  # the length of the log then
    seat: int | None  # that moved; None where the match began
    view: Any


class MatchView(Struct, frozen=True):
    """The match as the watcher may see it."""

    view: Any  # the game's own view; see docs/games
    hidden: bool  # whether seats see different things
    legal: list[str]  # what the watcher may play now
    since: int  # `log` replaces everything from this ply on
    log: list[str]
    turn_since: float | None  # when the seat to act began to think; null: no clock runs
    deadline: float | None  # until when its turn lasts, where each turn has its time
    steps: list[StepView] = []  # what the watcher has not been shown since the message before


Outcome = Literal["won", "shared", "drawn", "lost", "alone", "dropped"]


class ResultView(Struct, frozen=True):
    """How a match ended."""

    reason: Literal["played", "resigned", "time", "agreed", "dropped"]
    winners: list[int]
    scores: list[int]
    places: list[int]  # by seat, 0 is the best
    outcomes: list[Outcome] = []  # by seat


class Preparing(Struct, frozen=True):
    """What a table waits for: rules being compiled, or a game being solved."""

    what: Literal["rules", "solution"]
    done: int
    of: int


class OriginView(Struct, frozen=True):
    """The position of another match from which this one goes on."""

    table: str
    ply: int
    chance: Literal["anew", "same"]  # same: from the other match's seed, which has been told


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """The answer to what could not be done; nothing has changed."""

    code: str
    sentence: str
    id: str = ""
    reason: dict[str, Any] | None = None  # of an illegal move: why, in the game's own parts


class TableMessage(Struct, frozen=True, tag_field="type", tag="table"):
    """A table as one watcher sees it: whole, but for what it knows of the log and the chat."""

    id: str
    version: int  # grows with every change
    now: float  # the server's clock
    game: str
    title: str  # the game's
    options: dict[str, Any]
    rules: int
    state: TableState
    created: float
    creator: str
    listed: bool
    rated: bool
    takeback: bool
    hints: bool
    order: Literal["lot", "fixed"]
    clock: ClockView | None
    commitment: str  # the SHA-256 of the secret in all chance; "" if nobody knows it
    seats: list[SeatView]
    mine: list[int]  # the watcher's own seats
    may: list[str]  # commands that make sense for the watcher now, offers by their kind
    watchers: int
    host: str | None = None  # the name of who opened the table
    invite: str | None = None  # lets one take a seat kept for the invited; told to who sits here
    offer: OfferView | None = None
    declined: DeclinedView | None = None  # until the next move or offer
    chat: list[ChatLine] = []
    chat_since: int = 0  # `chat` replaces all lines with a higher number
    muted: list[str] = []
    match: MatchView | None = None
    result: ResultView | None = None
    preparing: Preparing | None = None
    trouble: Refused | None = None  # why the match cannot be shown or go on
    rematch: str | None = None  # where those who sat here play again, once all have agreed
    origin: OriginView | None = None  # where the match began, if it goes on from another
    imported: bool = False  # brought in and not played here; then the seal may be ""


class MatchChange(Struct, frozen=True, kw_only=True):
    """What differs in a match; `log` and `steps` are empty where they are left out."""

    view: dict[str, Any] | UnsetType = UNSET  # of its members those that differ
    legal: list[str] | UnsetType = UNSET
    since: int | UnsetType = UNSET
    log: list[str] | UnsetType = UNSET
    turn_since: float | UnsetType | None = UNSET
    deadline: float | UnsetType | None = UNSET
    steps: list[StepView] | UnsetType = UNSET


class ChangeMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="change"):
    """What differs from the message before; `chat` is empty where it is left out."""

    after: int  # the version of the message before
    version: int
    now: float
    state: TableState | UnsetType = UNSET
    seats: list[SeatView] | UnsetType = UNSET
    mine: list[int] | UnsetType = UNSET
    may: list[str] | UnsetType = UNSET
    watchers: int | UnsetType = UNSET
    invite: str | UnsetType | None = UNSET
    offer: OfferView | UnsetType | None = UNSET
    declined: DeclinedView | UnsetType | None = UNSET
    chat: list[ChatLine] | UnsetType = UNSET
    chat_since: int | UnsetType = UNSET
    muted: list[str] | UnsetType = UNSET
    match: MatchChange | UnsetType = UNSET
    result: ResultView | UnsetType | None = UNSET
    preparing: Preparing | UnsetType | None = UNSET
    trouble: Refused | UnsetType | None = UNSET
    rematch: str | UnsetType | None = UNSET


class Reason(Struct, frozen=True):
    """What a move does, in points, as far as the seat could know."""

    gain: float  # what it scores at once
    answer: float | None = None  # the most that the next seat can then score at once
    by: int | None = None  # which seat that is
    usual: float | None = None  # the same after an ordinary other move: the rest is prevented
    follow: float | None = None  # the most that one can score next oneself, if it stays open


class HintView(Struct, frozen=True):
    """A move that is advised, and what speaks for it."""

    move: str
    reason: Reason | None = None


class Accepted(Struct, frozen=True, tag_field="type", tag="accepted"):
    """The answer to a command that was carried out."""

    id: str
    version: int
    ply: int
    table: str | None = None  # where one plays again, once all have agreed
    hints: list[HintView] = []  # after `hint`: up to three moves, the best first


class Judged(Struct, frozen=True):
    """A decision beside the best one."""

    ply: int  # of the decision
    best: str  # a move that is best there
    loss: float  # how many points less can be expected of the one that was played


class CoachView(Struct, frozen=True):
    """One's decisions alone at a table, judged by the game's exact solution."""

    solved: bool  # else there is nothing to judge by yet
    ply: int  # up to which they are judged
    decisions: list[Judged]


class Ping(Request, frozen=True, tag_field="type", tag="ping"):
    """Are you there?"""


class Pong(Struct, frozen=True, tag_field="type", tag="pong"):
    """Yes."""

    now: float


FromServer = TableMessage | ChangeMessage | Accepted | Refused | Pong
ToServer = AnyCommand | Ping


# Lists, people --------------------------------------------------------------------------


class TableSummary(Struct, frozen=True):
    """A table in a list."""

    id: str
    game: str
    options: dict[str, Any]
    state: TableState
    created: float
    changed: float
    listed: bool
    rated: bool
    clock: ClockView | None
    seats: list[SeatView]
    actor: int | None = None
    deadline: float | None = None  # until when the running turn lasts, where each has its time
    scores: list[int] | None = None  # as they stand; None before the match, and in early logs
    ply: int = 0
    result: ResultView | None = None
    title: str = ""  # the game's
    imported: bool = False


class Lobby(Struct, frozen=True, tag_field="type", tag="lobby"):
    """What the home page shows: open tables, running ones to watch, and one's own."""

    open: list[TableSummary]
    running: list[TableSummary]
    mine: list[TableSummary]


class LobbyChange(Struct, frozen=True, tag_field="type", tag="lobby-change"):
    """What has changed since the message before. Lists are ordered by `changed`, the last first."""

    open: list[TableSummary] = []  # listed and open: new, or not as they were
    running: list[TableSummary] = []  # listed and running: the same
    gone: list[str] = []  # no longer listed
    mine: list[TableSummary] = []  # one's own: new, or not as they were
    mine_gone: list[str] = []  # no longer one's own


FromLobby = Lobby | LobbyChange | Refused | Pong


class TableList(Struct, frozen=True):
    """A page of tables, the latest change first; `next` asks for those before."""

    tables: list[TableSummary]
    next: float | None = None


class GameOption(Struct, frozen=True):
    """One of a game's options."""

    name: str
    default: Any
    choices: list[Any]
    summary: str


class BotLevel(Struct, frozen=True):
    """A level and how it plays."""

    level: str
    sentence: str
    solved: bool  # whether it looks the game's exact solution up


class GameInfo(Struct, frozen=True):
    """A game as one chooses it."""

    key: str
    title: str
    credit: str
    summary: str
    rules: int
    seats: list[int]
    draws: bool
    options: list[GameOption]
    levels: list[BotLevel]
    preparing: Preparing | None = None


class Rating(Struct, frozen=True):
    """How strong somebody is: openskill's mean and deviation, and the cautious number shown."""

    mu: float
    sigma: float
    matches: int
    shown: float  # mu − 3 sigma, on a scale where newcomers have 0


class Counts(Struct, frozen=True):
    """How often somebody's matches of a game ended in which way."""

    won: int = 0
    shared: int = 0  # the win, with others
    drawn: int = 0  # by agreement
    lost: int = 0
    alone: int = 0


class Profile(Struct, frozen=True):
    """What everybody may know of a player."""

    id: str
    name: str
    bot: bool
    since: float | None
    ratings: dict[str, Rating]
    counts: dict[str, Counts]  # by game


class Past(Struct, frozen=True):
    """A finished match in somebody's history."""

    table: str | None  # None: it is nobody else's business where
    game: str
    at: float
    seat: int
    score: int
    place: int
    outcome: Outcome
    seats: list[SeatView]
    scores: list[int]


class History(Struct, frozen=True):
    """A page of finished matches, the latest first."""

    matches: list[Past]
    next: float | None = None


class Best(Struct, frozen=True):
    """One of the best scores alone at a table."""

    table: str | None  # told to oneself
    at: float
    score: int


class Leader(Struct, frozen=True):
    """One of the strongest players of a game."""

    player: str
    name: str
    bot: bool
    rating: Rating


class Health(Struct, frozen=True):
    """How the server is."""

    status: Literal["ok", "unavailable"]
    version: str


encode = msgspec.json.Encoder().encode
