"""Writes web/src/lib/api.ts: the page's types, made from the Python types it is sent.

`python tools/web_types.py` writes it, `--check` only says whether it has drifted. What crosses the
wire is listed in `SENT`, unions by a name for them; msgspec finds whatever those types refer to.
"""

import sys
from pathlib import Path
from typing import Any, Final, TypedDict

import msgspec

from kwartet.games.carat.view import CaratView
from kwartet.games.carat.why import CaratObjection
from kwartet.games.carnac.view import CarnacView, Prospect
from kwartet.games.carnac.why import CarnacObjection
from kwartet.games.catan_dice.prospects import CatanDiceProspects
from kwartet.games.catan_dice.view import CatanDiceView
from kwartet.games.catan_dice.why import CatanDiceObjection
from kwartet.games.kwatro.view import KwatroView, Spot
from kwartet.games.kwatro.why import KwatroObjection
from kwartet.server import accounts as own
from kwartet.server import afterwards as a
from kwartet.server import messages as m
from kwartet.server.drawn import Picture

TARGET: Final = Path(__file__).parents[1] / "web/src/lib/api.ts"
REFERENCE: Final = "#/components/"
HEAD: Final = "// Made by tools/web_types.py from the Python types; never edited.\n"
SCALARS: Final = {
    "boolean": "boolean",
    "integer": "number",
    "null": "null",
    "number": "number",
    "string": "string",
}


class View(TypedDict):
    """What every view has, whatever the game."""

    game: str
    options: dict[str, Any]
    seat: int | None
    ply: int
    actor: int | None
    scores: list[int]
    winners: list[int]


VIEWS: Final = (CaratView, CarnacView, CatanDiceView, KwatroView)
OBJECTIONS: Final = (CaratObjection, CarnacObjection, CatanDiceObjection, KwatroObjection)
MESSAGES: Final = (
    *(m.Lobby, m.GameInfo, m.CreateTable, m.TableList),
    *(own.Me, m.Profile, m.History, m.Best, m.Leader, own.Token, own.Link, m.CoachView, Picture),
    *(own.PushKey, own.Subscribe, own.Device, own.Blocked, own.MakeReport),
    *(a.Replay, a.Position, a.Try, a.Tried, a.Branch, a.ImportRecord, a.Checked),
)
PREVIEWS: Final = (CatanDiceProspects, Prospect, Spot)
SENT: dict[str, Any] = {
    kind.__name__: kind for kind in (View, *VIEWS, *PREVIEWS, *OBJECTIONS, *MESSAGES)
} | {
    "FromServer": m.FromServer,
    "AnyCommand": m.AnyCommand,
    "ToServer": m.ToServer,
    "FromLobby": m.FromLobby,
    "FromReviewer": a.FromReviewer,
    "ToReviewer": a.ToReviewer,
}
OPEN: Final = {
    ("MatchView", "view"): "View",
    ("StepView", "view"): "View",
    ("ReplayStep", "view"): "View",
    ("Position", "view"): "View",
    ("Checked", "view"): "View",
}  # what Python leaves to the game


def generate() -> str:
    """The whole file."""
    schemas, components = msgspec.json.schema_components(
        SENT.values(), ref_template=REFERENCE + "{name}"
    )
    unions = {name: s for name, s in zip(SENT, schemas, strict=True) if "$ref" not in s}
    named = {_name(name): schema for name, schema in components.items()} | unions
    objections = " | ".join(kind.__name__ for kind in OBJECTIONS)
    named_types = [_declared(name, schema) for name, schema in named.items()]
    return "\n".join([HEAD, *named_types, f"export type Objection = {objections};\n"])


def _declared(name: str, schema: dict[str, Any]) -> str:
    note = f"/** {schema['description']} */\n" if "description" in schema else ""
    if "properties" not in schema:
        return f"{note}export type {name} = {_type(schema)};\n"
    # What may be left out when it is asked for is there when it is told, if it has a default.
    is_request = schema.get("additionalProperties") is False
    optional = {
        field
        for field, kind in schema["properties"].items()
        if field not in schema["required"] and (is_request or "default" not in kind)
    }
    fields = "".join(
        f"  {field}{'?' if field in optional else ''}: {OPEN.get((name, field)) or _type(kind)};\n"
        for field, kind in schema["properties"].items()
    )
    heritage = " extends View" if name in (view.__name__ for view in VIEWS) else ""
    return f"{note}export interface {name}{heritage} {{\n{fields}}}\n"


def _type(schema: dict[str, Any]) -> str:
    """A JSON schema as a TypeScript type."""
    if "$ref" in schema:
        return _name(schema["$ref"])
    if "enum" in schema:
        return " | ".join(msgspec.json.encode(value).decode() for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_type(choice) for choice in schema["anyOf"])
    kind = schema.get("type")
    if kind == "array":
        return _array(schema)
    if kind == "object":
        values = schema.get("additionalProperties")
        return f"Record<string, {_type(values) if isinstance(values, dict) else 'unknown'}>"
    return SCALARS[kind] if isinstance(kind, str) else "unknown"


def _array(schema: dict[str, Any]) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(_type(item) for item in schema['prefixItems'])}]"
    item = _type(schema["items"]) if isinstance(schema.get("items"), dict) else "unknown"
    return f"({item})[]" if " " in item else f"{item}[]"


def _name(reference: str) -> str:
    """The type's name; where two modules have it, with whose it is, as in `KwatroPlay`."""
    *path, name = reference.removeprefix(REFERENCE).split(".")
    return f"{path[-2].capitalize()}{name}" if path else name


def main() -> None:
    """Write the file, or with `--check` fail if it is not what would be written."""
    generated = generate()
    if "--check" not in sys.argv:
        TARGET.write_text(generated)
    elif not TARGET.exists() or TARGET.read_text() != generated:
        sys.exit(f"{TARGET.name} has drifted from the Python types; run python tools/web_types.py")


if __name__ == "__main__":
    main()
