"""A game as the rest of the program knows it: its names, options and modules.

A game is a folder with a `GAME` in its `__init__` and the modules `rules`,
`notation`, `view` and `features` beside it (`core.contract`). Those import NumPy and Numba
and are loaded when they are first needed, so that listing games is quick.
"""

import importlib
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from kwartet.core.errors import GameError, quoted, some_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from kwartet.core.contract import (
        Features,
        Luck,
        Notation,
        Pictures,
        Rules,
        Screens,
        Solutions,
        Views,
    )
    from kwartet.core.tactics import Knowledge

Options = dict[str, Any]

MAX_SEATS: Final = 8  # algorithms over any game have room for so many


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
            if text.lower() == option_value(choice):
                return choice
        return self.accept(text) if self.choices else text.split(",")

    def texts(self) -> list[str]:
        """The choices as one types them."""
        return [option_value(choice) for choice in self.choices]


@dataclass(frozen=True)
class Modules:
    """A game's modules; those with a default it may do without."""

    rules: "Rules"
    notation: "Notation"
    view: "Views"
    features: "Features"
    tactics: Any = None  # in place of any of `core.tactics`
    picture: "Pictures | None" = None
    solution: "Solutions | None" = None
    luck: "Luck | None" = None  # `rules` again, where there is chance
    screen: "Screens | None" = None


@dataclass(frozen=True)
class Game:
    """A game: what it is called, what can be chosen, how its modules are loaded."""

    key: str
    title: str
    credit: str  # author, publisher, year
    summary: str
    version: int  # of the rules; stored with every match, raised when behaviour changes
    seat_counts: tuple[int, ...]
    options: tuple[Option, ...]
    load: Callable[[], Modules]  # in the game's `__init__`, which says where its folder is
    check: Callable[[Options], Options] | None = None  # what single options cannot tell
    draws: bool = False  # whether two may agree on a draw
    earlier: tuple[int, ...] = ()  # versions that differ in nothing but how luck was drawn
    turn_ends: tuple[str, ...] = ()  # moves that end a turn, where chance then opens the next

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

    def __reduce__(self) -> "tuple[Callable[[str], Game], tuple[str]]":
        return game_of, (self.package,)  # its modules are not pickled but found again

    @property
    def package(self) -> str:
        """The import path of the game's folder."""
        return self.load.__module__

    @property
    def folder(self) -> Path:
        """Where the game's sources are."""
        return Path(str(importlib.import_module(self.package).__file__)).parent

    @cached_property
    def modules(self) -> Modules:
        """All of the game's modules, known to the verbs."""
        from kwartet.core import tactics, verbs

        loaded = self.load()
        if loaded.rules.CHANCE_ACTIONS and loaded.luck is None:
            raise GameError("bad-game", f"{self.title} has chance, so its Modules need luck=rules.")
        modules = (
            (verbs.RULES, (loaded.rules,)),
            (verbs.FEATURES, (loaded.features,)),
            (verbs.TACTICS, (loaded.tactics, tactics)),
        )
        kernels = {name: _first(name, *found) for names, found in modules for name in names}
        verbs.implement(loaded.rules.STATE, **kernels)
        return loaded

    @property
    def rules(self) -> "Rules":
        """What may be done, and what comes of it."""
        return self.modules.rules

    @property
    def luck(self) -> "Luck":
        """How chance is drawn, in a game that has chance."""
        return cast("Luck", self.modules.luck)

    @property
    def notation(self) -> "Notation":
        """Moves as text."""
        return self.modules.notation

    @property
    def views(self) -> "Views":
        """The board as JSON and as a picture in letters."""
        return self.modules.view

    @property
    def features(self) -> "Features":
        """The board as numbers."""
        return self.modules.features

    @property
    def pictures(self) -> "Pictures | None":
        """The board as shapes."""
        return self.modules.picture

    @property
    def screens(self) -> "Screens | None":
        """The board for a terminal."""
        return self.modules.screen

    @property
    def solution(self) -> "Solutions | None":
        """The game solved exactly; None if it is not."""
        return self.modules.solution

    def solved(self) -> "Solutions":
        """The game solved exactly; GameError if it is not."""
        if self.solution is None:
            raise GameError("unsolved", f"{self.title} has not been solved.")
        return self.solution

    @cached_property
    def knowledge(self) -> "Knowledge":
        """The constants that a search is told: of the module `tactics`, or the defaults."""
        from kwartet.core import tactics

        names = [field.name for field in fields(tactics.Knowledge)]
        return tactics.Knowledge(
            **{name: _first(name.upper(), self.modules.tactics, tactics) for name in names}
        )

    def start(self, options: Options) -> "npt.NDArray[np.void]":
        """An array of one state: the match before its first action."""
        return self.rules.start(options)


def game_of(package: str) -> Game:
    """The game that a package has."""
    game: Game = importlib.import_module(package).GAME
    return game


def _first(name: str, *modules: Any) -> Any:
    """What the first of these modules that has it calls so."""
    return next(getattr(module, name) for module in modules if hasattr(module, name))


def option_value(value: Any) -> str:
    """An option's value as one would type it."""
    return ",".join(value) if isinstance(value, list) else str(value).lower()
