"""The page on any device: heard, installed, offline, and told of one's turn."""

import json
import re
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Guests
from house import PHONE, House, next_move, place_tile, problems
from playwright.sync_api import Page, expect

import web

BOT = {"kind": "bot", "level": "novice"}
ME = {"kind": "me"}
DUEL = {"options": {"players": 2}, "seats": [ME, BOT]}

# Counts what is really given to the loudspeaker.
LISTEN = """
window.heard = 0;
for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...when) {
        window.heard += 1;
        return start.apply(this, when);
    };
}
"""


def _heard(page: Page) -> int:
    return int(page.evaluate("window.heard"))


def test_a_table_is_heard_after_the_first_gesture_and_can_be_muted(guests: Guests) -> None:
    ann = guests()
    ann.page.add_init_script(LISTEN)
    ann.page.goto(ann.open_table("carat", **DUEL))
    assert next_move(ann.page)
    assert _heard(ann.page) == 0
    place_tile(ann.page)
    ann.page.wait_for_function("window.heard > 0")
    assert next_move(ann.page)
    ann.page.get_by_role("button", name="Sounds").click()
    expect(ann.page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "false")
    before = _heard(ann.page)
    place_tile(ann.page)
    assert next_move(ann.page)
    assert _heard(ann.page) == before
    ann.page.reload()
    expect(ann.page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "false")


CONTROLLED = "() => navigator.serviceWorker.controller !== null"
KEPT = """async () => {
    const files = await caches.open('files');
    return (await files.keys()).map(({ url }) => new URL(url).pathname);
}"""


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A server of its own on a copy of the program, whose page may be changed."""
    shutil.copytree(web.ROOT / "src", tmp_path / "src")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'src'}:{web.ROOT}")
    house = House(tmp_path).start()
    yield house
    house.stop()


def _build_anew(page: Path) -> None:
    """What a build does that says something else on the home page."""
    index, worker = page / "index.html", page / "sw.js"
    (name,) = re.findall(r"assets/(index-[^\"]+\.js)", index.read_text())
    script = (page / "assets" / name).read_text()
    assert "Four games, one table." in script
    (page / "assets/index-anew.js").write_text(script.replace("Four games,", "Four new games,"))
    (page / "assets" / name).unlink()
    for file in (index, worker):
        file.write_text(file.read_text().replace(name, "index-anew.js"))


def test_a_new_build_is_there_at_the_next_load_and_the_old_one_forgotten(
    copy: House, guests: Guests, tmp_path: Path
) -> None:
    page = guests(copy.url).page
    page.goto("/")
    page.wait_for_function(CONTROLLED)
    page.reload()
    expect(page.get_by_role("heading", name="Four games, one table.")).to_be_visible()
    before = page.evaluate(KEPT)
    assert any(path.startswith("/assets/index-") for path in before)
    assert not any(path.startswith(("/api", "/table")) or path == "/" for path in before)
    _build_anew(tmp_path / "src/kwartet/server/page")
    page.goto("/")
    expect(page.get_by_role("heading", name="Four new games, one table.")).to_be_visible()
    old = [path for path in before if re.match(r"/assets/index-.+\.js", path)]
    page.wait_for_function(f"async () => !(await ({KEPT})()).includes('{old[0]}')")


def test_without_a_server_the_page_says_so_and_comes_back_by_itself(
    copy: House, guests: Guests
) -> None:
    ann = guests(copy.url, viewport=PHONE)
    ann.expected = "ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED"
    table = ann.open_table("carat", **DUEL)
    ann.page.goto(table)
    ann.page.wait_for_function(CONTROLLED)
    assert next_move(ann.page)
    ann.context.set_offline(True)
    ann.page.goto(table)
    expect(ann.page.get_by_role("heading", name="You are offline.")).to_be_visible()
    expect(ann.page.get_by_text("Your tables are safe")).to_be_visible()
    assert problems(ann.page) == []
    ann.context.set_offline(False)
    assert next_move(ann.page)
    copy.kill()
    ann.page.goto("/")
    expect(ann.page.get_by_role("heading", name="The server does not answer.")).to_be_visible()
    copy.start()
    expect(ann.page.get_by_role("heading", name="Four games, one table.")).to_be_visible()


def test_the_page_can_be_installed(guests: Guests) -> None:
    page = guests().page
    page.goto("/")
    devtools = page.context.new_cdp_session(page)
    told = devtools.send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
    for icon in manifest["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", answer.body()[16:24])
            assert icon["sizes"] == f"{width}x{height}"
    worker = page.request.get("/sw.js")
    assert worker.headers["cache-control"] == "no-cache"
    assert worker.headers["content-type"].startswith("text/javascript")
    page.wait_for_function(CONTROLLED)
    assert devtools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
