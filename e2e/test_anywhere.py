"""The page on any device: heard, installed, offline, and told of one's turn."""

import json
import re
import shutil
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Guests
from house import GREETING, PHONE, WORDS, Guest, House, next_move, place_tile, problems
from playwright.sync_api import Page, Worker, expect
from tests.push_service import Browser as PushBrowser
from tests.push_service import claims, push_service

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
    ann.page.wait_for_function("() => window.heard > 0")
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
    expect(page.get_by_role("heading", name=GREETING)).to_be_visible()
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
    expect(ann.page.get_by_role("heading", name=GREETING)).to_be_visible()


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


# Notifications


DAYS = {"clock": {"kind": "move", "seconds": 86400}}
# The tests' browser has neither notifications nor a push service; it is told that it has.
CONSENT = """
const permission = () => localStorage.permission ?? 'default';
Object.defineProperty(Notification, 'permission', { get: permission });
Notification.requestPermission = async () => (localStorage.permission = 'granted');
window.passed = [];
ServiceWorkerRegistration.prototype.getNotifications = async ({ tag }) => [
    { close: () => window.passed.push(tag) },
];
"""
SUBSCRIBED = """
PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    window.subscribedWith = applicationServerKey;
    return { toJSON: () => (%s) };
};
"""
NOT_LOOKED_AT = """() => {
    self.shown = [];
    Object.defineProperty(WindowClient.prototype, 'focused', { get: () => self.isLookedAt });
    self.registration.showNotification = async (title, how) => self.shown.push({ title, ...how });
}"""


def _sit(someone: Guest, table: str) -> None:
    someone.page.request.get("/api/me")
    assert someone.page.request.post(f"/api{_tables(table)}/sit", data={}).ok


def _play(someone: Guest, table: str) -> None:
    """Somebody's whole turn, without a page: the first legal move while there is one."""
    while True:
        match = someone.page.request.get(f"/api{_tables(table)}").json()["match"]
        if not match["legal"]:
            return
        wish = {"ply": match["view"]["ply"], "move": match["legal"][0]}
        answer = someone.page.request.post(f"/api{_tables(table)}/moves", data=wish)
        assert answer.ok, answer.text()


def _tables(address: str) -> str:
    return address.replace("/table/", "/tables/")


def _correspond(ann: Guest, bob: Guest) -> str:
    """A match over days that Ann begins."""
    seats = [ME, {"kind": "open"}]
    table = ann.open_table("carnac", options={"board": "small"}, seats=seats, **DAYS)
    _sit(bob, table)
    return table


def _worker(someone: Guest) -> Worker:
    """The service worker, which from now on believes that nobody looks."""
    someone.page.wait_for_function(CONTROLLED)
    (worker,) = someone.context.service_workers
    worker.evaluate(NOT_LOOKED_AT)
    return worker


def _shown(worker: Worker, count: int) -> list[dict[str, str]]:
    """What it has shown, when it is as much."""
    shown: list[dict[str, str]] = []
    for _ in range(200):
        shown = worker.evaluate("self.shown")
        if len(shown) >= count:
            break
        time.sleep(0.05)
    assert len(shown) == count
    return shown


def test_one_is_asked_at_a_table_over_days_and_told_while_a_tab_is_open(guests: Guests) -> None:
    ann, bob = guests(viewport=PHONE), guests()
    ann.expected = "does not support the Push API"  # the browser's own, where there is none
    ann.page.add_init_script(CONSENT)
    table = _correspond(ann, bob)
    ann.page.goto(table)
    expect(ann.page).to_have_title("● Your turn – Carnac")
    assert problems(ann.page) == []
    ann.page.get_by_role("button", name="Tell me").click()
    expect(ann.page.get_by_role("button", name="Tell me")).to_have_count(0)
    _play(ann, table)
    expect(ann.page).to_have_title("Carnac · Kwartet")
    ann.page.goto("/settings")
    notifications = ann.page.get_by_role("radiogroup", name="Notifications")
    expect(notifications.get_by_role("radio", name="On")).to_be_checked()
    expect(ann.page.get_by_text("While a tab of this page is open")).to_be_visible()
    worker = _worker(ann)
    _play(bob, table)
    expect(ann.page).to_have_title("● Your turn – Carnac")
    (shown,) = _shown(worker, 1)
    name = table.removeprefix("/table/")
    assert (shown["title"], shown["body"]) == ("It is your turn", "Carnac")
    assert (shown["tag"], shown["data"]) == (name, table)
    _play(ann, table)
    expect(ann.page).not_to_have_title("● Your turn – Carnac")
    ann.page.wait_for_function(f"() => window.passed.includes('{name}')")
    worker.evaluate("self.isLookedAt = true")
    _play(bob, table)
    expect(ann.page).to_have_title("● Your turn – Carnac")
    notifications.get_by_role("radio", name="Off").click()
    expect(notifications.get_by_role("radio", name="Off")).to_be_checked()
    expect(ann.page).not_to_have_title("● Your turn – Carnac")
    _shown(worker, 1)


def test_nobody_is_asked_at_once_or_twice(guests: Guests) -> None:
    ann, bob = guests(), guests()
    ann.page.add_init_script(CONSENT)
    ann.page.goto(ann.open_table("carat", **DUEL))
    assert next_move(ann.page)
    expect(ann.page.get_by_role("button", name="Tell me")).to_have_count(0)
    ann.page.goto(_correspond(ann, bob))
    ann.page.locator(".notice").get_by_role("button", name="No").click()
    expect(ann.page.get_by_role("button", name="Tell me")).to_have_count(0)
    ann.page.reload()
    assert next_move(ann.page)
    expect(ann.page.get_by_role("button", name="Tell me")).to_have_count(0)
    assert ann.page.evaluate("Notification.permission") == "default"


@pytest.fixture
def pushing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A server that may send to a push service on this machine."""
    monkeypatch.setenv("KWARTET_PUSH_LOOPBACK", "yes")
    house = House(tmp_path).start()
    yield house
    house.stop()


def test_one_is_told_while_the_page_is_closed(pushing: House, guests: Guests) -> None:
    with push_service() as service:
        ann, bob = guests(pushing.url), guests(pushing.url)
        browser = PushBrowser(service.url)
        ann.page.add_init_script(CONSENT + SUBSCRIBED % json.dumps(browser.subscription))
        table = _correspond(ann, bob)
        ann.page.goto("/settings")
        ann.page.get_by_role("radiogroup", name="Notifications").get_by_text("On").click()
        ann.page.wait_for_function("() => window.subscribedWith")
        key = ann.page.evaluate("window.subscribedWith")
        expect(ann.page.get_by_text(WORDS["notify_help"])).to_be_visible()
        worker = _worker(ann)
        ann.page.wait_for_load_state("networkidle")
        _play(ann, table)
        _play(bob, table)
        for _ in range(200):
            if service.received:
                break
            time.sleep(0.05)
        (received,) = service.received
        assert claims(received, key)["aud"] == service.url
        told = browser.read(received)
        assert told == {"game": "carnac", "table": table.removeprefix("/table/")}
        ann.page.close()
        worker.evaluate("self.shown = []")
        deliver = "(data) => self.dispatchEvent(new PushEvent('push', { data }))"
        worker.evaluate(deliver, json.dumps(told))
        (shown,) = _shown(worker, 1)
        assert (shown["title"], shown["data"]) == ("It is your turn", table)
