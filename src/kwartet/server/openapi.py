"""The API's description: OpenAPI 3.1 from the message types, and a page to read it."""

from functools import cache
from html import escape
from typing import Any, Final, get_args, get_origin

import msgspec

from kwartet.server import afterwards as a
from kwartet.server import messages as m
from kwartet.server.api import OPERATIONS
from kwartet.server.api.calls import Operation
from kwartet.server.api.health import version

REFERENCE: Final = "#/components/schemas/{name}"
TEXT: Final = {"type": "string"}
WHOLE: Final = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
QUERY: Final[dict[str, Any]] = {  # what is no text, or not any
    "before": {"type": "number"},
    "ply": WHOLE,
    "seat": WHOLE,
    "since": WHOLE,
    "size": WHOLE,
    "state": {"enum": ["open", "running", "over"]},
    "until": WHOLE,
}
FRESH: Final = "Done in somebody's name: without cookie and token a new guest is made for it."
SPOKEN: Final[dict[str, Any]] = {  # over sockets
    "FromServer": m.FromServer,
    "ToServer": m.ToServer,
    "FromLobby": m.FromLobby,
    "FromReviewer": a.FromReviewer,
    "ToReviewer": a.ToReviewer,
}
STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2 { font-family: Georgia, serif; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; }
tr + tr { border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
code { font: .9em ui-monospace, monospace; }
td:first-child { white-space: nowrap; }
"""


@cache
def describe() -> dict[str, Any]:
    """The description, JSON-ready."""
    types = [kind for o in OPERATIONS for kind in (o.takes, o.gives) if kind is not None]
    types += [m.Refused, m.Lobby, *SPOKEN.values()]
    schemas, components = msgspec.json.schema_components(types, ref_template=REFERENCE)
    known = dict(zip(map(repr, types), schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(
            operation, known
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Kwartet",
            "version": version(),
            "description": "Tables, seats and moves. Live updates come over the sockets "
            "/api/tables/{table}/live (FromServer, ToServer), /api/tables/{table}/review/live "
            "(FromReviewer, ToReviewer) and /api/live (FromLobby, Ping).",
        },
        "paths": paths,
        "components": {
            "schemas": components | {name: known[repr(kind)] for name, kind in SPOKEN.items()},
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "kwartet"},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _operation(operation: Operation, known: dict[str, Any]) -> dict[str, Any]:
    names = [part[1:-1] for part in operation.path.split("/") if part.startswith("{")]
    parameters = [_parameter(name, "path", "", required=True) for name in names]
    parameters += [
        _parameter(name, "query", text, schema=QUERY.get(name, TEXT))
        for name, text in operation.query
    ]
    good: dict[str, Any] = {"description": operation.summary}
    if operation.gives is not None:
        kind = operation.media or "application/json"
        good["content"] = {kind: {"schema": known[repr(operation.gives)]}}
    elif operation.media:
        good["content"] = {operation.media: {"schema": {"type": "string", "format": "binary"}}}
    told: dict[str, Any] = {
        "operationId": "_".join([operation.method.lower(), *_words(operation.path)]),
        "summary": operation.summary,
        "responses": {
            str(operation.status): good,
            "default": {
                "description": "Refused; nothing has changed.",
                "content": _json(known[repr(m.Refused)]),
            },
        },
    }
    if parameters:
        told["parameters"] = parameters
    if operation.takes is not None:
        told["requestBody"] = {"required": True, "content": _json(known[repr(operation.takes)])}
    if operation.person:  # or neither
        told["security"] = [{"cookie": []}, {"token": []}, {}]
        told["description"] = FRESH
        good["headers"] = {"set-cookie": {"description": "Of a new guest.", "schema": TEXT}}
    return told


def _words(path: str) -> list[str]:
    return [part.strip("{}") for part in path.split("/") if part not in ("", "api")]


def _parameter(
    name: str, where: str, text: str, *, required: bool = False, schema: Any = TEXT
) -> dict[str, Any]:
    return {
        "name": name,
        "in": where,
        "required": required,
        "schema": schema,
        "description": text,
    }


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


# To read --------------------------------------------------------------------------------


@cache
def page() -> str:
    """The description as a page."""
    rows = "".join(
        f"<tr><td><code>{o.method} {escape(o.path)}</code><td>{escape(o.summary)}"
        f"<td>{_link(o.takes)}<td>{_link(o.gives)}"
        for o in OPERATIONS
    )
    types = "".join(
        _section(name, schema) for name, schema in describe()["components"]["schemas"].items()
    )
    return _document(
        "Kwartet: the API",
        "<p>Everything is JSON. A browser is known by its cookie, a script by "
        "<code>Authorization: Bearer …</code> with a token made at <a href='/account'>/account</a>."
        " What is refused is answered with a <a href='#Refused'>code and a sentence</a> and has "
        "changed nothing. Live: the sockets <code>/api/tables/{table}/live</code> (<a "
        "href='#FromServer'>FromServer</a>, <a href='#ToServer'>ToServer</a>), "
        "<code>/api/tables/{table}/review/live</code> (<a href='#FromReviewer'>FromReviewer</a>, "
        "<a href='#ToReviewer'>ToReviewer</a>) and <code>/api/live</code> (<a "
        "href='#FromLobby'>FromLobby</a>). For programs: "
        "<a href='/api/openapi.json'>openapi.json</a>.</p>"
        f"<table><tr><th>operation<th>what it does<th>takes<th>gives{rows}</table>{types}",
    )


def unbuilt() -> str:
    """What stands at / while the page has not been built."""
    return _document(
        "Kwartet",
        "<p>The page has not been built: run <code>make run</code> in the repository, or install "
        "a released package. The <a href='/api'>API</a> works.</p>",
    )


def helpless() -> str:
    """What stands at /help while the documentation has not been built."""
    return _document(
        "Kwartet",
        "<p>This server has no documentation yet. <code>make run</code> builds it when it starts, "
        "which takes a minute, and <code>make docs</code> by itself; released packages have it.</p>"
        "<p><a href='/'>Back to the games</a></p>",
    )


def _document(title: str, body: str) -> str:
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>"
        "<meta name=viewport content='width=device-width'>"
        f"<link rel=stylesheet href=/api/style.css><h1>{title}</h1>{body}</html>"
    )


def _section(name: str, schema: dict[str, Any]) -> str:
    fields = "".join(
        f"<tr><td><code>{escape(field)}</code><td>{_told(kind)}"
        for field, kind in schema.get("properties", {}).items()
    )
    about = escape(schema.get("description", ""))
    body = f"<table>{fields}</table>" if fields else _told(schema)
    return f"<h2 id={name}>{name}</h2><p>{about}</p>{body}"


def _told(schema: dict[str, Any]) -> str:
    """A type in words, with links."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"<a href=#{name}>{name}</a>"
    if "anyOf" in schema:
        return " or ".join(_told(part) for part in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_told(schema.get('items') or {})}"
    limits = ("minimum", "maximum", "minLength", "maxLength", "maxItems")
    told = ", ".join(f"{name} {schema[name]}" for name in limits if name in schema)
    return escape(f"{kind} ({told})" if told else kind)


def _link(kind: Any) -> str:
    """The name of a type, as a link."""
    if kind is None:
        return ""
    if get_origin(kind) is list:
        return f"list of {_link(get_args(kind)[0])}"
    name = getattr(kind, "__name__", "object")
    return f"<a href=#{name}>{name}</a>" if hasattr(kind, "__struct_fields__") else "object"
