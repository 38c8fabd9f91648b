"""A server's tables in the terminal: sitting down, playing, watching, stepping through."""

import asyncio
import json
import random
from pathlib import Path

import pytest

import kwartet
from kwartet.cli.playing.links import Link, read_link
from kwartet.cli.playing.stepping import Stepper
from kwartet.client import Client
from kwartet.core.errors import GameError
from kwartet.reviews import Review
from tests.commands import kwartet_command
from tests.serving import Server, on_a_loop
from tests.terminal import Terminal


def test_links_name_a_table_and_an_invitation() -> None:
    assert read_link("http://localhost:8484/table/abc") == Link("http://localhost:8484", "abc")
    invited = read_link("https://example.org/games/table/abc?invite=xyz&ply=3")
    assert invited == Link("https://example.org/games", "abc", "xyz")
    assert str(invited) == "https://example.org/games/table/abc"
    assert read_link("http://h/api/tables/abc") == Link("http://h", "abc")


@pytest.mark.parametrize(
    "text", ["http://", "ftp://h/table/a", "http://h/table/", "http://[/table/a"]
)
def test_what_is_no_link_is_refused(text: str) -> None:
    with pytest.raises(GameError, match="A table's link is like"):
        read_link(text)


def test_a_server_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    for command in ("play", "watch", "replay"):
        ended = kwartet_command(command, "http://127.0.0.1:9/table/abc", KWARTET_DATA=str(tmp_path))
        assert (ended.returncode, "no-server" in ended.stderr) == (2, True)
        assert "Traceback" not in ended.stderr


@on_a_loop
async def test_somebody_plays_at_a_table_and_somebody_watches(
    server: Server, tmp_path: Path
) -> None:
    async with Client(server.url) as client:
        opened = await client.create("connect_four", seats=["me", "open"])
        link = f"{server.url}/table/{opened.id}"
        words = ("--with", "examples.connect_four")
        data = {"KWARTET_DATA": str(tmp_path)}
        luck = random.Random(2)
        with (
            Terminal(*words, "watch", link, **data) as watcher,
            Terminal(*words, "play", link, "--name", "Ann", **data) as player,
        ):
            async with client.attend(opened.id) as table:
                async for now in table:
                    if "play" in now.may and now.match:
                        await table.play(luck.choice(now.match.legal))
                    elif now.match and now.match.view["actor"] is not None:
                        await asyncio.to_thread(_answer, player)
                result = table.now.result
            assert result
            names = [seat.name for seat in table.now.seats]
            assert "Ann" in names
            ended = await asyncio.to_thread(player.wait_for, "The match is over")
            assert "Traceback" not in ended
            assert await asyncio.to_thread(player.end) == 0
            await asyncio.to_thread(watcher.wait_for, "The match is over")
            assert "your move" not in watcher.shown
        stepped = await asyncio.to_thread(_stepped, link, data)
        assert (
            f"1 of {sum(len(c) for c in now.match.view['columns']) if now.match else 0}." in stepped
        )


def _answer(player: Terminal) -> None:
    player.wait_for("Ann, your move: ")
    player.type("1\n")


def _stepped(link: str, data: dict[str, str]) -> str:
    with Terminal("--with", "examples.connect_four", "replay", link, **data) as terminal:
        terminal.wait_for("The beginning;")
        return terminal.press("n", then=". ")


@on_a_loop
async def test_a_guest_who_was_interrupted_comes_back_to_the_same_seat(
    server: Server, tmp_path: Path
) -> None:
    async with Client(server.url) as client:
        opened = await client.create("carnac", board="small", seats=["me", "open"])
        link = f"{server.url}/table/{opened.id}"
        data = {"KWARTET_DATA": str(tmp_path)}

        def leave() -> str:
            with Terminal("play", link, "--name", "Ann", **data) as player:
                player.wait_for("your move: ")
                player.interrupt()
                told = player.wait_for(f"kwartet play {link}")
                assert player.end() == 130
                return told

        def come_back() -> str:
            with Terminal("play", link, "--plain", **data) as player:
                told = player.wait_for("Ann, your move: ")
                player.type("quit\n")
                assert player.end() == 0
                return told

        left = asyncio.create_task(asyncio.to_thread(leave))
        async with client.attend(opened.id) as table:
            async for now in table:
                if now.state == "running":
                    break
            if "play" in table.now.may:
                await table.play("c3wr")
            assert "The table stays on the server" in await left
        assert "Carnac: " in await asyncio.to_thread(come_back)
    kept = tmp_path / "guests.json"
    assert kept.stat().st_mode & 0o077 == 0
    assert list(json.loads(kept.read_text())) == [server.url]


# Stepping ----------------------------------------------------------------------------------


def recorded(path: Path) -> Path:
    match = kwartet.new("connect_four")
    for move in "ddccbb":
        match.play(move)
    file = path / "match.json"
    file.write_text(json.dumps(match.record() | {"players": ["Ann", "bot:expert"]}))
    return file


def test_keys_lead_through_a_match() -> None:
    match = kwartet.new("connect_four")
    for move in "ddcc":
        match.play(move)

    def none() -> Review:
        raise AssertionError

    stepper = Stepper(match, ["Ann", "Bob"], none, plain=True)
    visited = []
    for pressed in ("\x1b[C", "n", "\x1b[D", "\x1b[B", " ", "\x1b[A", "b", "?", "\x1b[C"):
        stepper.press(pressed)
        visited.append(stepper.ply)
    assert visited == [1, 2, 1, 4, 4, 0, 0, 0, 1]


def test_a_record_is_stepped_through_in_a_terminal_and_checked_in_a_pipe(tmp_path: Path) -> None:
    file = recorded(tmp_path)
    words = ("--with", "examples.connect_four", "replay", str(file))
    with Terminal(*words) as terminal:
        terminal.wait_for("The beginning; 6 moves follow.")
        terminal.press("\x1b[C", then="1 of 6. Ann: d.")
        terminal.press("\x1b[B", then="6 of 6. Expert bot: b.")
        assert terminal.press_to_end("q") == 0
    assert "1 matches, 6 moves, all legal." in kwartet_command(*words).stdout
    with Terminal(*words, "--check") as terminal:
        terminal.wait_for("all legal.")


def test_a_review_stands_beside_the_moves(tmp_path: Path) -> None:
    match = kwartet.new("connect_four")
    for move in "dadada":
        match.play(move)
    match.play("d")
    file = tmp_path / "match.json"
    file.write_text(json.dumps(match.record()))
    words = ("--with", "examples.connect_four", "replay", str(file), "--review")
    with Terminal(*words, XDG_CACHE_HOME=str(Path.home() / ".cache")) as terminal:
        terminal.wait_for("The beginning; 7 moves follow.")
        terminal.press("m", then="Player 2: a.")
        terminal.wait_for("is better by")
