"""Carnac: stones that stand or fall; most dolmens win. Rules in docs/games/carnac.md."""

from typing import Final

from kwartet.core.game import Game, Modules, Option


def load() -> Modules:
    """The game's modules."""
    from kwartet.games.carnac import features, notation, picture, rules, screen, tactics, view

    return Modules(rules, notation, view, features, tactics, picture, screen=screen)


GAME: Final = Game(
    key="carnac",
    title="Carnac",
    credit="Emiliano Venturini, HUCH! & friends 2014",
    summary="Place megaliths, let the other tilt them, and own more dolmens at the end.",
    version=1,
    seat_counts=(2,),
    options=(
        Option("board", "medium", "Size of the board.", ("small", "medium", "large")),
        Option("final_tilt", False, "Whether the 28th stone may still be tilted.", (False, True)),
    ),
    load=load,
    draws=True,
)
