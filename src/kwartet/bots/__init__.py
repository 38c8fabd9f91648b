"""Players that choose an action. They see what their seat may see and nothing else.

The names below are loaded when they are first used, because they bring compiled code along.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from kwartet.bots.bot import Analysis, Bot, Turn, ask, turn_of
    from kwartet.bots.player import Choice, Player, levels

__all__ = ["Analysis", "Bot", "Choice", "Player", "Turn", "ask", "levels", "turn_of"]

_HOMES: Final = {"Choice": "player", "Player": "player", "levels": "player"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'bot')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
