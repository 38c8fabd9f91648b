"""The verbs of a game, and how they find its rules.

For each kernel of the contract (`core.contract`) there is a verb of the same name in this
module that dispatches on the record's type, in compiled code through Numba's `overload` and
in Python by look-up. Algorithms are written once, against the verbs.
"""

from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import numba
import numpy as np
from numba.extending import overload

from kwartet.core import fingerprints
from kwartet.core.contract import Features, Rules, Tactics
from kwartet.core.kernels import JIT

CHANCE: Final = -1  # an actor: a draw, a roll, a lay-out is due
OVER: Final = -2  # an actor: nobody, the match has ended
SPECTATOR: Final = -3  # in place of a seat: one who sees no hand

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


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
observe = _verb(Features.observe)
candidates = _verb(Tactics.candidates)
survey = _verb(Tactics.survey)
describe = _verb(Tactics.describe)
likely_action = _verb(Tactics.likely_action)
outlook = _verb(Tactics.outlook)
appraise = _verb(Tactics.appraise)


def _kernels(contract: type) -> tuple[str, ...]:
    """The names of the verbs whose kernels a module of this contract has."""
    return tuple(name for name in vars(contract) if callable(globals().get(name)))


RULES: Final = _kernels(Rules)
FEATURES: Final = _kernels(Features)
TACTICS: Final = _kernels(Tactics)
