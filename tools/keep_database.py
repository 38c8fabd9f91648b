"""Keeps a small database with tables of every kind, as the present program writes it.

`python tools/keep_database.py` starts a server on an empty folder, lets three people do a bit of
everything over HTTP, and puts its database into tests/data/databases, named by the version of its
schema. `tests/test_server_kept.py` opens all of them with the program of the day. Make one before
each release, and never again afterwards. `--program FOLDER` takes the program of another checkout.
"""

import argparse
import gzip
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx
from websockets.sync.client import connect

ROOT: Final = Path(__file__).parents[1]
TARGET: Final = ROOT / "tests/data/databases"
PATIENCE: Final = 600.0  # seconds until all rules are compiled
LIVE: Final = {"kind": "live", "seconds": 1800, "increment": 5}
DAYS: Final = {"kind": "move", "seconds": 3 * 86400}
WON: Final = "abababa"  # four in a row for who begins

Json = dict[str, Any]


@contextmanager
def serving(program: Path, data: Path) -> Iterator[str]:
    """A server of this program on this folder; yields its address."""
    command = [sys.executable, "-m", "kwartet.cli", "--with", "examples.connect_four", "serve"]
    with (data / "log").open("w+b") as log:
        process = subprocess.Popen(
            [*command, "--no-open", "--port", "0", "--data", str(data)],
            cwd=program,
            env=os.environ | {"PYTHONPATH": f"{program / 'src'}{os.pathsep}{program}"},
            stdout=log,
            stderr=log,
        )
        try:
            yield _address(data / "log")
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def _address(log: Path) -> str:
    """Where the server is, once all games can be played."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := re.search(r"http://localhost:\d+", log.read_text()):
            games = httpx.get(f"{found[0]}/api/games", timeout=60).json()
            if all(game["preparing"] is None for game in games):
                return found[0]
        time.sleep(0.2)
    raise SystemExit(log.read_text())


class Guest:
    """Somebody with a browser."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=60)
        self.ask("GET", "/api/me")
        self.ask("PATCH", "/api/me", name=name)

    def ask(self, method: str, path: str, **body: Any) -> Any:
        """The answer, which must be a good one."""
        answer = self.http.request(method, path, json=None if method == "GET" else body)
        assert answer.is_success, (path, answer.text)
        return answer.json() if answer.content else None

    def open(self, *seats: str, game: str = "connect_four", **wish: Any) -> str:
        """A new table with these seats."""
        kinds: list[Json] = [{"kind": seat} for seat in seats]
        for kind in kinds:
            kind |= {"level": "novice"} if kind["kind"] == "bot" else {}
        wish = {"order": "fixed", "listed": False} | wish
        return str(self.ask("POST", "/api/tables", game=game, seats=kinds, **wish)["id"])

    def do(self, table: str, what: str, **fields: Any) -> Json:
        """Carry out a command."""
        answer: Json = self.ask("POST", f"/api/tables/{table}/{what}", **fields)
        return answer

    def look(self, table: str) -> Json:
        """The table as one sees it."""
        shown: Json = self.ask("GET", f"/api/tables/{table}")
        return shown

    def review(self, table: str) -> None:
        """Have a match reviewed."""
        address = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/review/live"
        cookie = f"kwartet={self.http.cookies['kwartet']}"
        with connect(address, additional_headers={"cookie": cookie}, proxy=None) as socket:
            socket.send(json.dumps({"type": "ask", "care": "quick"}))
            while json.loads(socket.recv(PATIENCE)).get("state") != "done":
                continue


def play(moves: str, table: str, *people: Guest) -> None:
    """Let people move in turn."""
    for ply, move in enumerate(moves):
        people[ply % len(people)].do(table, "moves", ply=ply, move=move, id=f"m{ply}")


def live_through(url: str) -> dict[str, str]:
    """A bit of everything; the tables by what they are."""
    ann, bob, eve = (Guest(url, name) for name in ("Ann", "Bob", "Eve"))
    ann.ask("POST", "/api/me/tokens", name="script")
    ann.ask("POST", "/api/me/link")

    def pair(**wish: Any) -> str:
        table = ann.open("me", "open", **wish)
        bob.do(table, "sit", id="sit")
        return table

    tables = {"open": ann.open("me", "open", listed=True), "invited": ann.open("me", "invite")}
    tables |= _running(ann, bob, pair)
    tables |= _over(ann, bob, eve, pair)
    return tables


def _running(ann: Guest, bob: Guest, pair: Any) -> dict[str, str]:
    live, days, talk = pair(clock=LIVE, listed=True), pair(clock=DAYS), pair()
    play("dcd", live, ann, bob)
    play("dc", days, ann, bob)
    play("de", talk, ann, bob)
    bob.do(talk, "chat", text="Good luck!", id="hi")
    bob.do(talk, "offer", kind="draw")
    ann.do(talk, "reply", accept=False)
    bob.do(talk, "offer", kind="takeback")
    ann.do(talk, "reply", accept=True)
    ann.do(talk, "mute", player=ann.look(talk)["seats"][1]["player"])
    ann.do(talk, "handover", seat=0)
    ann.do(talk, "return")
    tables = {"live": live, "days": days, "talk": talk}
    for game in ("carat", "carnac", "catan_dice", "kwatro"):
        options = {"options": {"players": 2}} if game in ("carat", "catan_dice") else {}
        table = tables[game] = ann.open("me", "bot", game=game, **options)
        for _ in range(3):
            while not (match := ann.look(table)["match"])["legal"]:
                time.sleep(0.05)
            ann.do(table, "moves", ply=match["view"]["ply"], move=match["legal"][0])
    return tables


def _over(ann: Guest, bob: Guest, eve: Guest, pair: Any) -> dict[str, str]:
    won, drawn, rated = pair(listed=True), pair(), pair(rated=True, clock=DAYS)
    play(WON, won, ann, bob)
    ann.review(won)
    ann.do(drawn, "offer", kind="draw")
    bob.do(drawn, "reply", accept=True)
    ann.do(drawn, "offer", kind="rematch")
    again = bob.do(drawn, "reply", accept=True)["table"]
    play("d", rated, ann)
    bob.do(rated, "resign")
    alone = eve.open("me", game="catan_dice")
    eve.do(alone, "resign")
    dropped = eve.open("me", "bot")
    eve.ask("DELETE", f"/api/tables/{dropped}")
    record = ann.ask("GET", f"/api/tables/{won}/record")
    imported = eve.ask("POST", "/api/records", text=json.dumps(record))["id"]
    seats = [{"kind": "me"}, {"kind": "bot", "level": "novice"}]
    branched = eve.do(won, "branch", ply=4, seats=seats)["id"]
    return {
        "won": won,
        "drawn": drawn,
        "again": again,
        "rated": rated,
        "alone": alone,
        "dropped": dropped,
        "imported": imported,
        "branched": branched,
    }


def keep(data: Path, tables: dict[str, str]) -> Path:
    """Put the database, and what its tables are, where tests find them."""
    with sqlite3.connect(data / "kwartet.db") as database:
        (version,) = database.execute("SELECT max(version) FROM schema_version").fetchone()
        database.execute(f"VACUUM INTO '{data / 'small.db'}'")
    TARGET.mkdir(exist_ok=True)
    file = TARGET / f"{version}.db.gz"
    file.write_bytes(gzip.compress((data / "small.db").read_bytes(), mtime=0))
    (TARGET / f"{version}.json").write_text(json.dumps(tables, indent=2) + "\n")
    return file


def main() -> None:
    """Make the next one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=ROOT, help="a checkout of the program")
    program = parser.parse_args().program.absolute()
    with tempfile.TemporaryDirectory() as folder:
        with serving(program, Path(folder)) as url:
            tables = live_through(url)
        file = keep(Path(folder), tables)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size} bytes, {len(tables)} tables")


if __name__ == "__main__":
    main()
