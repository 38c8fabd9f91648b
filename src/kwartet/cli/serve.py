"""`kwartet serve`: the page, the API and the tables."""

import json
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from kwartet.cli.supervised import notify
from kwartet.cli.terminal import console

if TYPE_CHECKING:
    from kwartet.server.settings import Settings

SECRETS: Final = ("secret", "push_key")  # settings that are not shown

_place = partial(typer.Option, rich_help_panel="Where it is")
_keeping = partial(typer.Option, rich_help_panel="What it keeps")
_work = partial(typer.Option, rich_help_panel="Bots and reviews")
_limit = partial(typer.Option, rich_help_panel="Limits")


def run(
    host: Annotated[str | None, _place(help="Address to listen on [127.0.0.1].")] = None,
    port: Annotated[int | None, _place(help="Port; 0 takes a free one [8484].")] = None,
    database: Annotated[
        str | None,
        _keeping(metavar="URL", help="sqlite:///FILE or postgresql://… [a file in --data]."),
    ] = None,
    data: Annotated[
        Path | None,
        _keeping(metavar="DIR", help="Folder for the database and the secret."),
    ] = None,
    public_url: Annotated[
        str | None, _place(metavar="URL", help="Where people reach the server.")
    ] = None,
    bot_processes: Annotated[
        int | None, _work(help="Processes in which bots think [one less than cores].")
    ] = None,
    bot_threads: Annotated[
        int | None, _work(hidden=True, help="The old name of --bot-processes.")
    ] = None,
    review_processes: Annotated[
        int | None,
        _work(help="Processes that review matches; 0: no reviews [as many as cores]."),
    ] = None,
    absent_after: Annotated[
        float | None, _work(help="Seconds until an absent seat may go to a bot [120].")
    ] = None,
    identity_rate: Annotated[
        float | None, _limit(help="Requests a second from one identity [20].")
    ] = None,
    address_rate: Annotated[
        float | None, _limit(help="Requests a second from one address [100].")
    ] = None,
    watchers: Annotated[int | None, _limit(help="Open sockets at most [5000].")] = None,
    watchers_per_address: Annotated[
        int | None, _limit(help="Open sockets from one address at most [200].")
    ] = None,
    body_bytes: Annotated[int | None, _limit(help="Size of a request at most [16384].")] = None,
    patience: Annotated[
        float | None, _limit(help="Seconds to send a request or read an answer [20].")
    ] = None,
    trusted_proxies: Annotated[
        str | None,
        _place(metavar="NETWORKS", help="Proxies to believe [127.0.0.1, ::1]."),
    ] = None,
    log: Annotated[str | None, typer.Option(help="text or json [text].")] = None,
    browse: Annotated[
        bool | None, typer.Option("--open/--no-open", help="Open the page in a browser [open].")
    ] = None,
    push_loopback: Annotated[
        bool | None,
        typer.Option(help="Send notifications to a push service on this machine, for tests [no]."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings in a TOML file.")
    ] = None,
    print_settings: Annotated[
        bool,
        typer.Option("--print-settings", help="Print what is set, as for --config, and end."),
    ] = False,
) -> None:
    """Serve the page, the API and the tables until Ctrl-C.

    Every option can also be set in the environment (--public-url as KWARTET_PUBLIC_URL) or in
    the file given by --config (public_url = "…"); the command line goes first. The secret that
    signs cookies is KWARTET_SECRET or `secret` in the file, the key that signs notifications
    KWARTET_PUSH_KEY or `push_key`; without them they are made and kept in the data folder.
    """
    from kwartet.server.serving import serve
    from kwartet.server.settings import read_settings

    given: dict[str, Any] = dict(locals())
    for name in ("config", "print_settings", "serve", "read_settings"):
        given.pop(name)
    if data is not None:
        given["data"] = str(data)
    settings = read_settings(given, config)
    if print_settings:
        _show(settings)
    else:
        serve(settings, _tell)


def _show(settings: "Settings") -> None:
    """The settings as TOML that --config reads, each with what it means; secrets are left out."""
    for item in fields(settings):
        value = getattr(settings, item.name)
        print(f"# {item.metadata['summary']}")
        if item.name in SECRETS:
            print(f"# {item.name} is {'set, and not shown' if value else 'not set'}")
        elif item.name == "database" and "@" in value:
            print("# database is set, and not shown: it may hold a password")
        else:
            print(f"{item.name} = {json.dumps(value, ensure_ascii=False)}")


def _tell(address: str) -> None:
    """Say where the server is, to people and to what started it."""
    console.print(f"Kwartet is at [bold]{address}[/]. Ctrl-C ends it.")
    notify("READY=1")
