"""The Python client and the example bot, against a real server; what a record proves."""

import asyncio
import json
import random
import re
from pathlib import Path

import pytest
from examples.server_bot import play
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection

import kwartet
from kwartet.client import UNKNOWN, Client
from kwartet.core.errors import GameError
from kwartet.core.fairness import draw_lot, verify
from kwartet.core.records import actors_of
from kwartet.games import find
from kwartet.server import accounts as own
from kwartet.server import messages as m
from tests.faults.relay import Relay
from tests.serving import Server, on_a_loop


@on_a_loop
async def test_the_example_bot_plays_whole_matches(tmp_path: Path) -> None:
    server = Server(tmp_path).start()  # where nobody else's tables wait for players
    async with Client(server.url) as first, Client(server.url) as second:
        ends = await asyncio.gather(play(first, "connect_four"), _soon(second, "connect_four"))
    server.kill()
    assert ends[0].id == ends[1].id
    for end in ends:
        assert end.result
        assert end.result.reason == "played"


async def _soon(client: Client, game: str) -> m.TableMessage:
    """Play as soon as somebody waits."""
    while not await client.open_tables(game):
        await asyncio.sleep(0.05)
    return await play(client, game)


@on_a_loop
async def test_a_client_beats_time_against_a_bot_and_reads_the_record(server: Server) -> None:
    async with Client(server.url) as client:
        named = await client.rename("Ann")
        assert named.name == "Ann"
        opened = await client.create("kwatro", seats=["me", "novice"], players=2)
        async with client.attend(opened.id) as table:
            came = table.now.match.view["ply"] if table.now.match else 0
            for line in ("hello", "have fun"):
                await table.send(m.Chat(text=line))
            async for now in table:
                if "play" in now.may and now.match:
                    await table.play(random.choice(now.match.legal))
            assert table.now.result
            assert [(line.name, line.text) for line in table.chat] == [
                ("Ann", "hello"),
                ("Ann", "have fun"),
            ]
            log, movers = table.log, table.movers
        record = await client.record(opened.id)
    assert len(record["moves"]) == len(log)
    assert movers[came:] == actors_of(kwartet.replay(record))[came:]
    assert set(movers[:came]) <= {None, UNKNOWN}
    pairs = zip(log, record["moves"], strict=True)
    assert all(told == move or "?" in told for told, move in pairs)
    assert kwartet.replay(record).moves == record["moves"]
    verdict = verify(record, find, opened.commitment)
    assert verdict.problem is None
    assert verdict.draws == sum(move.startswith("*") for move in record["moves"])


def test_the_example_in_the_docs_plays_a_match(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    document = (Path(__file__).parents[1] / "docs/protocol.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", document, re.S)
    assert "http://localhost:8484" in block
    exec(compile(block.replace("http://localhost:8484", server.url), "protocol.md", "exec"), {})
    assert "played" in capsys.readouterr().out


@on_a_loop
async def test_refusals_are_errors_with_the_servers_code(server: Server) -> None:
    async with Client(server.url) as client:
        with pytest.raises(GameError) as raised:
            await client.create("chess")
        assert raised.value.code == "unknown-game"
        with pytest.raises(GameError) as raised:
            async with client.attend("nowhere"):
                raise AssertionError
        assert raised.value.code == "unknown-table"
        opened = await client.create("connect_four", seats=["me", "me"])
        async with client.attend(opened.id) as table:
            with pytest.raises(GameError) as raised:
                await table.play("z")
            assert raised.value.code in ("bad-notation", "illegal-move")
            await table.play("a")
            assert table.log == ["a"]
    with pytest.raises(GameError) as raised:
        async with Client(server.url, token="kwt_wrong"):
            raise AssertionError
    assert raised.value.code == "bad-token"


class Forgetful(Relay):
    """Says of the command that comes after a lost answer that the store is away, once."""

    lost: list[str]
    refusals = 0

    async def _send_on(
        self, near: ServerConnection, far: ClientConnection, past: list[str]
    ) -> None:
        async for message in near:
            if self.lost and not self.refusals:
                self.refusals += 1
                key = json.loads(message)["id"]
                refused = m.Refused(code="store-unavailable", sentence="It is away.", id=key)
                await near.send(m.encode(refused).decode())
            else:
                await far.send(message)


@on_a_loop
async def test_what_was_sent_twice_and_could_not_be_looked_up_is_asked_once_more(
    server: Server,
) -> None:
    async with Client(server.url) as client, Forgetful() as relay:
        opened = await client.create("connect_four", seats=["me", "novice"])
        relay.lost = []
        async with relay.meet(client, opened.id) as seat:
            async for now in seat:
                if "play" in now.may:
                    break
            relay.on_accepted = relay.lost.append
            ply = len(seat.log)
            await seat.play("a")
            assert relay.refusals == 1
            assert seat.log[ply] == "a"


@on_a_loop
async def test_a_token_is_as_good_as_a_cookie(server: Server) -> None:
    async with Client(server.url) as client:
        token = await client.ask("POST", "/api/me/tokens", own.Token, own.MakeToken("script"))
        me = await client.me()
    assert isinstance(token.secret, str)
    async with Client(server.url, token.secret) as script:
        assert (await script.me()).id == me.id
        opened = await script.create("connect_four", seats=["me", "me"])
        async with script.attend(opened.id) as table:
            await table.play("a")


def _record() -> dict[str, object]:
    match = kwartet.new("catan_dice", seed=b"s" * 32)
    while match.actor is not None:
        match.play(match.legal()[0])
    record = match.record()
    return record | {"order": "lot", "lot": draw_lot(b"s" * 32, 1)}


def test_a_record_is_honest_or_says_where_not() -> None:
    record = _record()
    assert verify(record, find).problem is None
    assert verify(record, find, "00" * 32).problem is not None
    assert verify(record | {"seed": "00" * 32}, find).problem is not None
    unlucky = kwartet.new("kwatro", auto_chance=False)
    unlucky.play(unlucky.legal()[0])
    other = unlucky.record() | {"seed": "73" * 32}
    assert "Ply 0" in str(verify(other, find).problem)


def test_the_lot_is_drawn_from_the_seed() -> None:
    lots = {tuple(draw_lot(bytes([n]) * 32, 3)) for n in range(100)}
    assert len(lots) == 6
    record = _record()
    forged = record | {"lot": [1]}
    assert verify(forged, find).problem == "The seats were not drawn from the seed."


def test_verify_is_a_command(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from kwartet.cli import app

    file = tmp_path / "record.jsonl"
    file.write_text(json.dumps(_record()) + "\n")
    result = CliRunner().invoke(app, ["verify", str(file)])
    assert result.exit_code == 0
    assert "draws follow from the seed" in result.output
    result = CliRunner().invoke(app, ["verify", str(file), "--commitment", "00" * 32, "--json"])
    assert result.exit_code == 1
    assert "promised" in json.loads(result.output)[0]["problem"]
