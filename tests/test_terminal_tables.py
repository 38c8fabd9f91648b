"""A server's tables in the terminal: sitting down, playing, watching, stepping through."""

import asyncio
import json
import random
import re
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn, cast

import pytest

import kwartet
from kwartet.cli.playing.lines import Line
from kwartet.cli.playing.links import Link, read_link
from kwartet.cli.playing.stepping import Stepper
from kwartet.cli.playing.words import time_left
from kwartet.client import Attendance, Client
from kwartet.core.errors import GameError
from kwartet.reviews import Review
from kwartet.server import messages as m
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
            player.type("quit\n")
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


class Gone:
    """A table whose server does not answer any more."""

    async def after(self, version: int) -> NoReturn:
        """Give up, as a connection does."""
        raise TimeoutError(version)


def test_a_connection_that_times_out_ends_the_wait() -> None:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    patience = iter(range(1000))
    client, table = cast(Client, None), cast(Attendance, Gone())
    try:
        with pytest.raises(TimeoutError):
            Line(loop, client, table).changed(1, unless=lambda: next(patience, None) is None)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


# Talk --------------------------------------------------------------------------------------


class Meeting:
    """Somebody at a terminal and somebody at a client, at one table."""

    def __init__(self, ann: Terminal, table: Attendance, client: Client) -> None:
        self.ann = ann
        self.table = table
        self.client = client

    async def sees(self, text: str) -> str:
        """What Ann's terminal writes up to this text."""
        return await asyncio.to_thread(self.ann.wait_for, text)

    async def until(self, is_so: Callable[[m.TableMessage], Any]) -> m.TableMessage:
        """The table, for Bob, as soon as it is so."""
        while not is_so(now := self.table.now):
            await self.table.after(now.version)
        return now

    async def begin(self, *, whose: str) -> None:
        """Let moves be played until it is Ann's or Bob's turn."""
        await self.until(lambda now: now.state == "running")
        mine = self.table.now.mine[0]
        if whose == "Bob" and "play" not in self.table.now.may:
            await self.sees("Ann, your move: ")
            self.ann.type("d\n")
            await self.until(lambda now: "play" in now.may)
        elif whose == "Ann" and "play" in self.table.now.may:
            await self.table.play("d")
        assert (self.table.now.match or fail()).view["actor"] == (
            mine if whose == "Bob" else 1 - mine
        )


@asynccontextmanager
async def facing(server: Server, data: Path, *options: str) -> AsyncIterator[Meeting]:
    """Ann at a terminal and Bob at a client, across a table of connect four where Bob begins."""
    async with Client(server.url) as bob:
        await bob.rename("Bob")
        opened = await bob.create("connect_four", seats=["me", "open"])
        link = f"{server.url}/table/{opened.id}"
        words = ("--with", "examples.connect_four", "play", link, "--name", "Ann", *options)
        with Terminal(*words, KWARTET_DATA=str(data)) as ann:
            async with bob.attend(opened.id) as table:
                yield Meeting(ann, table, bob)


def fail() -> NoReturn:
    raise AssertionError


@on_a_loop
async def test_people_talk_to_each_other_on_and_off_turn(server: Server, tmp_path: Path) -> None:
    async with facing(server, tmp_path) as at:
        await at.begin(whose="Ann")
        await at.sees("Ann, your move: ")
        at.ann.type("say good luck, is seat 1 free?\n")
        told = await at.until(lambda now: now.chat)
        assert [line.text for line in told.chat] == ["good luck, is seat 1 free?"]
        await at.sees("Ann says: good luck, is seat 1 free?")
        await at.table.send(m.Chat(text="to you too"))
        await at.sees("Bob says: to you too")  # while the terminal waits for a move
        await at.sees("Ann, your move: ")
        at.ann.type("c\n")
        await at.sees("Ann: c.")  # drawn as it stands, with who has played what
        await at.sees("Waiting for Bob … ")
        await at.table.send(m.Chat(text="let me think"))
        await at.sees("Bob says: let me think")
        await at.sees("Waiting for Bob … ")
        at.ann.type("say take your time\n")
        await at.sees("Ann says: take your time")
        at.ann.type("c\n")
        await at.sees("not-your-turn: It is not your turn.")
        at.ann.type("chat\n")
        await at.sees("Bob says: to you too")
        at.ann.type("say\n")
        await at.sees("Say what?")
        at.ann.type("?\n")
        await at.sees("say WORDS: ")
        await at.sees("rematch: ")
        at.ann.type("resi\t\n")
        await at.sees("Give the match up? yes or no: ")
        at.ann.type("no\n")
        await at.sees("Then it goes on.")
        assert [line.text for line in at.table.chat][-1] == "take your time"
        assert "Traceback" not in at.ann.shown


@on_a_loop
async def test_who_waits_for_others_to_sit_down_can_talk_and_leave(
    server: Server, tmp_path: Path
) -> None:
    async with Client(server.url) as bob:
        opened = await bob.create("connect_four", seats=["open", "open"])
        link = f"{server.url}/table/{opened.id}"
        words = ("--with", "examples.connect_four", "play", link, "--name", "Ann")
        with Terminal(*words, KWARTET_DATA=str(tmp_path)) as ann:
            async with bob.attend(opened.id) as table:
                at = Meeting(ann, table, bob)
                await at.sees("Waiting for 1 more to sit down")
                await at.sees("say or quit: ")
                ann.type("say is anybody there?\n")
                await at.until(lambda now: now.chat)
                await at.sees("Ann says: is anybody there?")
                ann.type("d\n")
                await at.sees("not-started: The match has not begun.")
                ann.type("cha\t\n")
                await at.sees("Ann says: is anybody there?")
                ann.type("quit\n")
                await at.sees(f"Come back with: kwartet play {link}")
                assert await asyncio.to_thread(ann.end) == 0
        with Terminal(*words, KWARTET_DATA=str(tmp_path)) as ann:
            async with bob.attend(opened.id) as table:
                at = Meeting(ann, table, bob)
                await at.sees("say or quit: ")
                await table.send(m.Sit(name="Bob"))
                await at.until(lambda now: now.state == "running")
                mine = "play" in table.now.may
                await at.sees("Waiting for Bob … " if mine else "Ann, your move: ")
                assert "Traceback" not in ann.shown


@on_a_loop
async def test_a_draw_is_offered_declined_and_agreed_on(server: Server, tmp_path: Path) -> None:
    async with facing(server, tmp_path, "--plain") as at:
        await at.begin(whose="Ann")
        await at.sees("Ann, your move: ")
        at.ann.type("draw\n")
        await at.sees("You offer a draw. Bob has yet to agree.")
        await at.until(lambda now: now.offer)
        await at.table.send(m.Reply(accept=False))
        await at.sees("Bob declines the draw.")
        at.ann.type("yes\n")
        await at.sees("no-offer: Nothing is offered.")
        at.ann.type("c\n")
        await at.sees("Waiting for Bob … ")
        await at.table.send(m.Offer(kind="draw"))
        await at.sees("Bob offers a draw. Type yes or no.")
        await at.sees("yes or no? ")
        at.ann.type("no\n")
        await at.sees("You decline.")
        await at.until(lambda now: now.declined)
        await at.table.send(m.Offer(kind="draw"))
        await at.sees("yes or no? ")
        at.ann.type("yes\n")
        await at.sees("Draw agreed. The match is over, a draw.")
        result = (await at.until(lambda now: now.result)).result
        assert result
        assert result.reason == "agreed"


@on_a_loop
async def test_who_resigns_has_lost_and_can_play_again(server: Server, tmp_path: Path) -> None:
    async with facing(server, tmp_path) as at:
        await at.begin(whose="Bob")
        await at.sees("Waiting for Bob … ")
        at.ann.type("resign\n")
        await at.sees("Give the match up? yes or no: ")
        at.ann.type("yes\n")
        await at.sees("Ann resigned. The match is over: Bob wins.")
        await at.sees("rematch, say or quit: ")
        for word in ("draw", "c"):
            at.ann.type(f"{word}\n")
            await at.sees("game-over: The match is over.")
        at.ann.type("rematch\n")
        await at.sees("You want to play again. Bob has yet to agree.")
        await at.until(lambda now: now.offer)
        accepted = await at.table.send(m.Reply(accept=True))
        assert accepted.table
        async with at.client.attend(accepted.table) as again:
            await at.sees("Ann, your move: " if again.now.mine == [1] else "Waiting for Bob … ")
            at.ann.type("say here we are\n")
            await at.sees("Ann says: here we are")
            at.ann.type("quit\n")
            await at.sees(f"Come back with: kwartet play {server.url}/table/{accepted.table}")
            assert await asyncio.to_thread(at.ann.end) == 0


@on_a_loop
async def test_another_match_that_others_ask_for_is_gone_on_to(
    server: Server, tmp_path: Path
) -> None:
    async with facing(server, tmp_path, "--plain") as at:
        await at.until(lambda now: now.state == "running")
        await at.table.send(m.Resign())
        await at.sees("Bob resigned. The match is over: Ann wins.")
        await at.table.send(m.Offer(kind="rematch"))
        await at.sees("Bob asks for another match. Type yes or no.")
        at.ann.type("y\n")
        now = await at.until(lambda now: now.rematch)
        async with at.client.attend(str(now.rematch)) as again:
            await again.send(m.Chat(text="once more"))
            await at.sees("Bob says: once more")


@on_a_loop
async def test_who_has_a_clock_sees_what_is_left(server: Server, tmp_path: Path) -> None:
    async with Client(server.url) as client:
        clock = m.Clock(kind="live", seconds=605)
        opened = await client.create("connect_four", seats=["me", "open"], clock=clock)
        words = ("--with", "examples.connect_four", "play", f"{server.url}/table/{opened.id}")
        with Terminal(*words, "--name", "Ann", KWARTET_DATA=str(tmp_path)) as ann:
            async with client.attend(opened.id) as table:
                async for now in table:
                    if now.state == "running":
                        break
                if "play" in table.now.may:
                    await asyncio.to_thread(ann.wait_for, " left) … ")
                    await table.play("d")
                told = await asyncio.to_thread(ann.wait_for, " left): ")
                assert re.search(r"Ann, your move \((10:0|9:[345])\d left\): ", told)


def test_time_is_told_in_the_units_that_matter() -> None:
    told = [time_left(seconds).strip() for seconds in (None, 0.4, 59.9, 605)]
    assert told == ["", "(0:00 left)", "(0:59 left)", "(10:05 left)"]
    assert time_left(3660) == " (1 h 1 min left)"
    assert time_left(90000) == " (1 d 1 h left)"


@on_a_loop
async def test_taking_back_is_asked_for_and_answered(server: Server, tmp_path: Path) -> None:
    async with facing(server, tmp_path, "--plain") as at:
        await at.begin(whose="Ann")
        await at.sees("Ann, your move: ")
        at.ann.type("c\n")
        await at.sees("Waiting for Bob … ")
        at.ann.type("undo\n")
        await at.sees("You ask to take a move back. Bob has yet to agree.")
        await at.until(lambda now: now.offer)
        await at.table.send(m.Reply(accept=True))
        await at.sees("Ann, your move: ")
        at.ann.type("b\n")
        now = await at.until(lambda now: "play" in now.may)
        assert now.match
        assert at.table.log[-1] == "b"
        await at.table.play("e")
        await at.sees("Ann, your move: ")
        await at.table.send(m.Offer(kind="takeback"))
        await at.sees("Bob asks to take a move back. Type yes or no.")
        at.ann.type("yes\n")
        await at.until(lambda now: "play" in now.may)
        assert at.table.log[-1] == "b"


@on_a_loop
async def test_who_watches_hears_what_is_said_and_how_it_ends(
    server: Server, tmp_path: Path
) -> None:
    async with Client(server.url) as ann:
        await ann.rename("Ann")
        opened = await ann.create("connect_four", seats=["me", "novice"])
        words = ("--with", "examples.connect_four", "watch", f"{server.url}/table/{opened.id}")
        with Terminal(*words, KWARTET_DATA=str(tmp_path)) as watcher:
            await asyncio.to_thread(watcher.wait_for, "Watching")
            async with ann.attend(opened.id) as table:
                await table.send(m.Chat(text="hello there"))
                await asyncio.to_thread(watcher.wait_for, "Ann says: hello there")
                await table.send(m.Resign())
            ended = "Ann resigned. The match is over: Novice bot wins."
            await asyncio.to_thread(watcher.wait_for, ended)
            assert await asyncio.to_thread(watcher.end) == 0


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


@pytest.mark.parametrize(
    ("reason", "winners", "told"),
    [
        ("resigned", [1], "Ann resigned. The match is over: Expert bot wins."),
        ("time", [1], "The time of Ann ran out. The match is over: Expert bot wins."),
        ("agreed", [], "Draw agreed. The match is over, a draw."),
        ("dropped", [], "The match was put away and counts nowhere."),
    ],
)
def test_the_last_position_tells_how_it_ended(
    reason: str, winners: list[int], told: str, tmp_path: Path
) -> None:
    file = recorded(tmp_path)
    ended = {"reason": reason, "winners": winners, "scores": [0, 0], "places": [0, 0]}
    file.write_text(json.dumps(json.loads(file.read_text()) | {"result": ended}))
    with Terminal("--with", "examples.connect_four", "replay", str(file), "--plain") as terminal:
        assert "Column a, " in terminal.wait_for("The beginning; 6 moves follow.")
        last = terminal.press("$", then=told)
        assert "Column a, " not in last  # only what is new
        assert "Column b, from below" in terminal.press("d", then=told)


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
