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
from threading import Thread
from typing import Final
from urllib.request import urlopen

import structlog
import uvicorn
from starlette.applications import Starlette

from kwartet.core.errors import GameError, quoted
from kwartet.server import logs
from kwartet.server.addresses import Forwarded, Proxies
from kwartet.server.afterwards import IMPORT_BYTES
from kwartet.server.api.health import version
from kwartet.server.app import make_app, too_many
from kwartet.server.gates import (
    RECEIVE_BUFFER,
    SEND_BUFFER,
    SPARE,
    SPARE_EACH,
    Config,
    Gate,
    connections_at_most,
)
from kwartet.server.house import BURST, House
from kwartet.server.limits import Limit, Rate
from kwartet.server.settings import Settings
from kwartet.server.webpush import is_key, new_key
from kwartet.store import data_folder, database_url, open_store

FLOOD: Final = 2.0  # times the rate of an address at which it is no longer answered
BACKLOG: Final = 2048  # connections that wait to be taken
START: Final = 60.0  # seconds that the server may take until a browser is opened
GRACE: Final = 3  # seconds that open requests get when the server stops
SECRET_LENGTH: Final = 32

log = structlog.get_logger()


def serve(settings: Settings, told: Callable[[str], None]) -> None:
    """Serve until interrupted; `told` gets the address once everything is in place."""
    logs.configure(settings.log)
    with contextlib.suppress(KeyboardInterrupt), asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(_serve(settings, told))


async def _serve(settings: Settings, told: Callable[[str], None]) -> None:
    folder = Path(settings.data) if settings.data else None
    url = database_url(folder, settings.database or None)
    secret = settings.secret or _kept(folder, "secret", lambda: secrets.token_urlsafe(48))
    if len(secret) < SECRET_LENGTH:
        raise GameError("bad-setting", f"A secret has at least {SECRET_LENGTH} characters.")
    push_key = settings.push_key or _kept(folder, "push-key", new_key)
    if not is_key(push_key):
        raise GameError("bad-setting", "The push key is not one that this program made.")
    proxies = Proxies(settings.trusted_proxies)
    processes = settings.bot_processes or max(1, (os.cpu_count() or 2) - 1)
    with _listen(settings.host, settings.port) as listener:
        store = await open_store(url, upgrade=url.startswith("sqlite:"), hold=True)
        app = make_app(replace(settings, bot_processes=processes, push_key=push_key), secret, store)
        most = connections_at_most(settings.watchers + SPARE)
        gate = Gate(most, settings.watchers_per_address + SPARE_EACH, proxies)
        rate = FLOOD * settings.address_rate
        requests = Limit(Rate(rate, BURST * rate))
        config = Config(
            Forwarded(app, proxies, requests, too_many()),
            gate,
            requests,
            patience=settings.patience,
            body=max(settings.body_bytes, IMPORT_BYTES),
            ws_max_size=settings.body_bytes,
            ws_per_message_deflate=False,
            proxy_headers=False,  # are read by `Forwarded`
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        address = settings.public_url or _address(settings.host, listener.getsockname()[1])
        kind = url.partition(":")[0]  # the rest may hold a password
        log.info("started", version=version(), address=address, database=kind, connections=most)
        told(address)
        if settings.browse:
            Thread(target=_browse, args=(address,), daemon=True).start()
        await _Server(config, app).serve([listener])
        log.info("ended")


class _Server(uvicorn.Server):
    """A server that begins its end with what takes long, so that who waits for it is answered."""

    def __init__(self, config: uvicorn.Config, app: Starlette) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let nobody wait for a picture, then end as any server does."""
        log.info("ending")
        house: House = self._app.state.house
        await house.painter.stop()
        await super().shutdown(sockets)


def _browse(address: str) -> None:
    """Open the page once it is there. Some browsers come back only when they are closed."""
    with contextlib.suppress(webbrowser.Error, OSError):
        with urlopen(f"{address}/healthz", timeout=START):
            pass
        webbrowser.open(address)


def new_loop() -> asyncio.AbstractEventLoop:
    """The fastest that the system has."""
    try:
        import uvloop
    except ImportError:  # not on every system
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    both = host == "::" and socket.has_dualstack_ipv6()
    try:
        listener = socket.create_server(
            (host, port), family=family, backlog=BACKLOG, dualstack_ipv6=both
        )
    except OSError as error:
        raise GameError(
            "port-taken", f"Cannot listen on {quoted(host)}, port {port}: {error.strerror}."
        ) from error
    listener.set_inheritable(False)
    # Connections get these from the listener.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
    return listener


def _address(host: str, port: int) -> str:
    name = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1", "") else host
    return f"http://{name}:{port}"


def _kept(folder: Path | None, name: str, make: Callable[[], str]) -> str:
    """A secret in the data folder, made when there is none; only its owner may read it."""
    path = data_folder(folder) / name
    if not path.exists():
        draft = path.with_suffix(f".{os.getpid()}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(make())
        with contextlib.suppress(FileExistsError):  # another process was quicker
            os.link(draft, path)  # all of it at once, or nothing
        draft.unlink()
    return path.read_text()
