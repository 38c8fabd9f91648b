"""Writes what pictures are drawn of: the page's letters and pieces, as paths.

`python tools/art.py` makes `core/letters.json` from the page's font and each game's `art.json`
from the modules that draw its board on the page; `--check` only says whether one has drifted.
"""

import base64
import io
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

import web

LIBRARY: Final = web.ROOT / "src/kwartet"
EM: Final = 500  # units of a letter's size
STEP: Final = re.compile(r"([MLHVQZ])([-\d ,]*)")
NUMBER: Final = re.compile(r"-?\d+\.\d{2,}")


def asked(what: str) -> dict[str, Any]:
    """What the page's own modules tell."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "art.json"
        web.node(web.ROOT / "tools/art.mjs", what, str(target))
        told: dict[str, Any] = json.loads(target.read_text())
        return told


def letters(fonts: list[str]) -> dict[str, list[Any]]:
    """By letter its width and its outline, y down from the line it stands on."""
    found: dict[str, list[Any]] = {}
    for font in (TTFont(io.BytesIO(base64.b64decode(text))) for text in fonts):
        scale = EM / font["head"].unitsPerEm
        glyphs = font.getGlyphSet()
        for code, name in sorted(font.getBestCmap().items()):
            pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
            glyphs[name].draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
            found.setdefault(
                chr(code), [round(glyphs[name].width * scale), _shorter(pen.getCommands())]
            )
    return found


def _shorter(path: str) -> str:
    """The same path from point to point, which has fewer digits."""
    x = y = 0
    start = [0, 0]
    told = []
    for command, numbers in STEP.findall(path):
        values = [int(number) for number in re.findall(r"-?\d+", numbers)]
        if command in "HV":
            values = [values[0], y] if command == "H" else [x, values[0]]
        size = {"Q": 4, "Z": 1}.get(command, 2)
        for first in range(0, max(len(values), 1), size):  # more points after M are lines
            points = values[first : first + size]
            steps = [value - (x, y)[place % 2] for place, value in enumerate(points)]
            name = command.lower() if command in "QZ" or (command == "M" and not first) else "l"
            told.append(name + " ".join(map(str, steps)))
            x, y = points[-2:] or start
            if name == "m":
                start = [x, y]
    return "".join(told).replace(" -", "-")


def terrain(art: str) -> Iterator[list[Any]]:
    """A hex's drawing as paths: how it looks, the path, and where it is put."""
    tidy = NUMBER.sub(lambda number: f"{float(number[0]):.1f}", art)
    for part in ElementTree.fromstring(f"<g>{tidy}</g>"):
        inside, placed = (
            (part, _placed(part.get("transform", ""))) if part.tag == "g" else ([part], [])
        )
        for one in inside:
            yield [one.get("class"), _path(one), float(one.get("opacity", 1)), *placed]


def _placed(transform: str) -> list[float]:
    """x, y and the scales across and down of `translate(x y) scale(s)`."""
    x, y, *scale = map(float, re.findall(r"-?[\d.]+", transform))
    return [x, y, scale[0], scale[-1]]


def _path(shape: ElementTree.Element) -> str:
    if shape.tag == "path":
        return shape.attrib["d"]
    x, y = float(shape.attrib["cx"]), float(shape.attrib["cy"])
    rx, ry = (float(shape.get(name, shape.get("r", 0))) for name in ("rx", "ry"))
    arc = f"a{rx:g} {ry:g} 0 1 0 "
    return f"M{x - rx:g} {y:g}{arc}{2 * rx:g} 0{arc}{-2 * rx:g} 0Z"


def made() -> dict[Path, str]:
    """Every file and what belongs in it."""
    page, written = asked("pieces"), asked("letters")
    island = page["catan_dice"]
    island["terrain"] = {one["terrain"]: [*terrain(one["art"])] for one in island["terrain"]}
    fonts = {
        "text": letters(written["fonts"]["text"]),
        "bold": letters(written["fonts"]["bold"][:1]),
    }
    files = {LIBRARY / f"games/{key}/art.json": page[key] for key in web.games()}
    told = {file: json.dumps(data, ensure_ascii=False) for file, data in files.items()}
    told[LIBRARY / "core/letters.json"] = json.dumps(fonts, ensure_ascii=False)
    return told | {LIBRARY / "core/letters.licence.txt": written["licence"]}


if __name__ == "__main__":
    drifted = []
    for file, text in made().items():
        whole = text.rstrip("\n") + "\n"
        if sys.argv[1:] != ["--check"]:
            file.write_text(whole, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != whole:
            drifted.append(file.name)
    if drifted:
        sys.exit(f"Not as the page draws it: {', '.join(drifted)}; run tools/art.py.")
