"""How quick the page is in a real browser against a real server on loopback.

    python -m bench.browser

Bytes of the first load as they come over the wire, and until one can click; from a click on the
board until its effect is painted; frames while others' moves are shown; the longest task of a
match. The browser is the one of the tests (`make .cache/chromium/.unpacked`).
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

import typer
from playwright.sync_api import Page, sync_playwright

from bench.machine import load
from kwartet.cli.terminal import console

ROOT: Final = Path(__file__).resolve().parents[1]
GAMES: Final = {"carat": 3, "carnac": 1, "catan_dice": 3, "kwatro": 3}  # bots
CLICKS: Final = 12
SECONDS: Final = 12  # of a match to look at

WATCH: Final = """() => {
    window.seen = { frames: [], tasks: [] };
    let last = performance.now();
    const tick = (now) => {
        seen.frames.push(now - last);
        last = now;
        requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map((e) => e.duration)))
        .observe({ type: 'longtask', buffered: true });
}"""

# From a press until the frame after the one that draws it has begun.
CLICK: Final = """(selector) => new Promise((painted) => {
    const places = [...document.querySelectorAll(selector)];
    const place = places[Math.floor(Math.random() * places.length)];
    const began = performance.now();
    place.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    requestAnimationFrame(() => setTimeout(() => painted(performance.now() - began)));
})"""
PRESSABLE: Final = "[data-place=board] [role=button], [data-place=hand] button:not(:disabled)"


@contextmanager
def serving(folder: str) -> Iterator[str]:
    """A server of its own; where it is."""
    command = [sys.executable, "-m", "kwartet.cli", "serve", "--no-open", "--port", "0"]
    with subprocess.Popen(
        [*command, "--data", folder], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        found = re.search(r"http://\S+\d", server.stdout.readline())
        assert found
        try:
            yield found[0]
        finally:
            server.terminate()


def first_load(page: Page) -> dict[str, float]:
    """Kilobytes over the wire, and seconds until the first button is there."""
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.wait_for()
    ready = page.evaluate("performance.now()")
    sent = page.evaluate(
        "performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize ?? 0), 0)"
    )
    return {"first load, kB": sent / 1000, "until one can click, s": ready / 1000}


def match(page: Page, game: str, bots: int) -> dict[str, float]:
    """A table with bots: clicks on it, then what its moves cost the browser."""
    page.request.get("/api/me")
    options = {} if game == "carnac" else {"players": bots + 1}
    seats = [{"kind": "me"}, *[{"kind": "bot", "level": "casual"}] * bots]
    wish = {"game": game, "order": "fixed", "options": options, "seats": seats}
    table = page.request.post("/api/tables", data=wish).json()
    page.goto(f"/table/{table['id']}")
    page.wait_for_selector(PRESSABLE, timeout=120_000)
    page.evaluate(WATCH)
    clicks = [page.evaluate(CLICK, PRESSABLE) for _ in range(CLICKS)]
    page.keyboard.press("Escape")
    page.evaluate("window.seen.frames.length = 0")
    field = page.locator("form input").first
    for _ in range(SECONDS * 4):
        if field.count() and field.is_enabled():
            if not field.is_visible():
                page.get_by_role("button", name="Moves").click()
            field.fill(field.get_attribute("placeholder") or "")
            field.press("Enter")
        page.wait_for_timeout(250)
    seen: dict[str, Any] = page.evaluate("window.seen")
    return {
        "click to paint, ms (median)": median(clicks),
        "click to paint, ms (worst)": max(clicks),
        "frame, ms (median)": median(seen["frames"]),
        "frame, ms (95th)": quantiles(seen["frames"], n=20)[-1],
        "longest task, ms": max(seen["tasks"], default=0.0),
    }


def main() -> None:
    """Measure, and print one table."""
    sys.path.insert(0, str(ROOT / "tools"))
    import web  # the page's own tools, which know where the browser is

    console.print(f"load {load()}")
    with tempfile.TemporaryDirectory() as folder, serving(folder) as url, sync_playwright() as play:
        browser = play.chromium.launch(**web.browser_launch())
        for game, bots in GAMES.items():
            context = browser.new_context(base_url=url, viewport={"width": 1280, "height": 800})
            page = context.new_page()
            for what, figure in {**first_load(page), **match(page, game, bots)}.items():
                console.print(f"{game:12} {what:32} {figure:8.1f}")
            context.close()
        browser.close()


if __name__ == "__main__":
    typer.run(main)
