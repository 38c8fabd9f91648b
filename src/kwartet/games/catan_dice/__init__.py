"""The Catan dice game: roll, trade, build the island. Rules in docs/games/catan_dice.md."""

from typing import Final

from kwartet.core.game import Game, Modules, Option


def load() -> Modules:
    """The game's modules."""
    from kwartet.games.catan_dice import (
        features,
        notation,
        picture,
        rules,
        screen,
        solution,
        tactics,
        view,
    )

    return Modules(
        rules, notation, view, features, tactics, picture, solution, luck=rules, screen=screen
    )


GAME: Final = Game(
    key="catan_dice",
    title="The Catan dice game",
    credit="Klaus Teuber, Kosmos 2007",
    summary="Roll resources in 15 turns and build roads, settlements, cities and knights.",
    version=2,
    earlier=(1,),
    turn_ends=("end",),
    seat_counts=(1, 2, 3, 4),
    options=(
        Option("players", 1, "How many play.", (1, 2, 3, 4)),
        Option(
            "same_turn_joker",
            True,
            "Whether a knight's joker may be used in the turn it is built.",
            (True, False),
        ),
    ),
    load=load,
)
