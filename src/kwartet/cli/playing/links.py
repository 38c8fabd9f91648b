"""Links to tables of a server, and who this terminal is there."""

import contextlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from kwartet.core.errors import GameError, quoted


@dataclass(frozen=True)
class Link:
    """A table of a server."""

    server: str
    table: str
    invite: str | None = None

    def __str__(self) -> str:
        return f"{self.server}/table/{self.table}"


def read_link(text: str) -> Link:
    """The table that a link such as http://host/table/abc names; GameError if it names none."""
    try:
        parts = urlsplit(text)
        path = parts.path.strip("/").split("/")
        is_table = len(path) >= 2 and path[-2] in ("table", "tables") and path[-1] != ""
        if parts.scheme not in ("http", "https") or not parts.hostname or not is_table:
            raise ValueError
    except ValueError:
        sentence = f"A table's link is like http://host/table/abc, not {quoted(text)}."
        raise GameError("bad-link", sentence) from None
    invites = parse_qs(parts.query).get("invite", [])
    prefix = "/".join(path[:-2]).removesuffix("api")
    server = f"{parts.scheme}://{parts.netloc}/{prefix}".rstrip("/")
    return Link(server, path[-1], invites[0] if invites else None)


def known_cookies(server: str) -> dict[str, str] | None:
    """What this terminal was known by at the server, if it was there before."""
    found = _read().get(server)
    return found if isinstance(found, dict) else None


def remember(server: str, cookies: dict[str, str]) -> None:
    """Keep who one is there, for this user alone."""
    if not cookies or known_cookies(server) == cookies:
        return
    from kwartet.core.files import write_whole

    path = _file()
    with contextlib.suppress(OSError):  # then one is somebody else the next time
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.touch(0o600)
        write_whole(path, json.dumps(_read() | {server: cookies}))
        path.chmod(0o600)


def _file() -> Path:
    from platformdirs import user_data_path

    data = os.environ.get("KWARTET_DATA")
    return (Path(data) if data else user_data_path("kwartet", False)) / "guests.json"


def _read() -> dict[str, Any]:
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
