"""The documentation at /help: as strictly and as small as the page, or how to build it."""

from pathlib import Path

import httpx
import pytest

from kwartet.server import app as serving
from kwartet.server.settings import Settings
from kwartet.server.webpush import new_key
from kwartet.store import open_store
from tests.serving import Server, on_a_loop


def test_it_is_served_with_the_headers_of_the_page(server: Server) -> None:
    asked = httpx.get(f"{server.url}/help", follow_redirects=True)
    assert asked.url.path == "/help/"
    assert asked.headers["content-type"].startswith("text/html")
    assert "<title>Kwartet</title>" in asked.text
    assert {name: asked.headers[name] for name in serving.HEADERS} == serving.HEADERS
    assert asked.headers["content-encoding"] == "gzip"
    assert httpx.get(f"{server.url}/help/games/carnac.html").status_code == 200
    again = httpx.get(f"{server.url}/help/", headers={"if-none-match": asked.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("path", ["nothing.html", "../app.py", "%2e%2e/app.py", "index.html.gz"])
def test_only_its_files_have_addresses(server: Server, path: str) -> None:
    answer = httpx.get(f"{server.url}/help/{path}")
    assert "make_app" not in answer.text
    assert answer.status_code == 404 or "<title>Kwartet</title>" in answer.text  # the page itself


@on_a_loop
async def test_without_it_a_sentence_says_how_to_build_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "HELP", tmp_path / "nothing")
    store = await open_store(f"sqlite:///{tmp_path}/kwartet.db")
    app = serving.make_app(Settings(bot_processes=1, push_key=new_key()), "s" * 40, store)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            answer = await client.get("/help/games/carat.html")
    assert "<code>make run</code> builds it" in answer.text
    assert "<code>make docs</code>" in answer.text
    assert "<a href='/'>" in answer.text  # the page leads here
