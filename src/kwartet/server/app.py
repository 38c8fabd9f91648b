"""The server put together: routes, what surrounds every request, start and stop."""

import asyncio
import time
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import msgspec
import structlog
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route, WebSocketRoute

from kwartet.core.errors import GameError
from kwartet.server import files, heading, live, openapi
from kwartet.server.api import OPERATIONS
from kwartet.server.api.calls import Call, Operation
from kwartet.server.api.health import version
from kwartet.server.bans import Bans
from kwartet.server.budgets import Budgets
from kwartet.server.erasing import Erasing
from kwartet.server.errors import refusal, status_of
from kwartet.server.hall import Hall, known_games
from kwartet.server.house import House, address_of
from kwartet.server.identity import COOKIE, COOKIE_SECONDS, Identities, Visitor
from kwartet.server.listing import Listing
from kwartet.server.messages import encode
from kwartet.server.metrics import Metrics
from kwartet.server.news import News
from kwartet.server.painting import Content, Painter
from kwartet.server.push import Push
from kwartet.server.reviewing import Reviews
from kwartet.server.reviewing import live as reviewing
from kwartet.server.settings import Settings
from kwartet.server.thinkers import Thinkers
from kwartet.server.webpush import Signer
from kwartet.store import Store, data_folder

PAGE: Final = (Path(__file__).parent / "page").resolve()  # built from web/
HELP: Final = (Path(__file__).parent / "help").resolve()  # built from docs/
SAFE: Final = ("GET", "HEAD")
GONE: Final = 499  # counts who left before all was sent; nobody is told
HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
ENVELOPE: Final = "application/json"
SHOWN: Final = "public, max-age=604800, immutable"  # a picture of what cannot change

log = structlog.get_logger()


def make_app(settings: Settings, secret: str, store: Store) -> Starlette:
    """The application on an open store, which it closes at its end."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        contact = settings.public_url or "mailto:kwartet@localhost"
        signer = Signer(settings.push_key, contact)
        push = Push(store, signer, loopback=settings.push_loopback)
        hall = Hall(
            store,
            Thinkers(settings.bot_processes, Budgets(), known_games()),
            push,
            secret=secret,
            absent_after=settings.absent_after,
            games=known_games(),
        )
        identities, metrics = Identities(store, secret), Metrics()
        reviews, painter = Reviews(hall, settings.review_processes, metrics), Painter()
        bans = Bans(store)
        news = News(store, identities, bans)
        news.on_table = hall.log_rewritten
        erasing = Erasing(hall, news)
        house = House(
            settings, store, hall, identities, metrics, push, reviews, painter, bans, news, erasing
        )
        app.state.house = house
        store.on_commit(metrics.committed)
        await hall.start()
        hall.spawn(metrics.watch_loop())
        await news.start()
        hall.spawn(erasing.run())
        hall.spawn(Listing(hall, news).run())
        try:
            yield
        finally:
            await news.stop()
            await hall.stop()
            house.close()
            await reviews.stop()
            await painter.stop()
            await push.close()
            await store.close()

    return Starlette(
        routes=[
            *[Route(o.path, _endpoint(o), methods=[o.method]) for o in OPERATIONS],
            WebSocketRoute("/api/tables/{table}/live", live.table),
            WebSocketRoute("/api/tables/{table}/review/live", reviewing.review),
            WebSocketRoute("/api/live", live.lobby),
            Route("/api/openapi.json", _openapi),
            Route("/api", _reference),
            Route("/api/style.css", _style),
            Route("/metrics", _metrics),
            Route("/help", _to_help),
            Route("/help/{path:path}", _help),
            Route("/{path:path}", _page),
        ],
        exception_handlers={HTTPException: _missing, GameError: _refused, Exception: _refused},
        lifespan=lifespan,
    )


def _endpoint(operation: Operation) -> Callable[[Request], Awaitable[Response]]:
    """What answers the operation's requests."""
    decoder = msgspec.json.Decoder(operation.takes) if operation.takes else None

    async def answer(request: Request) -> Response:
        began = time.perf_counter()
        house: House = request.app.state.house
        try:
            response = await _run(operation, decoder, house, request)
        except ClientDisconnect:
            response = Response(status_code=GONE)
        except asyncio.CancelledError:  # whoever is still answered when the server has to stop
            response = _refusing(GameError("busy", "The server stops; try again soon."))
        except (GameError, msgspec.DecodeError, RecursionError) as error:
            response = _refusing(error)
        house.metrics.requests.labels(operation.path, response.status_code).inc()
        if response.status_code != 429:  # a flood is counted, not written down
            log.info(
                "request",
                method=request.method,
                route=operation.path,
                status=response.status_code,
                ms=round(1000 * (time.perf_counter() - began), 1),
            )
        return response

    return answer


def _refusing(error: Exception) -> Response:
    refused = refusal(error)
    response = _respond(refused, status_of(refused.code))
    if refused.code == "too-many":
        response.headers["retry-after"] = "1"
    return response


async def _run(operation: Operation, decoder: Any, house: House, request: Request) -> Response:
    house.check_host(request.headers)
    if request.method not in SAFE:
        house.check_origin(request.headers, request.url)
    # Who sends it is known and counted before a body is read.
    visitor = await house.visitor_of(request, banned=operation.banned)
    if visitor is None and operation.person:
        house.new_identities.take(address_of(request))
        visitor = house.identities.newcomer(request.headers)
    limit = max(operation.size, house.settings.body_bytes)
    body = _decoded(decoder, await _body(request, limit)) if decoder else None
    arrived = house.hall.clock.now()
    person = await house.identities.person(visitor.player) if visitor else None
    given = await operation.run(Call(house, request, person, body, arrived, visitor))
    if isinstance(given, Content):
        return _shown(given, request)
    response = _respond(given, operation.status)
    if file := getattr(request.state, "file", None):
        response.headers["content-disposition"] = _attached(file)
    _give_cookie(house, request, response, getattr(request.state, "becomes", visitor))
    return response


def _give_cookie(
    house: House, request: Request, response: Response, visitor: Visitor | None
) -> None:
    """Let the browser remember who it is, or forget it."""
    if getattr(request.state, "leaves", False):
        response.delete_cookie(COOKIE)
    elif visitor and visitor.needs_cookie:
        response.set_cookie(
            COOKIE,
            house.identities.cookie(visitor),
            max_age=COOKIE_SECONDS,
            httponly=True,
            samesite="lax",
            secure=house.origin(request).startswith("https:"),
        )


async def _body(request: Request, limit: int) -> bytes:
    """The request's body; GameError if it is too large or not JSON."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != ENVELOPE:
        raise GameError("bad-type", f"Send {ENVELOPE}.")
    told = request.headers.get("content-length", "0")
    if told.isascii() and told.isdecimal() and int(told) > limit:
        raise GameError("too-large", f"A request has at most {limit} bytes.")
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > limit:
            raise GameError("too-large", f"A request has at most {limit} bytes.")
        parts.append(part)
    return b"".join(parts) or b"{}"


def too_many() -> Response:
    """The answer to who asks for so much that nothing is looked at."""
    refused = refusal(GameError("too-many", "That is far too much at once; wait some seconds."))
    response = _respond(refused, status_of(refused.code))
    response.headers["retry-after"] = "5"
    return response


def _decoded(decoder: Any, body: bytes) -> Any:
    """What the body says; whole numbers may be written as 7.0, since they are whole in JSON."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        said = msgspec.json.decode(body)
        meant = _whole(said)
        if repr(meant) == repr(said):
            raise
        try:
            return msgspec.convert(meant, decoder.type)
        except msgspec.ValidationError:
            raise error from None


def _whole(said: Any) -> Any:
    match said:
        case float() if said.is_integer():
            return int(said)
        case list():
            return [_whole(part) for part in said]
        case dict():
            return {name: _whole(part) for name, part in said.items()}
        case _:
            return said


def _respond(given: Any, status: int) -> Response:
    if status == 204:
        return Response(status_code=204, headers=HEADERS)
    headers = HEADERS | {"cache-control": "no-store"}
    if isinstance(given, AsyncIterator):
        return StreamingResponse(given, status, headers=headers, media_type=ENVELOPE)
    if isinstance(given, str):
        return PlainTextResponse(given, status, headers=headers)
    content = given if isinstance(given, bytes) else encode(given)
    return Response(content, status, headers=headers, media_type=ENVELOPE)


def _shown(content: Content, request: Request) -> Response:
    """A picture, which pages elsewhere may show, too; or that it has not changed."""
    headers = HEADERS | {
        "cache-control": SHOWN if content.lasts else "no-cache",
        "cross-origin-resource-policy": "cross-origin",
        "etag": content.tag,
    }
    if files.is_named(request.headers.get("if-none-match"), content.tag):
        return Response(status_code=304, headers=headers)
    return Response(content.body, headers=headers, media_type=content.kind)


def _attached(file: str) -> str:
    """How a browser is told to keep the answer under this name, in any script (RFC 6266)."""
    plain = unicodedata.normalize("NFKD", file).encode("ascii", "ignore").decode()
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file, safe='')}"


async def _missing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "unknown-page", 405: "bad-method"}.get(error.status_code, "bad-request")
    response = _respond(refusal(GameError(code, f"{error.detail}.")), error.status_code)
    if error.status_code == 405:
        response.headers["allow"] = ", ".join(_methods(request))
    return response


def _methods(request: Request) -> list[str]:
    """The methods that there are at the request's path."""
    found: set[str] = set()
    for route in request.app.routes:
        if isinstance(route, Route) and route.path_regex.match(request.url.path):
            is_page = route.endpoint is _page
            found |= (route.methods or set()) if not is_page or not _is_ours(request) else set()
    return sorted(found)


def _is_ours(request: Request) -> bool:
    """Whether the path is no page's."""
    return request.url.path.startswith("/api/")


async def _refused(request: Request, error: Exception) -> Response:
    refused = refusal(error)
    return _respond(refused, status_of(refused.code))


# Other pages ----------------------------------------------------------------------------


async def _openapi(request: Request) -> Response:
    return _respond(openapi.describe(), 200)


async def _reference(request: Request) -> Response:
    return HTMLResponse(openapi.page(), headers=HEADERS)


async def _style(request: Request) -> Response:
    return Response(openapi.STYLE, headers=HEADERS, media_type="text/css")


async def _metrics(request: Request) -> Response:
    house: House = request.app.state.house
    house.check_host(request.headers)
    house.metrics.tables.set(len(house.hall.tables))
    house.metrics.count_thinking(house.hall.thinkers, house.reviews)
    house.metrics.count_writing(house.store)
    house.metrics.count_telling(house.hall.told)
    house.metrics.clock_silence.set(house.hall.clock.silence)
    house.reviews.count()
    folder = Path(house.settings.data) if house.settings.data else None
    await house.metrics.condition.look(house.store, data_folder(folder), version())
    return Response(house.metrics.text(), headers=HEADERS, media_type="text/plain; version=0.0.4")


async def _to_help(request: Request) -> Response:
    """The address from which the documentation's own links, which are relative, lead on."""
    request.app.state.house.check_host(request.headers)
    return RedirectResponse("/help/", 308, HEADERS)


async def _help(request: Request) -> Response:
    """A file of the built documentation, or how to build it."""
    path = request.path_params["path"]
    request.app.state.house.check_host(request.headers)
    if not files.find(HELP, "index.html"):
        return HTMLResponse(openapi.helpless(), headers=HEADERS)
    file = files.find(HELP, path or "index.html")
    if file is None:
        raise HTTPException(404, f"There is nothing at /help/{path[:100]}")
    return files.answer(file, request.headers, HEADERS | {"cache-control": "no-cache"})


async def _page(request: Request) -> Response:
    """A file of the built page; every other path is the page itself, which reads it."""
    path = request.path_params["path"]
    request.app.state.house.check_host(request.headers)
    file = files.find(PAGE, path)
    if _is_ours(request) and _methods(request):
        raise HTTPException(405, "There is nothing to be read here")
    if _is_ours(request) or (path.startswith("assets/") and not file):
        raise HTTPException(404, f"There is nothing at /{path[:100]}")
    file = file or files.find(PAGE, "index.html")
    if file is None:
        return HTMLResponse(openapi.unbuilt(), headers=HEADERS)
    if file.name == "index.html" and (headed := await _headed(request, file, path)):
        return headed
    age = files.FOREVER if path.startswith("assets/") else "no-cache"
    return files.answer(file, request.headers, HEADERS | {"cache-control": age})


async def _headed(request: Request, file: Path, path: str) -> Response | None:
    """The page with what a shared link shows in its head; None where there is nothing to show."""
    house: House = request.app.state.house
    try:
        house.per_address.take(address_of(request))  # a table is looked for
    except GameError:
        return None
    language = heading.language_of(request.headers.get("accept-language"))
    origin, ply = house.origin(request), request.query_params.get("ply")
    head = await heading.heading(house, path, ply, origin, language)
    if not head:
        return None
    page = heading.put_in(file.read_text(encoding="utf-8"), head)
    headers = HEADERS | {"cache-control": "no-cache", "vary": "accept-language"}
    return HTMLResponse(page, headers=headers)
