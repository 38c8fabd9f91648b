"""The luck of matches as a page of code sees it that was written from docs/fairness.md alone."""

import hashlib
import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import kwartet
from tests.verifier import CARDS, FACES, TILES, draws, main, seats, verify

SEED = bytes(range(32))
MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("carat", {"players": 2, "hand": 3}),
    ("carat", {"players": 4}),
    ("catan_dice", {"players": 1}),
    ("catan_dice", {"players": 3}),
    ("kwatro", {"players": 2}),
    ("kwatro", {"players": 3}),
]
each_match = pytest.mark.parametrize(("game", "options"), MATCHES)


def chosen(legal: list[str], luck: random.Random) -> str:
    """Any move, but in Kwatro passes with cards and plays rather than empty passes."""
    passes = [move for move in legal if move.startswith("pass ")]
    if passes and luck.random() < 0.4:
        return luck.choice(passes)
    return luck.choice([move for move in legal if not move.startswith("pass")] or legal)


def played(
    game: str, options: dict[str, Any], seed: int | bytes, luck: int = 0, moves: int = 1000
) -> dict[str, Any]:
    """The record of a match of so many moves, or until it is over."""
    match, decide = kwartet.new(game, seed=seed, **options), random.Random(luck)
    while match.actor is not None and len(match.moves) < moves:
        match.play(chosen(match.legal(), decide))
    return match.record()


def is_draw(move: str) -> bool:
    return move.startswith("*")


def forged(game: str, move: str, luck: random.Random) -> str:
    """Another outcome that might have come up instead."""
    if move.startswith("*chips "):
        chips = list(move.removeprefix("*chips "))
        first, second = next(
            (a, b) for a in luck.sample(range(49), 49) for b in range(49) if chips[a] != chips[b]
        )
        chips[first], chips[second] = chips[second], chips[first]
        return "*chips " + "".join(chips)
    if game == "catan_dice":
        dice = list(move[1:])
        die = luck.randrange(len(dice))
        dice[die] = luck.choice([face for face in FACES if face != dice[die]])
        return "*" + "".join(sorted(dice, key=FACES.index))
    things = TILES if game == "carat" else [*CARDS, "J"]
    return "*" + luck.choice([thing for thing in things if thing != move[1:]])


@each_match
def test_whole_and_unfinished_matches_are_honest(game: str, options: dict[str, Any]) -> None:
    for seed in range(6):
        record = played(game, options, seed, luck=seed, moves=40 if seed % 2 else 1000)
        assert verify(record) is None
        found = draws(record)
        assert [(ply, due) for ply, _, due in found] == [
            (ply, move) for ply, move in enumerate(record["moves"]) if is_draw(move)
        ]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_passed_cards_come_up_when_the_shuffled_pile_is_used_up(players: int) -> None:
    records = [played("kwatro", {"players": players}, seed, luck=seed) for seed in range(10)]
    assert all(verify(record) is None for record in records)
    late = [[due for _, _, due in draws(record)[66:]] for record in records]
    assert max(len(cards) for cards in late) > 40
    assert any("*J" in cards for cards in late)


def test_a_joker_passed_comes_up_between_green_and_red() -> None:
    moves = [*played("kwatro", {}, SEED, moves=9)["moves"], "pass RS1 J GC1", *["*BC1"] * 60]
    record = {"seed": SEED.hex(), "game": "kwatro", "rules": 2, "moves": moves}
    assert [due for _, _, due in draws(record)][66:] == ["*GC1", "*J", "*RS1"]
    assert [due for _, _, due in draws(record | {"moves": [*moves, "*J"]})][-1] == "*nothing"


@each_match
def test_any_forged_draw_is_found_and_its_ply_is_named(game: str, options: dict[str, Any]) -> None:
    luck = random.Random(1)
    record = played(game, options, 11)
    for ply, move in enumerate(record["moves"]):
        if is_draw(move):
            moves = list(record["moves"])
            moves[ply] = forged(game, move, luck)
            assert verify(record | {"moves": moves}) == (
                f"Ply {ply} is {moves[ply]}, but the seed gives {move}."
            )


@each_match
def test_draws_that_changed_places_are_found(game: str, options: dict[str, Any]) -> None:
    record = played(game, options, 12)
    plies = [ply for ply, _, _ in draws(record)]
    for first, second in pairwise(plies):
        moves = list(record["moves"])
        if moves[first] != moves[second]:
            moves[first], moves[second] = moves[second], moves[first]
            assert str(verify(record | {"moves": moves})).startswith(f"Ply {first} is ")


@each_match
def test_a_draw_too_many_is_found(game: str, options: dict[str, Any]) -> None:
    record = played(game, options, 13)
    again = next(move for move in reversed(record["moves"]) if is_draw(move))
    problem = verify(record | {"moves": [*record["moves"], again]})
    assert str(problem).startswith(f"Ply {len(record['moves'])} is ")


@each_match
def test_another_seed_is_found(game: str, options: dict[str, Any]) -> None:
    record = played(game, options, 14, moves=20)
    for place in range(0, 64, 7):
        digit = "0" if record["seed"][place] != "0" else "1"
        seed = record["seed"][:place] + digit + record["seed"][place + 1 :]
        assert str(verify(record | {"seed": seed})).startswith("Ply ")


def test_a_wrong_order_of_seats_is_found() -> None:
    for seed in range(20):
        record = played("kwatro", {"players": 3}, seed, moves=20) | {"order": "lot"}
        lot = seats(bytes.fromhex(record["seed"]), 3)
        assert sorted(lot) == [0, 1, 2]
        assert verify(record | {"lot": lot}) is None
        for wrong in (lot[::-1], lot[1:] + lot[:1], lot[:2], [], None):
            assert verify(record | {"lot": wrong}) == "The seats were not drawn from the seed."
        assert verify(record) == "The seats were not drawn from the seed."


def test_a_seed_that_was_not_promised_is_found() -> None:
    record = played("carat", {}, SEED, moves=10)
    promised = hashlib.sha256(SEED).hexdigest()
    assert verify(record | {"commitment": promised}) is None
    broken = record | {"commitment": hashlib.sha256(SEED[::-1]).hexdigest()}
    assert verify(broken) == "The seed is not the one that was promised."


def test_what_cannot_be_checked_is_not_called_honest() -> None:
    assert verify(played("carnac", {}, 1, moves=10)) is None  # no luck, nothing to check
    record = played("carat", {}, 1, moves=10)
    assert verify(record | {"rules": 1}) == "Draws of carat, version 1, are not known here."
    del record["seed"]
    assert verify(record) == "The record has no seed to check against."


def test_lots_are_these_numbers() -> None:
    def lot(name: bytes, count: int) -> int:
        return int.from_bytes(hashlib.blake2b(name, key=SEED).digest(), "big") % count

    assert hashlib.blake2b(b"card 0", key=SEED).hexdigest().startswith("61049d57d489fe6d25405d89")
    assert [lot(b"card 0", 66), lot(b"card 1", 65)] == [48, 11]
    assert [lot(b"chip 0", 49), lot(b"chip 1", 48)] == [44, 19]
    assert [lot(b"tile 0", 36), lot(b"tile 1", 35)] == [27, 17]
    assert [lot(b"die 0 0 0 %d" % die, 6) for die in range(6)] == [3, 4, 3, 0, 3, 1]
    assert lot(b"die 2 14 2 5", 6) == 0
    assert [lot(b"lot" + bytes([0] * 7 + [place]), place + 1) for place in (3, 2, 1)] == [0, 2, 1]


def test_these_lots_are_these_things() -> None:
    for game, options in MATCHES:
        first, second = [due for _, _, due in draws(played(game, options, SEED))][:2]
        if game == "carat":
            assert first[:9] == "*chips 52"  # chips 44 and 19 of those left
            assert second == "*5RBGY"  # tile 27
        elif game == "catan_dice":
            assert first == "*ogtttb"
        else:
            assert [first, second] == ["*YC1", "*BT4"]  # cards 48 and 11
    assert seats(SEED, 4) == [3, 1, 2, 0]
    seed = hashlib.sha256(b"kwartet seed ff").hexdigest()
    assert played("carat", {}, 255, moves=1)["seed"] == seed


@pytest.mark.parametrize(("game", "options"), [case for case in MATCHES if case[0] != "catan_dice"])
def test_whatever_is_decided_the_pile_and_the_lay_out_are_the_same(
    game: str, options: dict[str, Any]
) -> None:
    records = [played(game, options, 15, luck=luck) for luck in range(4)]
    assert len({tuple(record["moves"]) for record in records}) == 4
    piles = [[due for _, _, due in draws(record)][:66] for record in records]
    longest = max(piles, key=len)
    assert all(pile == longest[: len(pile)] for pile in piles)
    assert all(len(pile) == 37 for pile in piles) or game == "kwatro"


def rolls(record: dict[str, Any]) -> dict[tuple[int, int], str]:
    """The dice by number of the turn, of all seats, and of the roll in it."""
    due = {ply: dice[1:] for ply, _, dice in draws(record)}
    found, turn, roll = {}, 0, 0
    for ply, move in enumerate(record["moves"]):
        if ply in due:
            found[turn, roll] = due[ply]
            roll += 1
        elif move == "end":
            turn, roll = turn + 1, 0
    return found


@pytest.mark.parametrize("players", [1, 3])
def test_whatever_is_decided_the_dice_are_the_same(players: int) -> None:
    one, other = (rolls(played("catan_dice", {"players": players}, 16, luck=n)) for n in range(2))
    assert one != other
    assert sum(roll == 0 for _, roll in one) == 15 * players
    for key in one.keys() & other.keys():
        fewer, more = sorted((one[key], other[key]), key=len)
        assert Counter(fewer) <= Counter(more)


def test_a_file_of_records_gets_a_line_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "records.jsonl"
    records = [played(game, options, 17, moves=15) for game, options in MATCHES]
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert main(str(file)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["1: carat: honest", "2: carat: honest", "3: catan_dice: honest"]
    records[2]["seed"] = "00" * 32
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert main(str(file)) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("3: catan_dice: Ply 0 is ")
    assert sum(line.endswith(": honest") for line in lines) == len(MATCHES) - 1
