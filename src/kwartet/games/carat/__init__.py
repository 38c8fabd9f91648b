"""Carat: lay gems around chips; each chip goes to one colour. Rules in docs/games/carat.md."""

from typing import Any, Final

from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game, Modules, Option, Options

COLOURS: Final = "RYBG"


def check(options: Options) -> Options:
    """Settle `colours`: by default one letter a seat, as far as there are seats."""
    players = options["players"]
    colours: Any = options["colours"]
    if colours is None:
        return options | {"colours": list(COLOURS[:players])}
    if (
        not isinstance(colours, list)
        or len(colours) != players
        or not all(isinstance(letters, str) for letters in colours)
    ):
        raise GameError(
            "bad-option",
            f"Option colours is a list of {players} strings, one a seat, not {quoted(colours)}.",
        )
    sizes = {len(letters) for letters in colours}
    if sizes != {1} and not (sizes == {2} and players == 2):
        raise GameError(
            "bad-option",
            "Option colours gives every seat one letter, or with two players every seat two.",
        )
    letters = "".join(colours)
    if len(set(letters)) != len(letters) or not set(letters) <= set(COLOURS):
        raise GameError(
            "bad-option",
            f"Option colours has the letters R, Y, B, G, each at most once, not {quoted(colours)}.",
        )
    return options


def load() -> Modules:
    """The game's modules."""
    from kwartet.games.carat import features, notation, picture, rules, screen, tactics, view

    return Modules(rules, notation, view, features, tactics, picture, luck=rules, screen=screen)


GAME: Final = Game(
    key="carat",
    title="Carat",
    credit="Dirk Henn, Queen Games 1998",
    summary="Lay tiles of gems around the chips; the most carats win a chip, ties drop out.",
    version=2,
    earlier=(1,),
    seat_counts=(2, 3, 4),
    options=(
        Option("players", 4, "How many play.", (2, 3, 4)),
        Option("hand", 1, "Tiles in the hand; 3 is the complex variant.", (1, 3)),
        Option("colours", None, "Each seat's colours, one of RYBG or, for two players, two."),
    ),
    load=load,
    check=check,
)
