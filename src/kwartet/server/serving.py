"""Run the server in this process until it is told to stop."""

import asyncio
import contextlib
import os
import secrets
import socket
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import uvicorn

from kwartet.core.errors import GameError, quoted
from kwartet.server import logs
from kwartet.server.app import make_app
from kwartet.server.settings import Settings
from kwartet.store import Store, data_folder, database_url, open_store

GRACE: Final = 3  # seconds that open requests get when the server stops


def serve(settings: Settings, told: Callable[[str], None]) -> None:
    """Serve until interrupted; `told` gets the address once the port is taken."""
    logs.configure(settings.log)
    folder = Path(settings.data) if settings.data else None
    url = database_url(folder, settings.database or None)
    threads = settings.bot_threads or max(1, (os.cpu_count() or 2) - 1)

    async def opened() -> Store:
        store = await open_store(url, upgrade=url.startswith("sqlite:"))
        try:
            store.hold()
        except GameError:
            await store.close()
            raise
        return store

    async def kept() -> Store:
        return store

    listener = _listen(settings.host, settings.port)
    app = make_app(replace(settings, bot_threads=threads), settings.secret or _secret(folder), kept)
    config = uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_max_size=settings.body_bytes,
        ws_per_message_deflate=False,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    address = settings.public_url or _address(settings.host, listener.getsockname()[1])
    with listener, asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        store = runner.run(opened())  # not by uvicorn, which answers a refusal with a traceback
        told(address)
        if settings.browse:
            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(address)
        runner.run(uvicorn.Server(config).serve([listener]))


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise GameError(
            "port-taken", f"Cannot listen on {quoted(host)}, port {port}: {error.strerror}."
        ) from error
    listener.set_inheritable(False)
    return listener


def _address(host: str, port: int) -> str:
    name = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1", "") else host
    return f"http://{name}:{port}"


def _secret(folder: Path | None) -> str:
    """The secret in the data folder, made when there is none; only its owner may read it."""
    path = data_folder(folder) / "secret"
    with contextlib.suppress(FileExistsError):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48))
    return path.read_text()
