"""Kwatro: lines of cards that are all alike or all different. Rules in docs/games/kwatro.md."""

from typing import Final

from kwartet.core.game import Game, Modules, Option


def load() -> Modules:
    """The game's modules."""
    from kwartet.games.kwatro import features, notation, picture, rules, screen, tactics, view

    return Modules(rules, notation, view, features, tactics, picture, luck=rules, screen=screen)


GAME: Final = Game(
    key="kwatro",
    title="Kwatro",
    credit="Gene Mackles, White Goblin Games 2012",
    summary="Lay cards into lines where colour, shape and number are all alike or all different.",
    version=2,
    earlier=(1,),
    seat_counts=(2, 3, 4),
    options=(Option("players", 2, "How many play.", (2, 3, 4)),),
    load=load,
)
