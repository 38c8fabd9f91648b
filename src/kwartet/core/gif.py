"""Films written frame by frame, so that a long one needs no more memory than a short one.

Pillow reduces colours and compresses, but its own writer holds every frame until the last is there.
Blocks are those of GIF89a; all frames share one palette, and what has not changed is left out.
"""

import io
import struct
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from PIL.Image import Image

COLOURS: Final = 255
UNCHANGED: Final = 255  # the index that no colour has: what was there before stays
TABLE: Final = 0xF7  # a palette of 256 entries for all frames
FOR_EVER: Final = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"  # again and again
STAYS: Final = 1 << 2  # the next frame is laid upon this one
SEE_THROUGH: Final = 1  # one index is no colour
BITS: Final = 8  # of an index
END: Final = b";"


def palette_of(frames: "list[Image]") -> "Image":
    """Colours that fit these RGB frames of one size."""
    from PIL import Image

    width, height = frames[0].size
    board = Image.new("RGB", (width * len(frames), height))
    for number, frame in enumerate(frames):
        board.paste(frame, (number * width, 0))
    return board.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


class Gif:
    """A film that grows; it holds the last frame and what is written."""

    def __init__(self, palette: "Image") -> None:
        self._palette = palette
        self._last: Image | None = None
        self._made = io.BytesIO()

    def add(self, frame: "Image", seconds: float) -> None:
        """Show this RGB frame next, for so long; all have the size of the first."""
        from PIL import Image

        cut = frame.quantize(palette=self._palette, dither=Image.Dither.NONE)
        if self._last is None:
            self._begin(cut.size)
            shown, corner = cut, (0, 0)
        else:
            shown, corner = _changed(self._last, cut)
        flags, lasting = STAYS | SEE_THROUGH, round(100 * seconds)
        self._made.write(struct.pack("<2sBBHBB", b"!\xf9", 4, flags, lasting, UNCHANGED, 0))
        self._made.write(struct.pack("<s4HBB", b",", *corner, *shown.size, 0, BITS))
        self._made.write(shown.tobytes("gif", "P") + b"\0")
        self._last = cut

    def done(self) -> bytes:
        """The file."""
        return self._made.getvalue() + END

    def _begin(self, size: tuple[int, int]) -> None:
        self._made.write(struct.pack("<6s2H3B", b"GIF89a", *size, TABLE, 0, 0))
        colours = bytes(self._palette.getpalette() or [])[: 3 * COLOURS]
        self._made.write(colours.ljust(3 * (COLOURS + 1), b"\0") + FOR_EVER)


def _changed(before: "Image", after: "Image") -> "tuple[Image, tuple[int, int]]":
    """The part in which they differ, and where it is: a pixel at least."""
    from PIL import ImageChops

    difference = ImageChops.subtract_modulo(after, before)
    box = difference.getbbox(alpha_only=False) or (0, 0, 1, 1)
    part = after.crop(box)
    part.paste(UNCHANGED, mask=difference.crop(box).point([255, *[0] * 255], "1"))
    return part, box[:2]
