"""The verbs of a game, and how they find its rules.

`Rules` is the contract: the kernels that a game's `rules` and `features` modules
define; `Tactics` are those that it may add. For each there is a verb of the same name
in this module that dispatches on the record's type, in compiled code through Numba's
`overload` and in Python by look-up. Algorithms are written once, against the verbs.
"""

from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from numba.extending import overload

from kwartet.core import fingerprints
from kwartet.core.chance import Generator, Lot
from kwartet.core.game import Options
from kwartet.core.kernels import JIT

CHANCE: Final = -1  # an actor: a draw, a roll, a lay-out is due
OVER: Final = -2  # an actor: nobody, the match has ended
SPECTATOR: Final = -3  # in place of a seat: one who sees no hand

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


class Rules(Protocol):
    """What a game defines. Kernels trust their caller: states are valid, actions legal."""

    STATE: np.dtype[np.record]  # one state; a batch is an array of it
    ACTIONS: int  # a seat's actions are 0 … ACTIONS − 1
    CHANCE_ACTIONS: int  # chance's outcomes are 0 … CHANCE_ACTIONS − 1; 0: no chance
    SECRETS: bool  # whether a seat holds or draws what others may not see
    MAX_LEGAL: int  # no state has more legal actions
    MAX_ACTIONS: int  # no match has more actions, chance included

    def start(self, options: Options) -> npt.NDArray[np.void]:
        """An array of one state: the match before its first action."""

    def draw(self, state: np.record, lot: Lot) -> int:
        """The outcome of chance that lots say, each named after what is drawn. No kernel.

        The same thing must have the same name whatever the seats decided before, so that
        all who play a seat meet the same luck. A game without chance has no `draw`.
        """

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

    def observe(self, state: np.record, seat: int, out: npt.NDArray[np.float32]) -> None:
        """Write what `seat` may see to `out`, laid out as the features module says."""


class Tactics(Protocol):
    """What a game may tell a search about playing well; the defaults are in `core.tactics`."""

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

    def likely_action(self, state: np.record, rng: Generator) -> int:
        """A legal action for playing on quickly: `random_action`, or something better."""

    def outlook(self, state: np.record) -> tuple[int, int]:
        """How many turns from here a tree covers, and after how many playing on is broken off."""

    def appraise(self, state: np.record, out: npt.NDArray[np.int32]) -> None:
        """Add to the points of each seat what it may expect, where playing on is broken off."""


_rules: dict[Any, dict[str, Any]] = {}  # by dtype and, for compiled code, by Numba's type of it


def implement(dtype: np.dtype[np.record], **kernels: Callable[..., Any]) -> None:
    """Let the verbs find a game's kernels by its record type."""
    _rules[dtype] = kernels
    if JIT:
        _rules[numba.from_dtype(dtype)] = kernels
        fingerprints.note_rules(dtype, kernels)


def _verb(contract: Callable[Concatenate[Any, P], R]) -> Callable[P, R]:
    """The verb for one of the contract's kernels."""
    name = contract.__name__

    def verb(*arguments: P.args, **_: P.kwargs) -> R:
        state: Any = arguments[0]
        rest = arguments[1:]
        return _rules[state.dtype][name](state, *rest)

    def find(record: Any) -> Any:
        return _rules[record][name] if record in _rules else None

    verb.__name__ = verb.__qualname__ = name
    verb.__doc__ = contract.__doc__
    arguments = contract.__code__.co_argcount - 2  # without self and state
    fingerprints.note_verb(verb)
    overload(verb)((_template_0, _template_1, _template_2, _template_3)[arguments](find))
    return verb


# One template for each number of arguments: Numba wants parameters spelt out, the same in both.


def _template_0(find: Callable[[Any], Any]) -> Callable[..., Any]:
    def template(state: Any) -> Any:
        kernel = find(state)

        def bridge(state: Any) -> Any:
            return kernel(state)

        return kernel and bridge

    return template


def _template_1(find: Callable[[Any], Any]) -> Callable[..., Any]:
    def template(state: Any, first: Any) -> Any:
        kernel = find(state)

        def bridge(state: Any, first: Any) -> Any:
            return kernel(state, first)

        return kernel and bridge

    return template


def _template_2(find: Callable[[Any], Any]) -> Callable[..., Any]:
    def template(state: Any, first: Any, second: Any) -> Any:
        kernel = find(state)

        def bridge(state: Any, first: Any, second: Any) -> Any:
            return kernel(state, first, second)

        return kernel and bridge

    return template


def _template_3(find: Callable[[Any], Any]) -> Callable[..., Any]:
    def template(state: Any, first: Any, second: Any, third: Any) -> Any:
        kernel = find(state)

        def bridge(state: Any, first: Any, second: Any, third: Any) -> Any:
            return kernel(state, first, second, third)

        return kernel and bridge

    return template


actor = _verb(Rules.actor)
legal_actions = _verb(Rules.legal_actions)
apply = _verb(Rules.apply)
random_action = _verb(Rules.random_action)
chance_weight = _verb(Rules.chance_weight)
seats = _verb(Rules.seats)
scores = _verb(Rules.scores)
winners = _verb(Rules.winners)
redact = _verb(Rules.redact)
determinize = _verb(Rules.determinize)
observe = _verb(Rules.observe)
candidates = _verb(Tactics.candidates)
survey = _verb(Tactics.survey)
describe = _verb(Tactics.describe)
likely_action = _verb(Tactics.likely_action)
outlook = _verb(Tactics.outlook)
appraise = _verb(Tactics.appraise)

PLAIN: Final = ("start", "draw")  # what a game defines for Python alone
VERBS: Final = tuple(
    name
    for name in vars(Rules)
    if not name.startswith("_") and name.islower() and name not in PLAIN
)
TACTICS: Final = tuple(name for name in vars(Tactics) if not name.startswith("_"))
