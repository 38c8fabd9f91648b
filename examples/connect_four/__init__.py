"""Connect four as a fifth game: everything a game needs, kept small.

Two seats drop discs into seven columns of six; four in a row of one's own win, a
full board is a draw. Used as the tutorial (docs/add-a-game.md) and, since other
libraries have it too, for comparing speed.
"""

from typing import Final

from kwartet import Game, Modules


def load() -> Modules:
    """The game's modules."""
    from examples.connect_four import features, notation, picture, rules, tactics, view

    return Modules(rules, notation, view, features, tactics, picture)


GAME: Final = Game(
    key="connect_four",
    title="Connect four",
    credit="Howard Wexler and Ned Strongin, Milton Bradley 1974",
    summary="Drop discs into columns; four in a row win.",
    version=1,
    seat_counts=(2,),
    options=(),
    load=load,
    draws=True,
)
