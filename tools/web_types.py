"""Writes web/src/lib/api.ts: the page's types, made from the Python types it is sent.

`python tools/web_types.py` writes it, `--check` only says whether it has drifted. What the page is
sent is listed in `SENT`; msgspec finds whatever those types refer to.
"""

import sys
from pathlib import Path
from typing import Any, Final, TypedDict

import msgspec

from kwartet.games.carat.view import CaratView
from kwartet.games.carnac.view import CarnacView
from kwartet.games.catan_dice.view import CatanDiceView
from kwartet.games.kwatro.view import KwatroView

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
SENT: Final = (View, *VIEWS)


def generate() -> str:
    """The whole file."""
    references, components = msgspec.json.schema_components(SENT, ref_template=REFERENCE + "{name}")
    views = {_name(reference) for reference in references[1 : 1 + len(VIEWS)]}
    parts = [_declared(name, schema, name in views) for name, schema in components.items()]
    return "\n".join([HEAD, *parts])


def _declared(name: str, schema: dict[str, Any], is_view: bool) -> str:
    note = f"/** {schema['description']} */\n" if "description" in schema else ""
    if "properties" not in schema:
        return f"{note}export type {name} = {_type(schema)};\n"
    required = schema.get("required", [])
    fields = "".join(
        f"  {field}{'' if field in required else '?'}: {_type(kind)};\n"
        for field, kind in schema["properties"].items()
    )
    heritage = " extends View" if is_view else ""
    return f"{note}export interface {name}{heritage} {{\n{fields}}}\n"


def _type(schema: dict[str, Any]) -> str:
    """A JSON schema as a TypeScript type."""
    if "$ref" in schema:
        return _name(schema)
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


def _name(reference: dict[str, Any]) -> str:
    """The type's name; of the same name in two modules msgspec makes two."""
    name: str = reference["$ref"].removeprefix(REFERENCE)
    return name.replace(".", "_")


def main() -> None:
    """Write the file, or with `--check` fail if it is not what would be written."""
    generated = generate()
    if "--check" not in sys.argv:
        TARGET.write_text(generated)
    elif not TARGET.exists() or TARGET.read_text() != generated:
        sys.exit(f"{TARGET.name} has drifted from the Python types; run python tools/web_types.py")


if __name__ == "__main__":
    main()
