"""Games with options, for tests that hold for all of them."""

from typing import Any, Final

import pytest

from kwartet.games import GAMES
from tests.comparison import OPTION_SETS

Case = tuple[str, dict[str, Any]]

# Whatever changes the rules of the four games, which have a plain second implementation.
OURS: Final[list[Case]] = [(key, options) for key, sets in OPTION_SETS.items() for options in sets]
ALL: Final[list[Case]] = [
    *OURS,
    *(
        (key, options)
        for key, game in GAMES.items()
        if key not in OPTION_SETS
        for options in game.knowledge.practice
    ),
]
# Every game, alone and together, with open and with hidden hands.
SOME: Final[list[Case]] = [
    ("carat", {"players": 3, "hand": 3}),
    ("carnac", {"board": "small"}),
    ("catan_dice", {}),
    ("catan_dice", {"players": 2}),
    ("kwatro", {}),
    ("connect_four", {}),
]

each_of_ours = pytest.mark.parametrize(("key", "options"), OURS, ids=str)
every_case = pytest.mark.parametrize(("key", "options"), ALL, ids=str)
every_game = pytest.mark.parametrize(("key", "options"), SOME, ids=str)
