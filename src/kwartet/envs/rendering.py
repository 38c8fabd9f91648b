"""A match as text and as an image: what a watcher sees, generic over games.

The image is the sheet that `kwartet draw` makes, or the game's text on one.
"""

import io
from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core.errors import GameError, quoted
from kwartet.core.match import Match
from kwartet.core.scene import Look, as_png, scene, tall

MODES: Final = ("ansi", "rgb_array", "human")
LONGEST: Final = 480  # pixels of an image's longer side


def check_mode(mode: str | None) -> str | None:
    """The mode, if there is such; GameError if not."""
    if mode is not None and mode not in MODES:
        raise GameError(
            "bad-option", f"render_mode is one of {', '.join(MODES)}, not {quoted(mode)}."
        )
    return mode


def render(match: Match, seat: int | None, mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """What the seat (None: a spectator) sees: text, an image, or printed; None without a mode."""
    if mode == "rgb_array":
        return image_of(match, seat)
    if mode == "human":
        print(text_of(match, seat), end="\n\n", flush=True)
    return text_of(match, seat) if mode == "ansi" else None


def text_of(match: Match, seat: int | None) -> str:
    """The board in letters, under a line that says how the match stands."""
    board: str = match.game.views.text(match.view(seat))
    return f"{_standing(match)}\n\n{board}"


def image_of(match: Match, seat: int | None) -> npt.NDArray[np.uint8]:
    """The board as an image, height × width × RGB, below the seats and their scores."""
    from PIL import Image

    look = Look(seat, longest=LONGEST)
    drawn = as_png(tall(scene(match, look)), look)
    return np.array(Image.open(io.BytesIO(drawn)).convert("RGB"), np.uint8)


def _standing(match: Match) -> str:
    scores = " : ".join(map(str, match.scores()))
    if match.actor is None:
        winners = " and ".join(str(seat) for seat in match.winners())
        turn = "over" if match.seats == 1 else f"won by seat {winners}"
    else:
        turn = f"seat {match.actor} to act" if match.actor >= 0 else "chance to act"
    return f"{match.game.title} · {scores} · {turn}"
