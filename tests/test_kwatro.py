"""Kwatro: the worked cases and rules of docs/games/kwatro.md."""

import random
import re
from collections import Counter
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import kwartet
from kwartet.core import bits, engine, verbs
from kwartet.core.match import Match
from kwartet.games.kwatro import frontier, knowledge, rules
from kwartet.games.kwatro.cards import (
    CARDS,
    HIDDEN,
    JOKER,
    KIND_OF_NAME,
    NO_CARD,
    TOKENS,
    card_name,
)
from kwartet.games.kwatro.fit import Misfit
from kwartet.games.kwatro.lines import NOWHERE, SIDE
from kwartet.games.kwatro.why import in_words
from tests.comparison import OPTION_SETS
from tests.lengths import much


def cell(x: int, y: int) -> int:
    return (y % SIDE) * SIDE + x % SIDE


def position(field: dict[tuple[int, int], str], hand: str, pile: int = 20) -> Match:
    """A match in which seat 0 holds `hand` and is to act on this field."""
    match = kwartet.new("kwatro", auto_chance=False)
    states = match.state
    state = states[0]

    def take(name: str) -> int:
        kind = KIND_OF_NAME[name]
        if kind < JOKER:
            state.unseen ^= np.uint64(1 << kind)
            return kind
        token = JOKER if state.unseen_jokers & 1 else JOKER + 1
        state.unseen_jokers ^= 1 << (token - JOKER)
        return token

    for (x, y), name in field.items():
        frontier.put_on_field(state, cell(x, y), take(name))
    for index, token in enumerate(sorted(take(name) for name in hand.split())):
        state.hands[0, index] = token
    state.pile = pile
    if pile == 0:
        state.unseen = 0
        state.unseen_jokers = 0
    state.phase = rules.TURN
    match.set_up(states)
    return match


def change(match: Match, **fields: Any) -> None:
    """Let the match stand at another state: with these fields."""
    states = match.state
    for name, value in fields.items():
        states[0][name] = value
    match.set_up(states)


def row(names: str) -> dict[tuple[int, int], str]:
    return {(x, 0): name for x, name in enumerate(names.split())}


def score(match: Match, *moves: str) -> int:
    for move in (*moves, "done"):
        match.play(move)
    return match.scores()[0]


def test_the_printed_example_turn_by_turn() -> None:
    match = kwartet.new("kwatro", auto_chance=False)
    for card in ["BX2", "GC2", "YS2", "GT3", "RC3", "YC1", "BC4", "RX1", "RT2"]:
        match.play(f"*{card}")
    for turn, expected in (
        ("BX2@1,0 GC2@2,0 done *BS1 *BS2", [6, 0]),
        ("RC3@2,1 YC1@2,-1 done *YS3 *GT2", [6, 6]),
        ("YS2@3,0 GT3@3,-1 done *BS3 *BS4", [40, 6]),
        ("BC4@2,-2 RX1@3,-2 YS3@1,-2 GT2@0,-2 done", [40, 214]),
    ):
        for move in turn.split():
            match.play(move)
        assert match.scores() == expected
    play = match.view(None)["last_play"]
    assert sorted(line["sum"] for line in play["lines"]) == [6, 10, 10]
    assert play["points"] == 208


def test_the_last_printed_turn_scores_416_if_it_ends_the_game() -> None:
    field = row("RT2 BX2 GC2 YS2") | {(2, 1): "RC3", (2, -1): "YC1", (3, -1): "GT3"}
    match = position(field, "BC4 RX1 YS3 GT2", pile=0)
    assert score(match, "BC4@2,-2", "RX1@3,-2", "YS3@1,-2", "GT2@0,-2") == 416
    assert match.actor is None


@pytest.mark.parametrize(
    ("names", "moves", "points"),
    [
        ("RC1 RC2 RC3", ["J@3,0"], 12),
        ("RC1", ["J@1,0", "J@2,0"], 1),
        ("RC2 BC3", ["YC1@-1,0", "GC4@2,0"], 20),
    ],
)
def test_scores_of_single_plays(names: str, moves: list[str], points: int) -> None:
    hand = " ".join(move.split("@")[0] for move in moves)
    assert score(position(row(names), hand), *moves) == points


def test_a_kwatro_that_ends_the_game_is_doubled_twice() -> None:
    match = position(row("RC1 BC2 GC3"), "YC4", pile=0)
    assert score(match, "YC4@3,0") == 40
    assert match.actor is None


def test_a_joker_in_two_lines_is_the_same_card_in_both() -> None:
    field = {(-3, 0): "RC2", (-2, 0): "RC3", (-1, 0): "RC4"}
    field |= {(0, -3): "BC2", (0, -2): "BC3", (0, -1): "BC4"}
    match = position(field, "J")
    assert "J@0,0" not in match.legal()
    with pytest.raises(kwartet.GameError, match="No colour of the jokers"):
        match.play("J@0,0")


def test_lines_reached_through_a_second_joker_count() -> None:
    # Its column makes the second joker red, so the row makes the first one red, too. Below
    # the first joker a red card would need it to be neither red nor blue.
    field = row("RC1 J J") | {(2, -1): "RC4", (2, 1): "RC3", (1, -1): "BC2"}
    legal = position(field, "GC3 RC2").legal()
    assert "GC3@1,1" in legal
    assert "RC2@1,1" not in legal
    without_the_column = row("RC1 J J") | {(1, -1): "BC2"}
    assert "RC2@1,1" in position(without_the_column, "RC2").legal()


def test_a_swap_needs_a_card_that_fits_all_lines() -> None:
    assert "swap YC2@1,0" in position(row("RC1 J BC3"), "YC2").legal()
    match = position(row("RC1 J RC2"), "BC3")
    assert "swap BC3@1,0" not in match.legal()
    with pytest.raises(kwartet.GameError, match="colour: red, blue, red"):
        match.play("swap BC3@1,0")


def test_a_swapped_joker_goes_to_the_hand_for_no_points_and_the_turn_goes_on() -> None:
    match = position(row("RC1 J BC3"), "YC2 GC4")
    match.play("swap YC2@1,0")
    assert match.view(0)["hands"][0] == ["GC4", "J"]
    assert match.scores() == [0, 0]
    assert {"GC4@3,0", "J@3,0", "pass J"} <= set(match.legal())


def test_a_joker_may_be_the_start_card_and_any_card_may_take_its_place() -> None:
    match = kwartet.new("kwatro", auto_chance=False)
    for card in ["BX2", "GC2", "YS2", "GT3", "RC3", "YC1", "BC4", "RX1", "J"]:
        match.play(f"*{card}")
    assert {f"swap {card}@0,0" for card in ("BX2", "GC2", "YS2", "GT3")} <= set(match.legal())


def test_the_last_play_is_told_as_it_was_scored_after_a_swap_too() -> None:
    match = position(row("RC4"), "J RC2 GC3 YC1")
    hands = match.state[0].hands
    hands[1] = [KIND_OF_NAME[name] for name in ("BC1", "BC2", "BC3", "BC4")]
    change(match, hands=hands)
    assert score(match, "J@1,0") == 4
    told = match.view(None)["last_play"]
    assert [line["sum"] for line in told["lines"]] == [4]
    while match.actor == kwartet.CHANCE:
        match.play(match.legal()[-1])
    match.play("swap BC2@1,0")
    assert match.view(None)["last_play"] == told


def test_the_play_in_hand_is_told_with_the_doubling_for_the_end() -> None:
    match = position(row("RC1 BC2 GC3"), "YC4", pile=0)
    match.play("YC4@3,0")
    assert match.view(0)["play"]["points"] == 40


def test_a_misfit_is_explained_by_its_property() -> None:
    match = position(row("RC1 RC2"), "BC3 YT1")
    with pytest.raises(kwartet.GameError, match="colour: red, red, blue"):
        match.play("BC3@2,0")
    with pytest.raises(kwartet.GameError, match="4,4 touches no card"):
        match.play("YT1@4,4")
    with pytest.raises(kwartet.GameError, match="is taken by RC1"):
        match.play("YT1@0,0")
    with pytest.raises(kwartet.GameError, match="GS4 is not in the hand"):
        match.play("GS4@2,0")


def whys(match: Match, piece: str) -> dict[tuple[int, int], Misfit]:
    """Why a card of the seat to act may not lie somewhere, by cell."""
    assert match.actor is not None
    spots = match.preview(piece, seat=match.actor)
    return {(spot["x"], spot["y"]): spot["why"] for spot in spots if spot["why"]}


def test_a_misfit_names_line_trait_and_values() -> None:
    match = position(row("RC1 RC2"), "BC3")
    assert whys(match, "BC3")[2, 0] == {
        "reason": "line",
        "axis": "row",
        "trait": "colour",
        "values": ["R", "R", "B"],
        "cells": [(0, 0), (1, 0), (2, 0)],
    }
    match = position(row("RC1 BC2 GC3 YC4"), "RS1")
    assert whys(match, "RS1")[4, 0]["reason"] == "long"
    assert whys(match, "RS1")[4, 0]["cells"] == [(x, 0) for x in range(5)]


def test_a_misfit_by_jokers_names_the_trait() -> None:
    cross = {(x, 0): f"RC{x + 2}" for x in range(3)} | {(3, y): f"BC{y + 1}" for y in range(1, 4)}
    why = whys(position(cross, "J"), "J")[3, 0]
    assert (why["reason"], why["trait"]) == ("jokers", "colour")
    match = position({(-1, 0): "RC2", (0, 0): "RC1", (1, 0): "J", (1, 1): "BC2"}, "BC1")
    assert whys(match, "BC1")[1, 2]["reason"] == "jokers"
    assert whys(match, "BC1")[2, 0]["values"] == ["R", "R", "J", "B"]


def test_explanations_are_there_exactly_where_a_card_may_not_lie() -> None:
    luck = random.Random("fit")
    reasons: Counter[str] = Counter()
    scored = 0
    matches = much(3, 12)
    for seed in range(matches):
        match = kwartet.new("kwatro", seed=seed, players=2 + seed % 3)
        while (seat := match.actor) is not None:
            legal = match.legal()
            told = {}
            view = match.view(seat)
            jokers = {(laid["x"], laid["y"]) for laid in view["field"] if laid["card"] == "J"}
            for piece in set(view["hands"][seat]):
                for spot in match.preview(piece, seat=seat):
                    on_joker = (spot["x"], spot["y"]) in jokers
                    name = f"{'swap ' * on_joker}{piece}@{spot['x']},{spot['y']}"
                    assert (spot["why"] is None) == (spot["points"] is not None)
                    reasons[spot["why"]["reason"] if spot["why"] else "fits"] += 1
                    told[name] = spot
            may = {name for name, spot in told.items() if spot["why"] is None}
            assert may == {move for move in legal if "@" in move}
            name, spot = luck.choice(sorted(told.items()) or [("", {"why": None})])
            if spot["why"]:
                with pytest.raises(kwartet.GameError) as refused:
                    match.play(name)
                why = match.why(name)
                assert (why["reason"], why["misfit"]) == ("misfit", spot["why"])
                assert why["cell"] == (spot["x"], spot["y"])
                assert in_words(why) in str(refused.value)
            lay = [move for move in legal if not move.startswith("pass")]
            move = luck.choice(lay if lay and luck.random() < 0.9 else legal)
            match.play(move)
            if "@" in move and not move.startswith("swap"):
                assert match.view(seat)["play"]["points"] == told[move]["points"]
                scored += 1
    assert scored > 25 * matches
    assert reasons.total() > 4_000 * matches
    assert set(reasons) == {"fits", "late", "gap", "long", "line", "joker", "jokers"}


def test_a_preview_is_for_the_seat_to_act_and_its_own_cards() -> None:
    match = kwartet.new("kwatro", seed=1)
    own = match.view(0)["hands"][0]
    before = match.state.tobytes()
    match.preview(own[0], seat=0, ply=match.ply)
    assert match.state.tobytes() == before
    other = match.view(1)["hands"][1][0]
    for piece, seat, ply, code in (
        (other, 0, None, "illegal-move"),
        (other, 1, None, "not-your-turn"),
        (own[0], 0, 3, "stale-ply"),
        ("?", 0, None, "illegal-move"),
    ):
        with pytest.raises(kwartet.GameError) as refused:
            match.preview(piece, seat=seat, ply=ply)
        assert refused.value.code == code
    with pytest.raises(kwartet.GameError, match="nothing to tell"):
        kwartet.new("connect_four").preview("c", seat=0)


def test_lines_are_never_longer_than_four() -> None:
    match = position(row("RC1 BC2 GC3 YC4"), "RS1")
    assert not {"RS1@4,0", "RS1@-1,0"} & set(match.legal())
    with pytest.raises(kwartet.GameError, match="more than four"):
        match.play("RS1@4,0")


def test_cards_of_a_turn_lie_in_one_gapless_run() -> None:
    match = position(row("RC1"), "RC2 RC3 RC4 BC1")
    match.play("RC2@1,0")
    cells = {move.split("@")[1] for move in match.legal() if "@" in move}
    assert cells == {"2,0", "-1,0", "1,1", "1,-1"}
    match.play("RC3@2,0")
    assert {move.split("@")[1] for move in match.legal() if "@" in move} == {"3,0", "-1,0"}
    with pytest.raises(kwartet.GameError, match="say done"):
        match.play("pass")


def test_a_pass_exchanges_cards_and_forced_draws_come_in_the_order_they_went_under() -> None:
    match = position(row("RC1"), "RC2 RC3 J BC1", pile=0)
    change(match, pile=2, unseen=0b11)
    match.play("pass RC3 J RC2")
    assert match.moves[-1] == "pass J RC2 RC3"
    for card in ("*BC1", "*BC2"):
        assert match.legal() == ["*BC1", "*BC2"][-len(match.legal()) :]
        match.play(card)
    assert match.legal() == ["*J"]


def test_with_an_empty_pile_nothing_is_exchanged() -> None:
    match = position(row("RC1"), "RC2", pile=0)
    assert [move for move in match.legal() if move.startswith("pass")] == ["pass"]
    with pytest.raises(kwartet.GameError, match="exchanges nothing"):
        match.play("pass RC2")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_three_passes_each_in_a_row_end_the_match(players: int) -> None:
    match = kwartet.new("kwatro", players=players, seed=1)
    for passed in range(3 * players):
        assert match.actor == passed % players
        match.play("pass")
    assert match.actor is None
    assert match.winners() == list(range(players))


def test_one_pass_each_ends_the_match_when_the_pile_is_empty() -> None:
    match = position(row("RC1"), "RC2", pile=0)
    match.play("pass")
    assert match.actor == 1
    match.play("pass")
    assert match.actor is None


def test_two_jokers_in_the_hand_make_no_move_twice() -> None:
    match = position(row("RC1"), "J J RC2 RC3")
    legal = match.legal()
    assert len(set(legal)) == len(legal)
    assert [move for move in legal if move.count("J") == 2] == [
        "pass J J",
        "pass J J RC2",
        "pass J J RC3",
        "pass J J RC2 RC3",
    ]


def test_a_field_that_runs_one_way_keeps_its_coordinates() -> None:
    state = kwartet.new("kwatro", auto_chance=False).state[0]
    for number in range(48):  # a staircase, longer than half the torus
        frontier.put_on_field(state, cell(-(number // 2), (number + 1) // 2), number)
    assert frontier.cell_x(state, cell(-23, 23)) == -23
    assert frontier.cell_y(state, cell(-23, 24)) == 24


# What a watcher can know --------------------------------------------------------------------


def busy_match(players: int, seed: int, plies: int = 1000) -> tuple[Match, list[engine.States]]:
    """A match in which jokers are swapped and cards passed whenever possible, and its states."""
    luck = random.Random(seed)
    match = kwartet.new("kwatro", players=players, seed=seed)
    states = []
    while match.actor is not None and match.ply < plies:
        legal = match.legal()
        swaps = [move for move in legal if move.startswith("swap")]
        passes = [move for move in legal if move.startswith("pass ")]
        jokers = [move for move in legal if move.startswith("J@")]
        likely = swaps or (jokers if luck.random() < 0.7 else []) or passes
        match.play(luck.choice(likely if likely and luck.random() < 0.6 else legal))
        states.append(match.state)
    return match, states


def places(state: np.record) -> dict[int, int]:
    """By card: the bit of a trace for where it really is; cards of the unseen pile are left out."""
    found = {}
    for seat in range(state.players):
        for token in state.hands[seat].tolist():
            if token != NO_CARD:
                found[token] = 1 << seat
    for place, token in enumerate(state.under[: state.under_count].tolist()):
        found[token] = 1 << (knowledge.UNDER + place)
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_traces_are_true_and_worlds_heed_them(players: int) -> None:
    rng = verbs_rng()
    traced = 0
    for seed in range(10):
        for states in busy_match(players, seed)[1]:
            for watcher in (*range(players), verbs.SPECTATOR):
                world = states.copy()
                engine.redact(world, watcher)
                hidden = world[0]
                index = watcher if watcher >= 0 else knowledge.SPECTATORS
                traces = {
                    card: int(hidden.traces[index, card])
                    for card in range(TOKENS)
                    if hidden.traces[index, card]
                }
                traced += len(traces)
                engine.determinize(world, watcher, rng)
                for real in (states[0], world[0]):
                    assert_obeyed(traces, places(real))
    assert traced > 50  # the matches do lead to knowledge


def verbs_rng() -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    from kwartet.core.chance import generator

    return generator(11)


def assert_obeyed(traces: dict[int, int], found: dict[int, int]) -> None:
    for card, trace in traces.items():
        if card < CARDS:
            assert found.get(card, 0) & trace
    jokers = [trace for card, trace in traces.items() if card >= CARDS]
    where = [found.get(JOKER, 0), found.get(JOKER + 1, 0)]
    assert any(
        all(place & trace for place, trace in zip(order, jokers, strict=False))
        for order in permutations(where)
    )


@pytest.mark.parametrize("options", OPTION_SETS["kwatro"])
def test_every_world_has_all_66_cards_once(options: dict[str, int]) -> None:
    rng = verbs_rng()
    for states in busy_match(options["players"], 99)[1][::5]:
        for watcher in (*range(options["players"]), verbs.SPECTATOR):
            world = states.copy()
            engine.redact(world, watcher)
            engine.determinize(world, watcher, rng)
            state = world[0]
            cards = [card - 1 for card in state.field.tolist() if card]
            cards += [c for c in state.hands.ravel().tolist() if c != NO_CARD]
            cards += state.under[: state.under_count].tolist()
            cards += [card for card in range(CARDS) if bits.has(state.unseen, card)]
            cards += [JOKER + joker for joker in range(2) if state.unseen_jokers >> joker & 1]
            assert Counter(cards) == Counter(range(TOKENS))
            assert HIDDEN not in cards
            for joker in range(2):
                place = int(state.joker_cells[joker])
                assert place == NOWHERE or state.field[place] == JOKER + joker + 1


def test_a_joker_taken_from_the_field_is_in_that_hand_in_every_world() -> None:
    match = position(row("RC1 J BC3"), "YC2 GC4 RS1 RS2")
    hands = match.state[0].hands
    hands[1] = [0, 1, 2, 3]
    change(match, hands=hands, unseen=match.state[0].unseen & ~np.uint64(0b1111))
    match.play("swap YC2@1,0")
    for seed in range(20):
        world = match.determinized(1, seed)[0]
        assert any(card >= JOKER for card in world.hands[0].tolist())


def test_a_joker_that_was_passed_is_under_the_pile_once_the_whole_hand_was_shown() -> None:
    match = kwartet.new("kwatro", auto_chance=False)
    for card in ["RC1", "BC2", "GC2", "YC2", "YX1", "YX2", "YX3", "YX4", "J"]:
        match.play(f"*{card}")
    for move in ("swap RC1@0,0", "pass J", "*RC2", "pass"):
        match.play(move)
    for move in ("BC2@1,0", "GC2@1,1", "YC2@1,2", "RC2@1,3", "done"):
        match.play(move)
    for card in ("GS1", "GS2", "GS3", "GS4"):
        match.play(f"*{card}")
    for seed in range(20):
        assert match.determinized(1, seed)[0].under[0] >= JOKER


def test_cards_passed_together_lie_in_the_order_of_their_names_in_every_world() -> None:
    match = kwartet.new("kwatro", players=3, seed=3)
    for seat in (0, 1):
        match.play("pass " + " ".join(match.view(seat)["hands"][seat]))
    for seed in range(20):
        under = [card_name(card) for card in match.determinized(2, seed)[0].under[:8].tolist()]
        assert under[:4] == sorted(under[:4])
        assert under[4:] == sorted(under[4:])


@pytest.mark.parametrize("taker", [0, 1, 2])
def test_histories_that_look_alike_have_the_same_redacted_state(taker: int) -> None:
    """One seat takes a joker; whether it drew the other one and which card it passes is hidden."""
    facts: dict[tuple[int, int | None], set[tuple[bytes, str, str]]] = {}
    for fourth, passed in product(("RC4", "J"), ("J", "RC2", "RC3")):
        match = kwartet.new("kwatro", players=3, auto_chance=False)
        hands = ["YX1 YX2 YX3 YX4", "YS1 YS2 YS3 YS4", "YT1 YT2 YT3 YT4"]
        hands[taker] = f"RC1 RC2 RC3 {fourth}"
        for card in " ".join([*hands, "J"]).split():
            match.play(f"*{card}")
        for _ in range(taker):
            match.play("pass")
        for step, move in enumerate(("swap RC1@0,0", f"pass {passed}", "*BS1", "pass")):
            match.play(move)
            for watcher in {0, 1, 2, None} - {taker}:
                shown = str(match.view(watcher)), str(match.log(watcher))
                redacted = match.redacted(watcher).tobytes()
                facts.setdefault((step, watcher), set()).add((redacted, *shown))
    assert {len(alike) for alike in facts.values()} == {1}


def another_history(match: Match, watcher: int | None, luck: random.Random) -> Match | None:
    """A legal match with the same log for the watcher, two cards changed in what it did not see."""
    log, moves = match.log(watcher), match.moves
    names = [*KIND_OF_NAME, "J", "J", "J", "J"]
    first, second = luck.choice(names), luck.choice(names)
    since = luck.randrange(len(moves))
    other = kwartet.new("kwatro", auto_chance=False, **match.options)
    for ply, move in enumerate(moves):
        if ply >= since and log[ply] != move:
            swapped = {first: second, second: first}
            cards = re.findall(r"J|[BGRY][CSTX][1-4]", move)
            mark = "*" if move.startswith("*") else "pass "
            move = mark + " ".join(swapped.get(card, card) for card in cards)
        try:
            other.play(move)
        except kwartet.GameError:
            return None
    assert other.log(watcher) == log
    return other if other.moves != moves else None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_a_watcher_is_given_depends_on_its_log_alone(players: int) -> None:
    luck = random.Random(players)
    pairs = 0
    for seed in range(60):
        match, _ = busy_match(players, seed, luck.choice((14, 18, 24, 40, 80)))
        for watcher in (*range(players), None):
            for _ in range(12):
                if other := another_history(match, watcher, luck):
                    pairs += 1
                    assert other.redacted(watcher).tobytes() == match.redacted(watcher).tobytes()
                    assert other.view(watcher) == match.view(watcher)
                    if match.actor == watcher:
                        assert other.legal() == match.legal()
    assert pairs > 50


def test_log_tells_others_neither_draws_nor_passed_cards() -> None:
    match = kwartet.new("kwatro", seed=4)
    hand = match.view(0)["hands"][0]
    match.play(f"pass {sorted(hand)[0]} {sorted(hand)[1]}")
    assert match.log(1)[:4] == ["*?"] * 4
    assert "*?" not in match.log(1)[4:8]
    assert match.log(1)[8] == match.moves[8]  # the start card lies open
    assert match.log(1)[9] == "pass ? ?"
    assert match.log(0) == [*match.moves[:4], *["*?"] * 4, *match.moves[8:]]
    assert match.log(None)[9:] == ["pass ? ?", "*?", "*?"]
