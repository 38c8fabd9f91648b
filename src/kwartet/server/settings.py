"""What an operator may choose: by flag, by environment, by file; in that order."""

import os
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final

import structlog

from kwartet.core.errors import GameError, quoted, some_of

PREFIX: Final = "KWARTET_"
RENAMED: Final = {"bot_threads": "bot_processes"}  # settings by their old names, still read

log = structlog.get_logger()


def _setting(default: Any, summary: str) -> Any:
    return field(default=default, metadata={"summary": summary})


@dataclass(frozen=True)
class Settings:
    """Everything that can be set."""

    host: str = _setting("127.0.0.1", "Address to listen on; only this machine unless told.")
    port: int = _setting(8484, "Port to listen on; 0 takes a free one.")
    database: str = _setting("", "sqlite:///FILE or postgresql://…; a file in the data folder.")
    data: str = _setting("", "Folder for the database and the secret; the user's own if empty.")
    secret: str = _setting("", "Signs cookies; made and kept in the data folder if empty.")
    push_key: str = _setting("", "Signs notifications; made and kept in the data folder if empty.")
    push_loopback: bool = _setting(False, "Send notifications to a service on this machine, too.")
    public_url: str = _setting("", "Where people reach the server, such as https://play.example.")
    bot_processes: int = _setting(0, "Processes in which bots think; one less than cores if 0.")
    review_processes: int = _setting(-1, "Processes that review; as many as cores if -1; 0: none.")
    absent_after: float = _setting(120.0, "Seconds after which an absent seat may go to a bot.")
    identity_rate: float = _setting(20.0, "Requests a second from one identity, 5 s in a row.")
    address_rate: float = _setting(100.0, "Requests a second from one address, 5 s in a row.")
    watchers: int = _setting(5000, "Sockets open at once, at most.")
    watchers_per_address: int = _setting(200, "Sockets open at once from one address, at most.")
    body_bytes: int = _setting(16_384, "Size of a request, at most.")
    patience: float = _setting(20.0, "Seconds for a request to come, an answer to be read.")
    trusted_proxies: str = _setting(
        "127.0.0.1, ::1", "Proxies whose X-Forwarded-For and -Proto are believed; networks, too."
    )
    log: str = _setting("text", "How to log: text or json.")
    browse: bool = _setting(True, "Open the page in a browser when there is one.")


SOUND: Final[dict[str, Callable[[Any], bool]]] = {
    "port": lambda port: 0 <= port < 65536,
    "bot_processes": lambda processes: 0 <= processes <= 256,
    "review_processes": lambda processes: -1 <= processes <= 256,
    "absent_after": lambda seconds: seconds > 0,
    "identity_rate": lambda rate: rate > 0,
    "address_rate": lambda rate: rate > 0,
    "watchers": lambda count: count > 0,
    "watchers_per_address": lambda count: count > 0,
    "body_bytes": lambda size: 256 <= size <= 2**24,
    "patience": lambda seconds: seconds > 0,
    "log": lambda form: form in ("text", "json"),
    "public_url": lambda url: not url or url.startswith(("http://", "https://")),
}


def read_settings(given: dict[str, Any], file: Path | None) -> Settings:
    """Flags that were given, then the environment, then the file; GameError on a bad value."""
    known = {item.name: item for item in fields(Settings)}
    values: dict[str, Any] = {}
    for name, value in (_from_file(file) if file else {}).items():
        if name not in known and name not in RENAMED:
            raise GameError("bad-setting", f"There is no setting {quoted(name)}: {some_of(known)}.")
        values[_present(name)] = value
    for name in (*RENAMED, *known):
        if PREFIX + name.upper() in os.environ:
            values[_present(name)] = os.environ[PREFIX + name.upper()]
    values |= {_present(name): value for name, value in given.items() if value is not None}
    settings = Settings(**{name: _typed(known[name], value) for name, value in values.items()})
    for name, sound in SOUND.items():
        if not sound(getattr(settings, name)):
            value = quoted(getattr(settings, name))
            raise GameError("bad-setting", f"Setting {name} cannot be {value}.")
    return settings


def _present(name: str) -> str:
    """What the setting is called now; a note tells who uses an old name."""
    if name in RENAMED:
        log.warning("a setting has a new name", old=name, new=RENAMED[name])
    return RENAMED.get(name, name)


def _from_file(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise GameError("bad-setting", f"Cannot read {quoted(str(file))}: {error}.") from error


def _typed(item: Any, value: Any) -> Any:
    """The value as the setting's type; texts come from the environment."""
    kind = type(item.default)
    try:
        if kind is bool and isinstance(value, str):
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[
                value.lower()
            ]
        if kind is not bool and isinstance(value, bool):
            raise ValueError
        return kind(value)
    except (KeyError, TypeError, ValueError):
        raise GameError(
            "bad-setting",
            f"Setting {item.name} cannot be {quoted(value)}; it is a {kind.__name__}.",
        ) from None
