"""A real server with the built page, and people with browsers of their own."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import httpx
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    WebSocket,
    expect,
)

import web

PATIENCE: Final = 60.0  # seconds on a busy machine
WORDS: Final = web.catalogue("en")
GREETING: Final = re.compile(r"Four games, one table|Your move")  # home, to whomever it speaks
PLAYED: Final = web.games()
PHONE: Final = {"width": 360, "height": 780}
DESK: Final = {"width": 1280, "height": 800}
ABSENT: Final = ("--absent-after", "1")  # seconds
PLENTY: Final = ("--identity-rate", "1000", "--address-rate", "10000")  # requests a second
AXE: Final = (web.WEB / "node_modules/axe-core/axe.min.js").read_text()
SERIOUS: Final = ("serious", "critical")


class House:
    """`kwartet serve` as a process of its own; started anew it is where it was."""

    def __init__(self, data: Path, *games: str) -> None:
        """With games of these packages besides its own."""
        self._data = data
        self._others = games
        self._port = "0"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://localhost:{self._port}"

    def start(self) -> "House":
        """Start it and wait until the games of these tests can be played."""
        log = self._data / "log"
        before = log.stat().st_size if log.exists() else 0
        command = [
            *(sys.executable, "-m", "kwartet.cli"),
            *(word for package in self._others for word in ("--with", package)),
            *("serve", "--no-open", *PLENTY, *ABSENT),
            *("--port", self._port, "--data", str(self._data)),
        ]
        with log.open("ab") as file:
            self._process = subprocess.Popen(command, stdout=file, stderr=file, env=os.environ)
        soon(lambda: self._find(log.read_text()[before:]), log)
        soon(self._is_ready, log)
        return self

    def _find(self, text: str) -> bool:
        found = re.search(r"http://localhost:(\d+)", text)
        if found:
            self._port = found[1]
        return bool(found)

    def _is_ready(self) -> bool:
        try:
            games = httpx.get(f"{self.url}/api/games", timeout=10).json()
        except (httpx.TransportError, ValueError):
            return False
        played = (*PLAYED, *(package.rpartition(".")[2] for package in self._others))
        return all(game["preparing"] is None for game in games if game["key"] in played)

    def kill(self) -> None:
        """End it without a chance to do anything more."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        assert self._process
        self._process.send_signal(how)
        self._process.wait(30)


def soon(ask: Callable[[], Any], log: Path) -> None:
    """Wait until it is so."""
    end = time.monotonic() + PATIENCE
    while not ask():
        assert time.monotonic() < end, log.read_text()[-2000:]
        time.sleep(0.05)


class Guest:
    """Somebody with a browser: what they see, what the page complains of, what they are sent."""

    def __init__(self, browser: Browser, url: str, pace: str = "off", **how: Any) -> None:
        how = {"viewport": DESK, "reduced_motion": "reduce", "locale": "en", **how}
        self.context: BrowserContext = browser.new_context(base_url=url, **how)
        self.context.add_init_script(f"if (origin !== 'null') localStorage.pace ??= '{pace}'")
        self.context.set_default_timeout(20_000)
        self.complaints: list[str] = []
        self.expected = ""  # a pattern of complaints that the test brings about
        self.frames: list[dict[str, Any]] = []
        self.page = self.tab()

    def tab(self) -> Page:
        """Another page in the same browser."""
        page = self.context.new_page()
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("websocket", self._overhear)
        return page

    def _listen(self, message: ConsoleMessage) -> None:
        known = self.expected and re.search(self.expected, message.text)
        if message.type in ("error", "warning") and not known:
            self.complaints.append(message.text)

    def _overhear(self, socket: WebSocket) -> None:
        last: dict[str, Any] = {}

        def hear(frame: str | bytes) -> None:
            nonlocal last
            told = json.loads(frame)
            if told["type"] == "change":
                told = _changed(last, told)
            if told["type"] == "table":
                last = told
            self.frames.append(told)

        socket.on("framereceived", hear)

    @property
    def tables(self) -> list[dict[str, Any]]:
        """Every message about a table that the page was sent, changes as the whole they make."""
        return [frame for frame in self.frames if frame["type"] == "table"]

    def open_table(self, game: str, **wish: Any) -> str:
        """A table asked for as the page would; its address."""
        self.page.request.get("/api/me")
        made = self.page.request.post("/api/tables", data={"game": game, "order": "fixed", **wish})
        assert made.ok, made.text()
        return f"/table/{made.json()['id']}"


def _changed(before: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """The table after a change; see docs/protocol.md."""
    match, told = before["match"], change.get("match", {})
    if match:
        view = match["view"] | told.get("view", {})
        match = match | {"log": [], "steps": []} | told | {"view": view}
    return before | {"chat": []} | change | {"type": "table", "match": match}


NEXT: Final = """([result, move]) => {
    if (document.querySelector(`section[aria-label="${result}"]`)) return 'over';
    const labels = [...document.querySelectorAll('label')];
    const field = labels.find((label) => label.textContent === move)?.control;
    return field && !field.disabled ? field.placeholder : null;
}"""
NAMED: Final = [WORDS["result"], WORDS["notation"]]


def next_move(page: Page) -> str | None:
    """Wait for one's turn; the first legal move, or None when the match is over."""
    found = page.wait_for_function(NEXT, arg=NAMED, timeout=30_000).json_value()
    return None if found == "over" else str(found)


def type_move(page: Page, move: str) -> None:
    """Play through the field for notation."""
    field = page.get_by_label(WORDS["notation"], exact=True)
    if not field.is_visible():
        turn_to(page, WORDS["moves"])
    field.fill(move)
    field.press("Enter")


def finish(*pages: Page) -> None:
    """Whoever is to act plays the first legal move until the match is over."""
    over: set[Page] = set()
    while len(over) < len(pages):
        for page in pages:
            if page in over:
                continue
            found = page.evaluate(NEXT, NAMED)
            if found == "over":
                over.add(page)
            elif found:
                type_move(page, found)
            else:
                page.wait_for_timeout(20)


def free_cells(page: Page) -> Locator:
    """Carat's cells that a tile may be laid on."""
    return page.get_by_role("button", name=re.compile(r"^[a-f][1-6]: free"))


def place_tile(page: Page) -> None:
    """Carat: a legal cell clicked, the tile turned once, confirmed."""
    free_cells(page).first.click()
    page.keyboard.press("r")
    page.get_by_role("button", name="Place on").click()


def result_of(page: Page) -> Locator:
    """The result, once the match is over."""
    return page.get_by_role("region", name=WORDS["result"])


def log_of(page: Page) -> Locator:
    """The moves in the log, the newest first."""
    return page.get_by_role("list", name=WORDS["moves"]).get_by_role("listitem")


def give_up(page: Page) -> None:
    """Resign, and mean it."""
    page.get_by_role("button", name=WORDS["more_actions"]).click()
    page.get_by_role("button", name=WORDS["resign"]).click()
    page.get_by_role("dialog").get_by_role("button", name=WORDS["resign"]).click()
    expect(result_of(page)).to_be_visible()


def turn_to(page: Page, panel: str) -> None:
    """Bring the board or one of the panels beside it to the front, by its name."""
    tabs = page.get_by_role("group", name=WORDS["panels"])
    tabs.get_by_role("button", name=panel).click()


def say(page: Page, text: str) -> None:
    """Say something at the table."""
    turn_to(page, WORDS["chat"])
    page.get_by_label(WORDS["chat_say"]).fill(text)
    page.get_by_label(WORDS["chat_say"]).press("Enter")
    expect(page.get_by_role("log", name=WORDS["chat"])).to_contain_text(text)


def problems(page: Page) -> list[str]:
    """What axe-core finds serious, and whether the page is wider than its window."""
    page.evaluate(AXE)
    found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then((r) => r.violations)")
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [
        f"{problem['id']}: {node['html'][:160]}"
        for problem in found
        if problem["impact"] in SERIOUS
        for node in problem["nodes"]
    ] + [f"{wide} pixels too wide"] * (wide > 0)


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until this has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("(s) => document.activeElement?.matches(s)", selector):
            return
    raise AssertionError(f"Tab does not lead to {selector}")
