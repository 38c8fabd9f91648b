"""Pictures as SVG text, and from that as PNG: the same wherever they are shown.

What is stamped is defined once and used by reference; letters are outlines (`core.letters`).
Nothing in the text refers to anything outside of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final, Literal

from kwartet.core.letters import BASELINE, EM, glyph, is_ours, width_of
from kwartet.core.picture import (
    Area,
    Art,
    Box,
    Colour,
    Disc,
    Label,
    Path,
    Picture,
    Shape,
    Stamp,
    in_language,
)

Theme = Literal["light", "dark"]
THEMES: Final = ("light", "dark")
EVEN: Final = 0.6  # a letter's width in its size, where all are as wide
LINE: Final = 0.025  # width of the edges of boxes and discs, in cells
FONTS: Final = "ui-sans-serif, system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif"


@dataclass(frozen=True)
class Canvas:
    """What is drawn, and the part of the plane that is shown, from its corner."""

    left: float
    top: float
    width: float
    height: float
    shapes: Sequence[Shape]
    art: Mapping[str, Art] = field(default_factory=dict)
    title: str = ""  # for who cannot see it


def canvas_of(picture: Picture) -> Canvas:
    """The picture as it is, without anything around it."""
    return Canvas(0, 0, picture.width, picture.height, picture.shapes, picture.art)


def size_of(canvas: Canvas, longest: int) -> tuple[int, int]:
    """Width and height in pixels, if the longer one is to be this."""
    scale = longest / max(canvas.width, canvas.height)
    return max(1, round(canvas.width * scale)), max(1, round(canvas.height * scale))


def svg(canvas: Canvas, longest: int = 900, theme: Theme = "light", language: str = "en") -> str:
    """The canvas as SVG; its longer side is so many pixels unless whoever shows it scales it."""
    writer = _Writer(canvas.art, THEMES.index(theme), language)
    body = "".join(writer.drawn(shape) for shape in canvas.shapes)
    width, height = size_of(canvas, longest)
    frame = " ".join(map(_number, (canvas.left, canvas.top, canvas.width, canvas.height)))
    title = f"<title>{escape(_printable(canvas.title))}</title>" if canvas.title else ""
    defined = "".join(writer.defined())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{frame}" role="img">{title}<defs>{defined}</defs>{body}</svg>\n'
    )


def png(text: str, size: tuple[int, int]) -> bytes:
    """SVG text as a PNG of this width and height; needs resvg."""
    import resvg_py

    # Letters are outlines; fonts are looked for only where foreign ones are written.
    drawn: bytes = resvg_py.svg_to_bytes(
        svg_string=text, width=size[0], height=size[1], skip_system_fonts="<text" not in text
    )
    return drawn


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


class _Writer:
    """Writes shapes, and notes what has to be defined for them."""

    def __init__(self, art: Mapping[str, Art], theme: int, language: str) -> None:
        self._art = art
        self._theme = theme
        self._language = language
        self._names = {name: f"a{number}" for number, name in enumerate(art)}
        self._letters: dict[str, str] = {}  # outlines by their names
        self._stamped: dict[str, str] = {}  # definitions by name of the art

    def drawn(self, shape: Shape) -> str:
        """One shape; nothing of what is there for clicks alone."""
        match shape:
            case Box(fill="transparent", edge=None):
                return ""
            case Box():
                corner = f' rx="{_number(shape.round)}"' if shape.round else ""
                return (
                    f'<rect x="{_number(shape.x)}" y="{_number(shape.y)}" '
                    f'width="{_number(shape.width)}" height="{_number(shape.height)}"{corner}'
                    f"{self._filled(shape.fill)}{self._edged(shape.edge)}/>"
                )
            case Disc():
                return (
                    f'<circle cx="{_number(shape.x)}" cy="{_number(shape.y)}" '
                    f'r="{_number(shape.radius)}"{self._filled(shape.fill)}'
                    f"{self._edged(shape.edge)}/>"
                )
            case Area():
                points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
                return f'<polygon points="{points}"{self._filled(shape.fill)}/>'
            case Label():
                return self._written(shape)
            case Path():
                return self._path(shape)
            case Stamp():
                return self._stamp(shape)

    def defined(self) -> Iterator[str]:
        """What was used, each after what it uses itself."""
        yield from (f'<path id="{name}" d="{d}"/>' for d, name in self._letters.items())
        yield from self._stamped.values()

    def _colour(self, colour: Colour) -> str:
        return escape(colour if isinstance(colour, str) else colour[self._theme])

    def _filled(self, colour: Colour | None) -> str:
        return f' fill="{self._colour(colour) if colour else "none"}"'

    def _edged(self, colour: Colour | None, line: float = LINE) -> str:
        if not colour:
            return ""
        return f' stroke="{self._colour(colour)}" stroke-width="{_number(line)}"'

    def _path(self, path: Path) -> str:
        dashes = " ".join(map(_number, path.dash))
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        ends = ' stroke-linecap="round" stroke-linejoin="round"' if path.edge else ""
        place = _placed(path.x, path.y, path.scale, path.turn, path.mirrored)
        return (
            f'<path d="{escape(path.d)}"{self._filled(path.fill)}'
            f"{self._edged(path.edge, path.line)}{dashed}{ends}{place}/>"
        )

    def _stamp(self, stamp: Stamp) -> str:
        if stamp.art not in self._stamped:
            art = self._art[stamp.art]
            body = "".join(map(self.drawn, art.shapes))
            name, clip = self._names[stamp.art], ""
            if art.clip:
                body = f'<clipPath id="{name}c"><path d="{escape(art.clip)}"/></clipPath>{body}'
                clip = f' clip-path="url(#{name}c)"'
            self._stamped[stamp.art] = f'<g id="{name}"{clip}>{body}</g>'
        faint = f' opacity="{_number(stamp.faint)}"' if stamp.faint < 1 else ""
        place = _placed(stamp.x, stamp.y, stamp.scale, stamp.turn)
        return f'<use href="#{self._names[stamp.art]}"{place}{faint}/>'

    def _written(self, label: Label) -> str:
        text = in_language(label.text, self._language)
        width = EVEN * len(text) * label.size if label.even else None
        width = width_of(text, label.size, label.bold) if width is None else width
        left = label.x - (0 if label.from_left else width / 2)
        line = label.y + BASELINE * label.size
        fill = self._filled(label.fill)
        if not is_ours(text):
            weight = ' font-weight="700"' if label.bold else ""
            middle = "" if label.from_left else ' text-anchor="middle"'
            return (
                f'<text x="{_number(label.x)}" y="{_number(line)}" font-family="{FONTS}" '
                f'font-size="{_number(label.size)}"{weight}{middle}{fill} '
                f'xml:space="preserve">{escape(_printable(text))}</text>'
            )
        letters, x = [], 0
        for letter in text:
            wide, d = glyph(letter, label.bold) or (0, "")
            room = round(EVEN * EM) if label.even else wide
            if d:
                name = self._letters.setdefault(d, f"l{len(self._letters)}")
                at = x + (room - wide) // 2
                letters.append(f'<use href="#{name}"' + (f' x="{at}"/>' if at else "/>"))
            x += room
        return f"<g{_placed(left, line, label.size / EM)}{fill}>{''.join(letters)}</g>"


def _placed(x: float, y: float, scale: float, turn: float = 0, mirrored: bool = False) -> str:
    """A transform that puts the origin there."""
    parts = [f"translate({_number(x)} {_number(y)})"] if x or y else []
    if turn:
        parts.append(f"rotate({_number(turn)})")
    if mirrored:
        parts.append(f"scale({-scale:.6g} {scale:.6g})")
    elif scale != 1:
        parts.append(f"scale({scale:.6g})")
    return f' transform="{"".join(parts)}"' if parts else ""


def _printable(text: str) -> str:
    """Without what XML cannot hold."""
    return "".join(letter for letter in text if letter.isprintable())
