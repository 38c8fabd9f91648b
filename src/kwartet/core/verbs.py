"""The verbs of a game, and how they find its rules.

For each kernel of the contract (`core.contract`) there is a verb of the same name in this
module that dispatches on the record's type, in compiled code when Numba finds out the types
and in Python by look-up. Algorithms are written once, against the verbs.
"""

from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global

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


def kernel_of(record: Any, verb: str) -> Any:
    """The kernel of this name of the game that has this record, by dtype or Numba's type."""
    return _rules[record][verb]


def _verb(contract: Callable[Concatenate[Any, P], R]) -> Callable[P, R]:
    """The verb for one of the contract's kernels."""
    name = contract.__name__

    def verb(*arguments: P.args, **_: P.kwargs) -> R:
        state: Any = arguments[0]
        rest = arguments[1:]
        return _rules[state.dtype][name](state, *rest)

    verb.__name__ = verb.__qualname__ = name
    verb.__doc__ = contract.__doc__
    fingerprints.note_verb(verb)
    if JIT:
        template = type(f"_{name.title()}", (_Dispatch,), {"key": verb, "name": name})
        infer_global(verb, types.Function(template))
    return verb


class _Dispatch(AbstractTemplate):  # type: ignore[misc]
    """What a verb is to Numba: the kernel that the record's game has for it.

    Unlike with `overload` there is no function between the caller and the kernel that would
    have to be compiled, with all that the kernel calls, before the caller is.
    """

    name: str

    def generic(self, arguments: Any, keywords: Any) -> Any:
        """The signature of the call; None if the first argument is not a game's record."""
        if arguments[0] not in _rules:
            return None
        self._kernel = types.Dispatcher(_rules[arguments[0]][self.name])
        return self._kernel.get_call_type(self.context, arguments, keywords)

    def get_impl_key(self, signature: Any) -> Any:
        """The compiled kernel."""
        return self._kernel.get_impl_key(signature)


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
sketch = _verb(Tactics.sketch)
likely_action = _verb(Tactics.likely_action)
outlook = _verb(Tactics.outlook)
reach = _verb(Tactics.reach)
appraise = _verb(Tactics.appraise)
unveil = _verb(Tactics.unveil)
proceed = _verb(Tactics.proceed)
identify = _verb(Tactics.identify)
forecast = _verb(Tactics.forecast)


def _kernels(contract: type) -> tuple[str, ...]:
    """The names of the verbs whose kernels a module of this contract has."""
    return tuple(name for name in vars(contract) if callable(globals().get(name)))


RULES: Final = _kernels(Rules)
FEATURES: Final = _kernels(Features)
TACTICS: Final = _kernels(Tactics)
