"""The API's description, and what an operator looks at."""

import json
import re
from typing import Any

from starlette.routing import Route, WebSocketRoute

from kwartet.games import GAMES
from kwartet.server.api import OPERATIONS
from kwartet.server.app import make_app
from kwartet.server.settings import Settings
from tests.serving import Json, Server, on_a_loop, pair, visiting

PAGES = {"/help", "/help/{path:path}", "/{path:path}"}
SILENT = {"/api/openapi.json", "/api", "/api/style.css", "/metrics", *PAGES}  # not JSON


async def described(server: Server) -> Json:
    async with visiting(server) as visit:
        stranger = await visit.stranger()
        found: Json = (await stranger.http.get(f"{server.url}/api/openapi.json")).json()
        return found


def references(part: Any) -> set[str]:
    """Everything that a description points to."""
    if isinstance(part, dict):
        here = {part["$ref"]} if "$ref" in part else set()
        return here.union(*(references(value) for value in part.values()))
    if isinstance(part, list):
        return set().union(*(references(value) for value in part))
    return set()


@on_a_loop
async def test_the_description_is_sound_openapi(server: Server) -> None:
    told = await described(server)
    assert told["openapi"].startswith("3.1.")
    assert {"title", "version"} <= set(told["info"])
    schemas = {f"#/components/schemas/{name}" for name in told["components"]["schemas"]}
    assert references(told) <= schemas
    names = []
    for path, item in told["paths"].items():
        for method, operation in item.items():
            assert method in ("get", "post", "patch", "delete")
            names.append(operation["operationId"])
            inside = [p["name"] for p in operation.get("parameters", []) if p["in"] == "path"]
            assert inside == re.findall(r"{(\w+)}", path)
            assert all(p["required"] for p in operation.get("parameters", []) if p["in"] == "path")
            assert any(status[0] == "2" for status in operation["responses"])
            assert "default" in operation["responses"]
            assert all(r["description"] for r in operation["responses"].values())
    assert len(names) == len(set(names))


@on_a_loop
async def test_every_route_is_described(server: Server) -> None:
    told = await described(server)
    app = make_app(Settings(), "secret", None)  # type: ignore[arg-type]
    routes = {
        (method, route.path)
        for route in app.routes
        if isinstance(route, Route) and route.path not in SILENT
        for method in route.methods or ()
        if method != "HEAD"
    }
    assert routes == {(o.method, o.path) for o in OPERATIONS}
    assert routes == {(m.upper(), path) for path, item in told["paths"].items() for m in item}
    sockets = [route.path for route in app.routes if isinstance(route, WebSocketRoute)]
    assert all(path in told["info"]["description"] for path in sockets)


@on_a_loop
async def test_the_description_can_be_read_as_a_page(server: Server) -> None:
    async with visiting(server) as visit:
        stranger = await visit.stranger()
        page = await stranger.http.get(f"{server.url}/api")
        assert page.headers["content-type"].startswith("text/html")
        for operation in OPERATIONS:
            assert operation.path in page.text
        links = set(re.findall(r"href=['\"]?#(\w+)", page.text))
        assert links <= set(re.findall(r"<h2 id=(\w+)>", page.text))
        assert "<style" not in page.text  # which the policy would forbid
        assert "<script" not in page.text
        style = await stranger.http.get(f"{server.url}/api/style.css")
        assert style.headers["content-type"].startswith("text/css")


@on_a_loop
async def test_games_are_told_with_their_options_and_levels(server: Server) -> None:
    async with visiting(server) as visit:
        games = {game["key"]: game for game in await (await visit.stranger()).get("/api/games")}
        assert set(games) == set(GAMES)
        assert games["carnac"]["draws"]
        assert not games["kwatro"]["draws"]
        assert games["catan_dice"]["seats"] == [1, 2, 3, 4]
        for game in games.values():
            levels = [level["level"] for level in game["levels"]]
            assert levels == ["novice", "casual", "skilled", "expert", "master"]
            solved = [level["level"] for level in game["levels"] if level["solved"]]
            assert solved == (levels[2:] if game["key"] == "catan_dice" else [])


@on_a_loop
async def test_what_goes_on_is_counted(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit)
        await ann.do(table, "play", ply=0, move="a")
        await ann.do(table, "play", ply=0, move="a")
        text = (await ann.http.get(f"{server.url}/metrics")).text
        for line in (
            'kwartet_commands_total{code="accepted",type="play"}',
            'kwartet_commands_total{code="stale-ply",type="play"}',
            'kwartet_requests_total{route="/api/tables/{table}/moves",status="200"}',
            'kwartet_command_seconds_bucket{le="0.05",type="play"}',
            "kwartet_sockets ",
            "kwartet_tables ",
            "kwartet_commits ",
            "kwartet_commit_seconds_bucket",
            "kwartet_commit_changes_bucket",
            "kwartet_changes_waiting ",
            "kwartet_round_trips ",
            "kwartet_loop_lag_seconds_bucket",
            'kwartet_table_messages{kind="change"}',
            'kwartet_table_message_bytes{kind="whole"}',
            "kwartet_bot_turns ",
        ):
            assert line in text, line
        assert table not in text
        assert ann.id not in text


@on_a_loop
async def test_the_server_says_how_it_is(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        stranger = await visit.stranger()
        for path in ("/healthz", "/readyz"):
            assert (await stranger.get(path))["status"] == "ok"
        assert stranger.http.cookies.get("kwartet") is None


@on_a_loop
async def test_requests_are_logged_without_what_they_are_about(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit)
        await ann.do(table, "play", ply=0, move="a")
        assert "/api/tables/{table}/moves" in server.log
        assert table not in server.log
        assert json.dumps(ann.id) not in server.log
