"""The page's files over a real socket: compressed forms by what the asker reads."""

import gzip
import http.client
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from kwartet.server import files

SCRIPT = b"console.log('a long line that says the same again and again');" * 40
PACKED = gzip.compress(SCRIPT)
BROTLI = b"\x0b\x02\x80as if it were brotli\x03"  # the server does not look into it
Answer = tuple[int, dict[str, str], bytes]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A page as its build leaves it."""
    page = tmp_path / "page"
    page.mkdir()
    (page / "a.js").write_bytes(SCRIPT)
    (page / "a.js.gz").write_bytes(PACKED)
    (page / "a.js.br").write_bytes(BROTLI)
    (page / "only.css").write_bytes(b"p {}")
    (tmp_path / "secret.txt").write_text("secret")
    return page


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    """Where the folder is served."""

    async def page(request: Request) -> Response:
        file = files.find(folder, request.path_params["path"])
        if file is None:
            return PlainTextResponse("nothing", 404)
        return files.answer(file, request.headers, {"cache-control": "no-cache"})

    config = uvicorn.Config(
        Starlette(routes=[Route("/{path:path}", page)]), log_config=None, lifespan="off"
    )
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        yield listener.getsockname()[1]
        server.should_exit = True
        thread.join()


def ask(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    """The answer as it comes over the wire."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    told = answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    connection.close()
    return told


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        (None, "identity"),
        ("", "identity"),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("GZip;Q=0.5", "gzip"),
        ("br;q=0.2, gzip;q=0.8", "gzip"),
        ("br;q=0, *", "gzip"),
        ("*", "br"),
        ("*;q=0", "identity"),
        ("identity, gzip;q=0.5", "identity"),
        ("identity, gzip", "gzip"),
        ("identity;q=0, br;q=0.001", "br"),
        ("identity;q=0", "identity"),  # there is nothing else to give
        ("br;q=1.1, gzip;q=, deflate", "identity"),
        ("br;q=0.0001", "identity"),
        ("br;level=9", "identity"),
        (",;,=,;q=1", "identity"),
    ],
)
def test_a_file_comes_in_the_encoding_that_is_liked_best(
    port: int, accepted: str | None, encoding: str
) -> None:
    headers = {} if accepted is None else {"accept_encoding": accepted}
    status, told, content = ask(port, "/a.js", **headers)
    assert (status, told.get("content-encoding", "identity")) == (200, encoding)
    assert content == {"br": BROTLI, "gzip": PACKED, "identity": SCRIPT}[encoding]
    assert int(told["content-length"]) == len(content)
    assert told["content-type"].startswith("text/javascript")
    assert told["vary"] == "accept-encoding"


def test_each_encoding_has_a_tag_of_its_own_and_is_not_sent_twice(port: int) -> None:
    tags = set()
    for accepted in ("br", "gzip", "identity"):
        tag = ask(port, "/a.js", accept_encoding=accepted)[1]["etag"]
        tags.add(tag)
        for known in (tag, f'"x", W/{tag}', "*"):
            status, told, content = ask(
                port, "/a.js", accept_encoding=accepted, if_none_match=known
            )
            assert (status, content, told["etag"]) == (304, b"", tag)
            assert told["vary"] == "accept-encoding"
        other = ask(port, "/a.js", accept_encoding=accepted, if_none_match='"x"')
        assert other[0] == 200
    assert len(tags) == 3


def test_what_has_no_compressed_form_comes_as_it_is(port: int) -> None:
    status, told, content = ask(port, "/only.css", accept_encoding="br, gzip")
    assert (status, content) == (200, b"p {}")
    assert "content-encoding" not in told
    assert told["vary"] == "accept-encoding"


def test_a_form_of_an_earlier_file_is_not_sent(port: int, folder: Path) -> None:
    before = (folder / "a.js.br").stat().st_mtime
    (folder / "a.js").write_bytes(b"new")
    os.utime(folder / "a.js", (before + 9, before + 9))
    assert ask(port, "/a.js", accept_encoding="br, gzip")[2] == b"new"


def test_a_head_tells_the_same_without_the_file(port: int) -> None:
    _, whole, _ = ask(port, "/a.js", accept_encoding="br")
    status, told, content = ask(port, "/a.js", "HEAD", accept_encoding="br")
    assert (status, content) == (200, b"")
    for name in ("content-encoding", "content-length", "etag", "vary"):
        assert told[name] == whole[name]


@pytest.mark.parametrize(
    "path", ["/a.js.br", "/a.js.gz", "/../secret.txt", "/%2e%2e/secret.txt", "/nothing", "/%00"]
)
def test_only_the_files_themselves_have_addresses(port: int, path: str) -> None:
    assert ask(port, path)[0] == 404
