"""A match as a moving picture: a frame for each decision, the last one for longer."""

import io
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from kwartet.core.match import Match
from kwartet.core.scene import Look, as_png, room_of, scene, tall

if TYPE_CHECKING:
    from PIL.Image import Image

LONGER: Final = 3  # times: how long the last frame stays
COLOURS: Final = 255  # one is left for what has not changed
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
    from PIL import Image

    frames = []
    for drawn in _frames(match, look, plies):
        frames.append(Image.open(io.BytesIO(drawn)).convert("RGB"))
        advance()
    palette = _palette(frames)
    cut = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    lasting = [round(1000 * seconds)] * (len(cut) - 1) + [round(1000 * seconds * LONGER)]
    made = io.BytesIO()
    cut[0].save(
        made,
        "GIF",
        save_all=True,
        append_images=cut[1:],
        duration=lasting,
        loop=0,
        disposal=1,
        optimize=True,  # what has not changed is left out
    )
    return made.getvalue()


def _frames(match: Match, look: Look, plies: list[int]) -> Iterator[bytes]:
    """The sheets as images, all of the same size: a board that grows has its last room at once."""
    now = match.beginning()
    moves, room = match.moves, room_of(_after(match, plies[-1]), look)
    for before, ply in pairwise([0, *plies]):
        now.follow(moves[before:ply])
        yield as_png(tall(scene(now, look, room=room)), look)


def _after(match: Match, ply: int) -> Match:
    earlier = match.beginning()
    earlier.follow(match.moves[:ply])
    return earlier


def _palette(frames: "list[Image]") -> "Image":
    """Colours that fit all frames, found on some of them side by side."""
    from PIL import Image

    step = max(1, (len(frames) - 1) // (SAMPLES - 1))
    chosen = [*frames[::step][: SAMPLES - 1], frames[-1]]
    width, height = frames[0].size
    board = Image.new("RGB", (width * len(chosen), height))
    for number, frame in enumerate(chosen):
        board.paste(frame, (number * width, 0))
    return board.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
