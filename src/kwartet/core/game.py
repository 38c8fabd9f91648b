"""A game as the rest of the program knows it: its names, options and modules.

A game is a folder with a `GAME` in its `__init__` and the modules `rules`,
`notation`, `view` and `features` beside it. Those import NumPy and Numba and are
loaded when they are first needed, so that listing games is quick.
"""

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kwartet.core.errors import GameError, quoted, some_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Options = dict[str, Any]


@dataclass(frozen=True)
class Option:
    """One of a game's options. Without `choices` the game's `check` settles the value."""

    name: str
    default: Any
    summary: str
    choices: tuple[Any, ...] = ()

    def accept(self, value: Any) -> Any:
        """The value if it is one of the choices; GameError if not."""
        # `True == 1` in Python, so the type must agree as well
        if self.choices and not any(type(value) is type(c) and value == c for c in self.choices):
            raise GameError(
                "bad-option",
                f"Option {self.name} cannot be {quoted(value)}; it can be {some_of(self.texts())}.",
            )
        return value

    def read(self, text: str) -> Any:
        """The value that `text` stands for on a command line."""
        for choice in self.choices:
            if text.lower() == _text(choice):
                return choice
        return self.accept(text) if self.choices else text.split(",")

    def texts(self) -> list[str]:
        """The choices as one types them."""
        return [_text(choice) for choice in self.choices]


@dataclass(frozen=True)
class Game:
    """A game: what it is called, what can be chosen, where its modules are."""

    key: str
    title: str
    credit: str  # author, publisher, year
    summary: str
    version: int  # of the rules; stored with every match, raised when behaviour changes
    seat_counts: tuple[int, ...]
    options: tuple[Option, ...]
    package: str  # the import path of the game's folder
    check: Callable[[Options], Options] | None = None  # what single options cannot tell
    draws: bool = False  # whether two may agree on a draw
    earlier: tuple[int, ...] = ()  # versions that differ in nothing but how luck was drawn

    def settle(self, chosen: Mapping[str, Any]) -> Options:
        """All options with their values, defaults filled in; GameError on a bad one."""
        known = {option.name: option for option in self.options}
        for name in chosen:
            if name not in known:
                raise GameError(
                    "bad-option",
                    f"{self.title} has no option {quoted(name)}; it has {some_of(known)}."
                    if known
                    else f"{self.title} has no options, so not {quoted(name)} either.",
                )
        options = {
            name: option.accept(chosen[name]) if name in chosen else option.default
            for name, option in known.items()
        }
        return deepcopy(self.check(options) if self.check else options)

    def check_version(self, version: int) -> int:
        """The version of the rules, if its matches can be replayed; GameError if not."""
        if version == self.version or version in self.earlier:
            return version
        raise GameError(
            "wrong-rules",
            f"This was played under version {quoted(version)} of {self.title}'s rules; "
            f"this program plays version {self.version}.",
        )

    def seats(self, options: Options) -> int:
        """How many seats these options have."""
        return int(options.get("players", self.seat_counts[0]))

    @property
    def folder(self) -> Path:
        """Where the game's sources are."""
        return Path(str(importlib.import_module(self.package).__file__)).parent

    @cached_property
    def rules(self) -> Any:
        """The module that satisfies `core.verbs.Rules`, known to the verbs."""
        from kwartet.core.verbs import TACTICS, VERBS, implement

        rules = importlib.import_module(f"{self.package}.rules")
        modules = {"observe": self.features}
        kernels = {verb: getattr(modules.get(verb, rules), verb) for verb in VERBS}
        implement(rules.STATE, **kernels, **{verb: self.tactic(verb) for verb in TACTICS})
        return rules

    def tactic(self, name: str) -> Any:
        """What a search is told about the game: from its module `tactics` or the default."""
        from kwartet.core import tactics

        return getattr(self._tactics, name, getattr(tactics, name))

    @cached_property
    def _tactics(self) -> Any:
        """The module `tactics`, or None."""
        return self._optional("tactics")

    def _optional(self, module: str) -> Any:
        """A module that a game may have, or None."""
        name = f"{self.package}.{module}"
        return importlib.import_module(name) if importlib.util.find_spec(name) else None

    @cached_property
    def notation(self) -> Any:
        """Moves as text: `names`, `read`, `objection`, all given the state and its actor.

        Where a move has a secret, also `public`. Where one move is written for a run of
        actions, also `is_open`, whether the run goes on, and `join`, which makes one text
        of several.
        """
        return importlib.import_module(f"{self.package}.notation")

    @cached_property
    def views(self) -> Any:
        """`view(state, seat)` as a JSON-ready dict and `text(view)` as a picture in letters.

        Where it helps to choose, also `preview(state, piece)`: what the seat to act could do
        with a piece of its own, JSON-ready.
        """
        return importlib.import_module(f"{self.package}.view")

    @cached_property
    def pictures(self) -> Any:
        """`draw(view)` as a `core.picture.Picture`; None if the game has no such module."""
        return self._optional("picture")

    @cached_property
    def features(self) -> Any:
        """`observe` and `FIELDS`, the names and shapes of what it writes."""
        return importlib.import_module(f"{self.package}.features")

    @cached_property
    def solution(self) -> Any:
        """The module of the game's exact solution; None if it has none.

        `find(options)` is the stored solution or None, `compute(options, advance=…)` makes
        and stores it, `steps()` is how often that calls `advance`. A solution can `choose`
        an action, and `judge` one of a match played alone: the best, and how much worse it is.
        """
        return self._optional("solution")

    def start(self, options: Options) -> "npt.NDArray[np.void]":
        """An array of one state: the match before its first action."""
        states: npt.NDArray[np.void] = self.rules.start(options)
        return states


def _text(value: Any) -> str:
    return str(value).lower()
