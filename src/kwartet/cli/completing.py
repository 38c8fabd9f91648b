"""What a shell's tab key may complete: games, bots, a game's options."""

from pathlib import Path

import typer

from kwartet.games import GAMES

LEVELS = ("novice", "casual", "skilled", "expert", "master")


def games(incomplete: str) -> list[tuple[str, str]]:
    """The games' keys, with what they are."""
    return [(key, game.title) for key, game in GAMES.items() if key.startswith(incomplete)]


def playable(incomplete: str) -> list[tuple[str, str]]:
    """Games, and files with saved matches."""
    folder, begun = Path(incomplete).parent, Path(incomplete).name
    files = sorted(folder.glob(f"{_literal(begun)}*.json*")) if incomplete else []
    return [*games(incomplete), *((str(file), "a saved match") for file in files)]


def bots(incomplete: str) -> list[str]:
    """The levels."""
    return [level for level in LEVELS if level.startswith(incomplete)]


def options(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The options of the game that was named before, as name=value."""
    game = GAMES.get(str(ctx.params.get("key") or ctx.params.get("what") or ""))
    found = [
        (f"{option.name}={text}", option.summary)
        for each in ([game] if game else GAMES.values())
        for option in each.options
        for text in option.texts()
    ]
    return [(text, told) for text, told in dict(found).items() if text.startswith(incomplete)]


def _literal(text: str) -> str:
    """A text that `glob` takes as it is."""
    return "".join(f"[{letter}]" if letter in "[*?" else letter for letter in text)
