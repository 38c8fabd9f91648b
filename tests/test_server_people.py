"""Who somebody is, and how strong."""

import asyncio

import httpx
import pytest

from tests.serving import Guest, Json, Server, checked, on_a_loop, pair, visiting

# Identities


@on_a_loop
async def test_a_guest_is_known_by_a_signed_cookie_that_scripts_cannot_read(
    server: Server,
) -> None:
    async with visiting(server) as visit:
        stranger = await visit.stranger()
        response = await stranger.http.get(f"{server.url}/api/me")
        me = checked("GET", "/api/me", response)
        cookie = response.headers["set-cookie"].lower()
        for part in ("httponly", "samesite=lax", "path=/", "max-age="):
            assert part in cookie
        assert (me["named"], me["name"][:6], me["ratings"]) == (False, "Guest ", {})
        again = await stranger.http.get(f"{server.url}/api/me")
        assert "set-cookie" not in again.headers
        assert again.json()["id"] == me["id"]
        assert stranger.cookie.startswith(me["id"] + ".")


@on_a_loop
async def test_a_forged_cookie_is_a_stranger_s(server: Server) -> None:
    async with visiting(server) as visit:
        ann, _, table = await pair(visit)
        player, _, signature = ann.cookie.rpartition(".")
        last = "A" if signature[-2] != "A" else "B"
        for forged in (
            player,
            f"{player}.",
            f"{player}.{signature[:-2]}{last}{signature[-1]}",
            f"{player}x.{signature}",
            f"{'A' * len(player)}.{signature}",
            "",
            "." * 50,
        ):
            eve = await visit.stranger(headers={"cookie": f"kwartet={forged}"})
            assert (await eve.get("/api/me"))["id"] != ann.id
            answer = await eve.do(table, "play", ply=0, move="a")
            assert answer["code"] == "not-seated", forged
        assert (await ann.look(table))["match"]["log"] == []


@pytest.mark.parametrize(
    ("name", "becomes"),
    [
        ("Ann", "Ann"),
        ("  A  n\tn ", "A n n"),
        ("Åsa 🦊 李", "Åsa 🦊 李"),
        ("a\u0000b\u001b[31mc", "a b [31mc"),
        ("\u202eevil\u2066", "evil"),
        ("<b>&'\"", "<b>&'\""),
        ("x" * 24, "x" * 24),
    ],
)
@on_a_loop
async def test_a_name_is_one_line_of_printable_characters(
    each_server: Server, name: str, becomes: str
) -> None:
    async with visiting(each_server) as visit:
        ann = await visit.guest()
        me = await ann.ask("PATCH", "/api/me", {"name": name})
        assert (me["name"], me["named"]) == (becomes, True)
        assert (await ann.get(f"/api/players/{ann.id}"))["name"] == becomes


@on_a_loop
async def test_a_name_that_is_none_is_refused(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        for name, code in (
            ("", "bad-request"),
            ("x" * 25, "bad-request"),
            (" \u0000\u200b ", "bad-name"),
            (None, "bad-request"),
            (7, "bad-request"),
        ):
            assert (await ann.ask("PATCH", "/api/me", {"name": name}))["code"] == code
        assert (await ann.get("/api/me"))["name"] == "Ann"


@on_a_loop
async def test_a_personal_link_makes_another_device_the_same_person_once(
    each_server: Server,
) -> None:
    async with visiting(each_server) as visit:
        ann, _, table = await pair(visit)
        link = await ann.post("/api/me/link")
        assert link["url"].endswith(f"/claim#{link['secret']}")
        phones = [await visit.stranger() for _ in range(5)]
        answers = await asyncio.gather(
            *(phone.post("/api/me/claim", secret=link["secret"]) for phone in phones)
        )
        assert sorted("code" in answer for answer in answers) == [False, True, True, True, True]
        assert {answer["code"] for answer in answers if "code" in answer} == {"bad-link"}
        phone = next(p for p, answer in zip(phones, answers, strict=True) if "name" in answer)
        assert (await phone.get("/api/me"))["id"] == ann.id
        assert (await phone.do(table, "play", ply=0, move="a"))["type"] == "accepted"
        assert (await phone.post("/api/me/claim", secret="\u0000ü"))["code"] == "bad-link"


@on_a_loop
async def test_a_script_plays_with_a_token_until_it_is_removed(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, _, table = await pair(visit)
        token = await ann.post("/api/me/tokens", name="my bot")
        listed = await ann.get("/api/me/tokens")
        assert [(one["id"], one["name"]) for one in listed] == [(token["id"], "my bot")]
        assert "secret" not in listed[0]
        bearer = {"authorization": f"Bearer {token['secret']}"}
        script = await visit.stranger(headers=bearer)
        assert (await script.get("/api/me"))["id"] == ann.id
        assert "kwartet" not in script.http.cookies
        assert (await script.do(table, "play", ply=0, move="a"))["type"] == "accepted"
        socket = await script.socket(f"/api/tables/{table}/live", headers=bearer)
        assert '"mine":[0]' in str(await socket.recv())
        eve = await visit.guest("Eve")
        path = f"/api/me/tokens/{token['id']}"
        assert (await eve.ask("DELETE", path))["code"] == "unknown-token"
        assert await ann.ask("DELETE", path) is None
        assert (await script.get("/api/me"))["code"] == "bad-token"
        assert (await ann.ask("DELETE", path))["code"] == "unknown-token"


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer x", "Bearer kwt_", "Bearer kwt_ü", "Basic YTpi", "", "kwt_x"]
)
@on_a_loop
async def test_a_bad_token_is_refused_and_not_a_new_guest(server: Server, header: str) -> None:
    async with visiting(server) as visit:
        script = await visit.stranger()
        raw = [(b"authorization", header.encode())]
        response = await script.http.get(f"{server.url}/api/me", headers=httpx.Headers(raw))
        assert (response.status_code, response.json()["code"]) == (401, "bad-token")


@on_a_loop
async def test_nobody_has_tokens_without_end(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest()
        for number in range(20):
            assert "secret" in await ann.post("/api/me/tokens", name=str(number))
        assert (await ann.post("/api/me/tokens", name="20"))["code"] == "too-many-tokens"


# Ratings


async def finish(ann: Guest, bob: Guest, **wish: object) -> str:
    """A match that Bob wins."""
    wish |= {"clock": {"kind": "move", "seconds": 3600}} if "rated" in wish else {}
    table = str((await ann.open("connect_four", "me", "open", **wish))["id"])
    await bob.do(table, "sit")
    await ann.do(table, "play", ply=0, move="a")
    await ann.do(table, "resign")
    return table


@on_a_loop
async def test_a_rated_match_counts_once_and_another_not_at_all(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        await finish(ann, bob)
        assert (await ann.get("/api/me"))["ratings"] == {}
        table = await finish(ann, bob, rated=True)
        refused = await asyncio.gather(*(who.do(table, "resign") for who in (ann, bob, ann)))
        assert {answer["code"] for answer in refused} == {"game-over"}
        ratings: list[Json] = []
        for guest in (ann, bob):
            profile = await guest.get(f"/api/players/{guest.id}")
            assert profile["ratings"] == (await guest.get("/api/me"))["ratings"]
            ratings.append(profile["ratings"]["connect_four"])
        assert [rating["matches"] for rating in ratings] == [1, 1]
        assert ratings[0]["mu"] < 25 < ratings[1]["mu"]
        assert ratings[0]["shown"] < ratings[1]["shown"]
        leaders = await bob.get("/api/ratings/connect_four")
        shown = {leader["player"]: leader["rating"] for leader in leaders}
        assert shown[bob.id] == ratings[1]
        cautious = [leader["rating"]["shown"] for leader in leaders]
        assert cautious == sorted(cautious, reverse=True)


@on_a_loop
async def test_bots_are_rated_like_people(server: Server) -> None:
    async with visiting(server) as visit:
        ann = await visit.guest("Ann")
        wish: Json = {"game": "carnac", "rated": True, "seats": [{"kind": "me"}, {"kind": "bot"}]}
        refused = await ann.ask("POST", "/api/tables", wish)
        assert refused["code"] == "not-ratable"  # who is losing could walk away
        clock = {"kind": "move", "seconds": 3600}
        table = await ann.open("carnac", "me", "bot", rated=True, clock=clock)
        assert (table["hints"], table["takeback"]) == (False, False)
        assert (await ann.do(table["id"], "hint"))["code"] == "no-hints"
        await ann.do(table["id"], "resign")
        bot = await ann.get("/api/players/bot:novice")
        assert (bot["bot"], bot["name"], bot["since"]) == (True, "novice", None)
        assert bot["ratings"]["carnac"]["matches"] >= 1


@on_a_loop
async def test_history_tells_finished_matches_the_latest_first(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        tables = [await finish(ann, bob) for _ in range(3)]
        past = (await bob.get(f"/api/players/{ann.id}/history"))["matches"]
        assert [match["table"] for match in past] == tables[::-1]
        assert [seat["name"] for seat in past[0]["seats"]] == ["Ann", "Bob"]
        assert (past[0]["seat"], past[0]["place"], past[0]["game"]) == (0, 1, "connect_four")
        path = f"/api/players/{bob.id}/history"
        older = await bob.get(f"{path}?before={past[0]['at']!r}&game=connect_four")
        assert [match["table"] for match in older["matches"]] == tables[1::-1]
        assert (await bob.get(f"{path}?game=carat"))["matches"] == []


@on_a_loop
async def test_history_and_profile_tell_wins_draws_and_matches_alone_apart(
    each_server: Server,
) -> None:
    async with visiting(each_server) as visit:
        ann, bob = await visit.guests("Ann", "Bob")
        await finish(ann, bob)
        drawn = (await ann.open("connect_four", "me", "open"))["id"]
        await bob.do(drawn, "sit")
        await ann.do(drawn, "offer", kind="draw")
        await bob.do(drawn, "reply", accept=True)
        alone = (await bob.open("catan_dice", "me"))["id"]
        await bob.do(alone, "resign")
        for guest, outcomes, counts in (
            (ann, ["drawn", "lost"], {"drawn": 1, "lost": 1}),
            (bob, ["alone", "drawn", "won"], {"drawn": 1, "won": 1}),
        ):
            past = (await ann.get(f"/api/players/{guest.id}/history"))["matches"]
            assert [match["outcome"] for match in past] == outcomes
            none = {"won": 0, "shared": 0, "drawn": 0, "lost": 0, "alone": 0}
            told = (await ann.get(f"/api/players/{guest.id}"))["counts"]
            assert told["connect_four"] == none | counts
            assert ("catan_dice" in told) == (guest is bob)
        assert told["catan_dice"] == none | {"alone": 1}


@on_a_loop
async def test_where_a_match_by_link_was_played_is_told_to_its_players_only(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, eve = await visit.guests("Ann", "Bob", "Eve")
        table = await finish(ann, bob, listed=False)
        for guest, sees in (
            (ann, True),
            (bob, True),
            (eve, False),
            (await visit.stranger(), False),
        ):
            past = (await guest.get(f"/api/players/{ann.id}/history"))["matches"]
            assert (table in [match["table"] for match in past]) == sees, guest.name


@on_a_loop
async def test_who_is_unknown_has_no_profile(each_server: Server) -> None:
    async with visiting(each_server) as visit:
        ann = await visit.stranger()
        for key in ("nobody", "%00", "%F0%9F%A6%8A", "x" * 300):
            for path in (f"/api/players/{key}", f"/api/tables/{key}"):
                code = (await ann.get(path))["code"]
                assert code in ("unknown-player", "unknown-table", "bad-request"), path
        assert (await ann.get("/api/players/nobody/history"))["matches"] == []
        assert (await ann.get("/api/players/x/bests/chess"))["code"] == "unknown-game"
        assert (await ann.get("/api/ratings/chess"))["code"] == "unknown-game"
