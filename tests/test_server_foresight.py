"""What would come of a card, and what would have been best: told to whom it concerns."""

import random
from typing import Any

import numpy as np

import kwartet
from kwartet.games.catan_dice import rules
from kwartet.games.catan_dice import solution as solutions
from kwartet.server.archive import judged
from kwartet.server.events import Created, SeatPlan
from kwartet.server.messages import CoachView, Judged
from kwartet.server.story import Story
from tests.serving import Server, on_a_loop, visiting


@on_a_loop
async def test_who_is_to_act_is_told_what_would_come_of_a_card(server: Server) -> None:
    async with visiting(server) as visit:
        ann, bob, eve = await visit.guests("Ann", "Bob", "Eve")
        table = (await ann.open("kwatro", "me", "open"))["id"]
        await bob.do(table, "sit")
        shown = await ann.look(table)
        ply, legal = shown["match"]["view"]["ply"], set(shown["match"]["legal"])
        for card in shown["match"]["view"]["hands"][0]:
            spots = await ann.get(f"/api/tables/{table}/preview?piece={card}&ply={ply}")
            for spot in spots:
                name = f"{card}@{spot['x']},{spot['y']}"
                assert (spot["why"] is None) == bool({name, f"swap {name}"} & legal)
        own = (await bob.look(table))["match"]["view"]["hands"][1][0]
        for guest, piece, at, code in (
            (bob, own, ply, "not-your-turn"),
            (eve, card, ply, "not-seated"),
            (ann, own, ply, "illegal-move"),
            (ann, card, ply + 1, "stale-ply"),
            (ann, card, "x", "bad-request"),
            (ann, card, "1e9", "bad-request"),
        ):
            path = f"/api/tables/{table}/preview?piece={piece}&ply={at}"
            assert (await guest.get(path))["code"] == code
        assert (await ann.look(table))["match"]["view"]["ply"] == ply
        other = await ann.open("connect_four", "me", "bot")
        asked = f"/api/tables/{other['id']}/preview?piece=a&ply=0"
        assert (await ann.get(asked))["code"] == "no-preview"


@on_a_loop
async def test_decisions_alone_are_judged_once_the_game_is_solved(server: Server) -> None:
    async with visiting(server) as visit:
        ann, eve = await visit.guests("Ann", "Eve")
        opened = await ann.open("catan_dice", "me")
        table = opened["id"]
        assert "solve" in opened["may"]
        assert "solve" not in (await eve.look(table))["may"]
        for _ in range(4):
            match = (await ann.look(table))["match"]
            await ann.do(table, "play", ply=match["view"]["ply"], move=match["legal"][-1])
        told = await ann.get(f"/api/tables/{table}/coach")
        log = (await ann.look(table))["match"]["log"]
        if solutions.find(opened["options"]) is None:
            assert told == {"solved": False, "ply": 0, "decisions": []}
        else:
            own = [ply for ply, move in enumerate(log) if not move.startswith("*")]
            assert [decision["ply"] for decision in told["decisions"]] == own
            later = await ann.get(f"/api/tables/{table}/coach?since={own[2]}")
            assert later["decisions"] == told["decisions"][2:]
            assert later["ply"] == len(log)
        assert (await eve.get(f"/api/tables/{table}/coach"))["code"] == "not-seated"
        assert (await ann.get(f"/api/tables/{table}/coach?since=-1"))["code"] == "bad-request"
        for game, seats in (("catan_dice", ("me", "bot")), ("carnac", ("me", "bot"))):
            options = {"players": 2} if game == "catan_dice" else {}
            other = await ann.open(game, *seats, options=options)
            assert "solve" not in other["may"]
            answer = await ann.get(f"/api/tables/{other['id']}/coach")
            assert answer["code"] == "not-judged"


class LastIsBest:
    """A solution that likes the last legal action best, and loses a point for each place."""

    def judge(self, states: Any, seat: int, action: int) -> tuple[int, float]:
        legal = np.empty(rules.MAX_LEGAL, np.int32)
        actions = legal[: rules.legal_actions(states[0], legal)].tolist()
        return actions[-1], float(len(actions) - 1 - actions.index(action))


def test_the_coach_names_the_best_move_of_every_decision() -> None:
    match = kwartet.new("catan_dice", seed=5)
    luck = random.Random(5)
    expected = []
    for _ in range(20):
        legal = match.legal()
        move = luck.choice(legal)
        expected.append(Judged(match.ply, legal[-1], float(len(legal) - 1 - legal.index(move))))
        match.play(move)
    seed = match.record()["seed"]
    seats = [SeatPlan("person", "a", "A")]
    made = Created("catan_dice", match.game.version, match.options, seats, "a", seed)
    story = Story("t", made, 0.0, moves=tuple(match.moves))
    assert judged(story, LastIsBest(), 0) == CoachView(True, match.ply, expected)
    assert judged(story, LastIsBest(), expected[9].ply).decisions == expected[9:]
    assert judged(story, LastIsBest(), match.ply).decisions == []
