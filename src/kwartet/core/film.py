"""A match as a moving picture: a frame for each decision, the last one for longer."""

import io
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from kwartet.core.gif import Gif, palette_of
from kwartet.core.match import Match
from kwartet.core.scene import Look, as_png, room_of, scene, tall

if TYPE_CHECKING:
    from PIL.Image import Image

LONGER: Final = 3  # times: how long the last frame stays
SAMPLES: Final = 4  # frames whose colours are those of the film


def stops(match: Match) -> list[int]:
    """The plies that have a frame: before each decision, and the end."""
    decided = [ply for ply, move in enumerate(match.moves) if not move.startswith("*")]
    return [*decided, match.ply]


def film(
    match: Match,
    look: Look,
    plies: list[int],
    seconds: float,
    advance: Callable[[], object] = lambda: None,
) -> bytes:
    """The match at these plies as a GIF, each so many seconds; needs Pillow and resvg."""
    gif = Gif(palette_of([*_frames(match, look, _samples(plies))]))
    for ply, frame in zip(plies, _frames(match, look, plies), strict=True):
        gif.add(frame, seconds * (LONGER if ply == plies[-1] else 1))
        advance()
    return gif.done()


def _samples(plies: list[int]) -> list[int]:
    """Some plies that are far from each other, the last among them."""
    step = max(1, (len(plies) - 1) // (SAMPLES - 1))
    return [*plies[:-1:step][: SAMPLES - 1], plies[-1]]


def _frames(match: Match, look: Look, plies: list[int]) -> "Iterator[Image]":
    """The sheets in RGB, all of the same size: a board that grows has its last room at once."""
    from PIL import Image

    now = match.beginning()
    moves, room = match.moves, room_of(_after(match, plies[-1]), look)
    for before, ply in pairwise([0, *plies]):
        now.follow(moves[before:ply])
        drawn = as_png(tall(scene(now, look, room=room)), look)
        yield Image.open(io.BytesIO(drawn)).convert("RGB")


def _after(match: Match, ply: int) -> Match:
    earlier = match.beginning()
    earlier.follow(match.moves[:ply])
    return earlier
