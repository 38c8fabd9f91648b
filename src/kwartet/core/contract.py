"""What a game's modules define, so that mypy can check each of them.

Kernels trust their caller: states are valid, actions legal.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kwartet.core.chance import Generator, Lot
from kwartet.core.digest import Digest
from kwartet.core.features import Field
from kwartet.core.game import Options
from kwartet.core.picture import Picture


class Rules(Protocol):
    """The module `rules`."""

    @property
    def STATE(self) -> np.dtype[np.record]:
        """One state; a batch is an array of it."""

    @property
    def ACTIONS(self) -> int:
        """A seat's actions are 0 … ACTIONS − 1."""

    @property
    def CHANCE_ACTIONS(self) -> int:
        """Chance's outcomes are 0 … CHANCE_ACTIONS − 1; 0: no chance."""

    @property
    def SECRETS(self) -> bool:
        """Whether a seat holds or draws what others may not see; if not, all views are the same."""

    @property
    def MAX_LEGAL(self) -> int:
        """No state has more legal actions."""

    @property
    def MAX_ACTIONS(self) -> int:
        """No match has more actions, chance included."""

    def start(self, options: Options) -> npt.NDArray[np.void]:
        """An array of one state: the match before its first action."""

    def actor(self, state: np.record) -> int:
        """Who acts: a seat, `CHANCE` or `OVER`."""

    def legal_actions(self, state: np.record, out: npt.NDArray[np.int32]) -> int:
        """Write the actor's legal actions to `out`, ascending; return how many."""

    def apply(self, state: np.record, action: int) -> None:
        """Advance `state` in place by the actor's action."""

    def random_action(self, state: np.record, rng: Generator) -> int:
        """A legal action: uniform for a seat, as likely as it is for chance. No list is made."""

    def chance_weight(self, state: np.record, action: int) -> int:
        """How likely chance's outcome is, as a whole number relative to the others."""

    def seats(self, state: np.record) -> int:
        """How many seats play."""

    def scores(self, state: np.record, out: npt.NDArray[np.int32]) -> None:
        """Write each seat's score as it stands."""

    def winners(self, state: np.record, out: npt.NDArray[np.int8]) -> None:
        """Write 1 for each seat that wins, else 0. The match is over."""

    def redact(self, state: np.record, seat: int) -> None:
        """Remove what `seat` (or `SPECTATOR`) may not know."""

    def determinize(self, state: np.record, seat: int, rng: Generator) -> None:
        """Fill in what `redact` removed for `seat`, at random and consistent with the rest."""


class Luck(Protocol):
    """What the module `rules` of a game with chance has besides; `Modules(…, luck=rules)`."""

    def draw(self, state: np.record, lot: Lot) -> int:
        """The outcome of chance that lots say, each named after what is drawn. No kernel.

        The same thing must have the same name whatever the seats decided before, so that
        all who play a seat meet the same luck.
        """


class Features(Protocol):
    """The module `features`."""

    @property
    def FIELDS(self) -> Sequence[Field]:
        """The names and shapes of what `observe` writes, in order."""

    def observe(self, state: np.record, seat: int, out: npt.NDArray[np.float32]) -> None:
        """Write what `seat` may see to `out`, laid out as the features module says."""


class Notation(Protocol):
    """The module `notation`: moves as text. Chance's moves begin with `*`.

    Where a move has a secret the module also has `public(state, actor, move)`: what the others
    are told of it and the seat that knows the rest, or None. Where one move is written for a
    run of actions it has `is_open(state)`, whether the run goes on, and `join(moves)`, which
    makes one text of several. Where it also has `why(state, actor, action)`, that is what
    `objection` says, as a dict that any language can be made of: `game`, `reason` and the parts;
    the errors of `read` for moves that are not legal have one, too.
    """

    def names(self, state: np.record, actor: int, actions: Sequence[int]) -> list[str]:
        """Each action as a move."""

    def read(self, state: np.record, actor: int, move: str) -> list[int]:
        """The actions of a move; GameError if it is not notation."""

    def objection(self, state: np.record, actor: int, action: int) -> str:
        """Why this action, which is not legal, is not; a sentence."""


class Views(Protocol):
    """The module `view`.

    Where it helps to choose it also has `preview(state, piece)`: what the seat to act could do
    with a piece of its own, JSON-ready.
    """

    def view(self, state: np.record, seat: int) -> Any:
        """A dict, JSON-ready: the board as the seat sees it; the state is redacted."""

    def text(self, view: Any) -> str:
        """A view of a match as a picture in letters."""


class Pictures(Protocol):
    """The module `picture`, which a game may have.

    It may also have `trace(view, move)`, a `Trace` or None, to mark moves in pictures; and for a
    board that grows `room(view)`, which `draw` and `trace` then take as `within`.
    """

    def draw(self, view: Any) -> Picture:
        """A view of a match as shapes."""


class Screens(Protocol):
    """The module `screen`, which a game may have: the board for a terminal and for the ear.

    A span is a text and its style, such as `bold` or `white on #c0392b`; a line is made of spans.
    No meaning may rest on a style alone: where there are no colours the texts are all that is
    left. Seats are written `seat 0`; whoever shows them puts names there.
    """

    @property
    def LESSON(self) -> Sequence[str]:
        """The rules in short, a paragraph each."""

    def screen(self, view: Any, room: tuple[int, int]) -> Sequence[Sequence[tuple[str, str]]]:
        """The board in at most so many columns and rows, if that can be; else as it is."""

    def notes(self, view: Any) -> Sequence[Sequence[tuple[str, str]]]:
        """What the board does not tell, a line each."""

    def spoken(self, view: Any) -> Sequence[str]:
        """The board in sentences, for who cannot see it."""


class Solution(Protocol):
    """A game solved exactly under some options. `states` is an array of one state."""

    def choose(self, states: npt.NDArray[Any], seat: int) -> int:
        """The best action: alone for points, among others for the win."""

    def weigh(
        self, states: npt.NDArray[Any], seat: int, actions: Sequence[int]
    ) -> tuple[int, list[float]]:
        """The best action, and each one's worth: alone the final score, else a share of the win."""

    def judge(self, states: npt.NDArray[Any], seat: int, action: int) -> tuple[int, float]:
        """The best action for the score of a match played alone, and how much worse this one is."""

    def worths(self, states: npt.NDArray[Any], actions: Sequence[int]) -> npt.NDArray[np.float64]:
        """By action of the actor, a seat or chance, and by seat: result and final score after it.

        Exact for a match played alone.
        """


class Solutions(Protocol):
    """The module `solution`, which a game may have."""

    def find(self, options: Options) -> Solution | None:
        """The stored solution, if there is one."""

    def compute(self, options: Options, *, advance: Callable[[], object] = ...) -> Solution:
        """Make and store the solution; `advance` follows each of its steps."""

    def steps(self) -> int:
        """How often `compute` calls `advance`."""


class Tactics(Protocol):
    """What the module `tactics` may have of; the defaults are in `core.tactics`."""

    def candidates(self, state: np.record, out: npt.NDArray[np.int32]) -> int:
        """Write a seat's legal actions, of equivalent ones only the first; return how many."""

    def survey(self, state: np.record, out: npt.NDArray[np.int32]) -> None:
        """Write the notes that `describe` needs for any of this state's actions."""

    def describe(
        self,
        state: np.record,
        action: int,
        notes: npt.NDArray[np.int32],
        out: npt.NDArray[np.int32],
    ) -> int:
        """Write the numbers of the features that a seat's action has; return how many."""

    def sketch(self, state: np.record, seat: int, out: npt.NDArray[np.int32]) -> int:
        """Write the inputs of the position's `Look` that are on, as a seat sees it; how many.

        Of two seats only the one to act is asked for. 0: what the position's actions lead to is
        sketched instead, where two play.
        """

    def likely_action(self, state: np.record, rng: Generator) -> int:
        """A legal action for playing on quickly: `random_action`, or something better."""

    def outlook(self, state: np.record) -> tuple[int, int]:
        """How many turns from here a tree covers, and after how many playing on is broken off."""

    def reach(self, state: np.record) -> int:
        """After how many turns playing on for luck is broken off: as `outlook` says, or sooner."""

    def appraise(self, state: np.record, out: npt.NDArray[np.int32]) -> None:
        """Add to the points of each seat what it may expect, where playing on is broken off."""

    def unveil(self, state: np.record, seat: int) -> int:
        """Make of what the seat knows a match without secrets that is worth the same to all.

        Its end is then looked for; `proceed` plays it. Returns about how many positions that
        takes; 0 where there is none, or where it would be far too long.
        """

    def proceed(self, state: np.record, action: int) -> None:
        """Advance an unveiled state in place, as `apply` does or in its own way."""

    def identify(self, state: np.record, out: Digest) -> None:
        """Digest an unveiled state: those that are digested alike are worth the same to all.

        The best action is the same in them, too. 0: it is not worth remembering.
        """

    def forecast(
        self, state: np.record, points: npt.NDArray[np.float64], results: npt.NDArray[np.float64]
    ) -> None:
        """Write the final score and the result of each seat, where playing on is broken off."""
