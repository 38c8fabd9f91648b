"""Pictures at a URL, and what a shared link shows: of what any onlooker may see."""

import html
import io
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
from PIL import Image

from kwartet.server.heading import language_of, put_in
from tests.serving import Guest, Server, assert_guarded, on_a_loop, visiting

PICTURES = ("picture.svg", "picture.png", "link.png")


async def shown(guest: Guest, table: str, file: str, /, **query: object) -> httpx.Response:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    response = await guest.http.get(
        f"{guest.server.url}/api/tables/{table}/{file}?{asked}", timeout=120
    )
    assert "default-src 'none'" in response.headers["content-security-policy"]
    return response


async def refused(guest: Guest, table: str, file: str, /, **query: object) -> str:
    response = await shown(guest, table, file, **query)
    assert response.status_code >= 400
    assert_guarded(response)
    code: str = response.json()["code"]
    return code


async def two(visit: Any, game: str = "connect_four", **wish: Any) -> tuple[Guest, Guest, str]:
    ann, bob = await visit.guests("Ann", "Bob")
    table = (await ann.open(game, "me", "open", **wish))["id"]
    await bob.do(table, "sit")
    return ann, bob, table


@on_a_loop
async def test_a_table_is_a_picture_after_each_of_its_moves(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await two(visit)
        for ply, (guest, column) in enumerate(zip((ann, bob, ann), "ddc", strict=True)):
            await guest.do(table, "play", ply=ply, move=column)
        eve = await visit.stranger()
        text = await shown(eve, table, "picture.svg", ply=2)
        assert text.headers["content-type"].startswith("image/svg+xml")
        assert text.headers["cache-control"] == "no-cache"
        assert text.headers["cross-origin-resource-policy"] == "cross-origin"
        assert "set-cookie" not in text.headers
        title = ElementTree.fromstring(text.text)[0].text or ""
        assert "Ann" in title
        assert "Bob" in title
        assert text.text != (await shown(eve, table, "picture.svg", ply=3)).text
        assert text.text != (await shown(eve, table, "picture.svg", ply=2, theme="dark")).text
        assert (await shown(eve, table, "picture.svg")).text == (
            await shown(eve, table, "picture.svg", ply=3)
        ).text
        small = await shown(eve, table, "picture.png", size=200)
        assert small.headers["content-type"] == "image/png"
        assert max(Image.open(io.BytesIO(small.content)).size) == 200
        link = await shown(eve, table, "link.png", ply=1)
        assert Image.open(io.BytesIO(link.content)).size == (1200, 630)


@on_a_loop
async def test_a_picture_that_has_not_changed_is_not_sent_again(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await two(visit)
        await ann.do(table, "play", ply=0, move="d")
        first = await shown(ann, table, "picture.svg", ply=1)
        headers = {"if-none-match": first.headers["etag"]}
        path = f"{server.url}/api/tables/{table}/picture.svg?ply=1"
        again = await ann.http.get(path, headers=headers)
        assert (again.status_code, again.content) == (304, b"")
        await ann.do(table, "resign")
        over = await shown(ann, table, "picture.svg", ply=1)
        assert "immutable" in over.headers["cache-control"]
        assert over.headers["etag"] == first.headers["etag"]


@on_a_loop
async def test_a_running_match_shows_no_hand_and_a_finished_one_every_seat_s(
    server: Server,
) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await two(visit, "kwatro")
        eve = await visit.stranger()
        for file in PICTURES:
            everybodys = [await shown(guest, table, file) for guest in (ann, bob, eve)]
            assert len({one.content for one in everybodys}) == 1
            assert len({one.headers["etag"] for one in everybodys}) == 1
        for guest in (ann, bob, eve):
            assert await refused(guest, table, "picture.png", seat=0) == "not-over"
            assert await refused(guest, table, "film.gif") == "not-over"
        await ann.do(table, "resign")
        seats = [await shown(eve, table, "picture.svg", seat=seat) for seat in (0, 1)]
        onlooker = await shown(eve, table, "picture.svg")
        assert len({one.text for one in (*seats, onlooker)}) == 3


@on_a_loop
async def test_a_finished_match_is_filmed_once(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, table = await two(visit)
        for ply, column in enumerate("ababab"):
            await (ann, bob)[ply % 2].do(table, "play", ply=ply, move=column)
        await ann.do(table, "play", ply=6, move="a")  # four in a column
        film = await shown(ann, table, "film.gif", size=200)
        assert film.headers["content-type"] == "image/gif"
        assert "immutable" in film.headers["cache-control"]
        with Image.open(io.BytesIO(film.content)) as made:
            assert made.n_frames == 8  # type: ignore[attr-defined]
            assert max(made.size) == 200
        assert (await shown(bob, table, "film.gif", size=200)).content == film.content


@on_a_loop
async def test_bad_wishes_are_refused(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        waiting = (await ann.open("connect_four", "me", "open"))["id"]
        _, _, table = await two(visit)
        assert await refused(ann, waiting, "picture.png") == "not-started"
        assert await refused(ann, "nowhere", "picture.png") == "unknown-table"
        assert await refused(ann, table, "picture.png", ply=1) == "stale-ply"
        for wish in (
            {"ply": "-1"},
            {"ply": "1e3"},
            {"size": "99999"},
            {"size": "10"},
            {"size": "0"},
            {"seat": "x"},
            {"theme": "pink"},
            {"language": "xx"},
            {"ply": "%00"},
        ):
            assert await refused(ann, table, "picture.svg", **wish) == "bad-request", wish


@on_a_loop
async def test_pictures_and_films_are_rationed(tmp_path: Path) -> None:
    server = Server(tmp_path / "strict", "--identity-rate", "10", "--address-rate", "1000").start()
    try:
        async with visiting(server) as visit:
            ann, _, table = await two(visit)
            codes = [
                (await shown(ann, table, "picture.svg", size=size)).status_code
                for size in range(200, 245)
            ]
            assert 429 in codes
            assert codes[0] == 200
            assert (await shown(ann, table, "picture.svg", size=200)).status_code == 200  # kept
    finally:
        assert server.stop() == 0
        assert not server.faults


class Head(HTMLParser):
    """The title and the tags of a page's head."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: dict[str, str] = {}
        self.title = ""
        self._in_title = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self._in_title = tag == "title"
        if tag == "meta" and (name := told.get("property") or told.get("name")):
            self.tags[name] = told.get("content") or ""

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
            self._in_title = False


async def head(guest: Guest, path: str, **headers: str) -> Head:
    response = await guest.http.get(guest.server.url + path, headers=headers)
    assert response.status_code == 200
    assert response.headers["cache-control"] == "no-cache"
    assert_guarded(response)
    return Head(response.text)


@on_a_loop
async def test_a_shared_link_tells_the_board_and_the_score(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await two(visit, "carat", options={"players": 2, "colours": ["R", "Y"]})
        eve = await visit.stranger()
        told = await head(eve, f"/table/{table}")
        assert told.title == "Carat: Ann 0, Bob 0 · Kwartet"
        assert told.tags["og:title"] == "Carat: Ann 0, Bob 0"
        assert told.tags["twitter:card"] == "summary_large_image"
        image = told.tags["og:image"]
        assert image.startswith(f"{server.url}/api/tables/{table}/link.png?")
        assert Image.open(io.BytesIO((await eve.http.get(image)).content)).size == (1200, 630)
        german = await head(eve, f"/table/{table}?ply=1", **{"accept-language": "de-AT,en;q=0.5"})
        assert german.tags["og:description"] == "Zug 1."
        assert german.tags["og:image"].endswith("language=de&ply=1")
        assert (await head(eve, f"/table/{table}?ply=999")).tags[
            "og:title"
        ] == "Carat: Ann 0, Bob 0"
        compressed = await eve.http.get(
            f"{server.url}/table/{table}", headers={"accept-encoding": "br, gzip"}
        )
        assert "og:image" in compressed.text
        home = await head(eve, "/")
        assert home.tags["og:image"] == f"{server.url}/icon-512.png"
        assert (await ann.look(table))["match"]


@on_a_loop
async def test_a_link_to_nothing_is_the_plain_page(server: Server) -> None:
    async with visiting(server) as visit:
        eve = await visit.stranger()
        for path in ("/table/nowhere", "/table/%00", "/table/a/b", "/settings", "/table/"):
            told = await head(eve, path)
            assert not any(name.startswith("og:") for name in told.tags), path


@on_a_loop
async def test_hostile_names_stay_names(server: Server) -> None:
    async with visiting(server) as visit:
        name = "\"><script>&'"
        ann = await visit.guest(name)
        table = (await ann.open("connect_four", "me", "bot"))["id"]
        eve = await visit.stranger()
        page = (await eve.http.get(f"{server.url}/table/{table}")).text
        assert "<script>&" not in page
        assert name in html.unescape(page)
        assert name in Head(page).tags["og:title"]
        drawn = await shown(eve, table, "picture.svg")
        assert name in (ElementTree.fromstring(drawn.text)[0].text or "")


def test_the_language_is_the_first_of_ours_that_is_read() -> None:
    assert language_of(None) == "en"
    assert language_of("pl, fr-CA;q=0.8, de;q=0.7") == "fr"
    assert language_of("*;q=nonsense,,,") == "en"


def test_a_head_takes_the_place_of_the_title() -> None:
    page = "<head><title>Kwartet</title></head><p><title>x</title>"
    assert (
        put_in(page, r"<title>\1</title>") == r"<head><title>\1</title></head><p><title>x</title>"
    )
    assert put_in(page, "") == page
