"""Luck that nobody chooses: what a verdict finds and claims, and what a dishonest server gains."""

import json
import os
import random
from dataclasses import replace
from hashlib import blake2b, sha256
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import kwartet
from kwartet.core.errors import GameError
from kwartet.core.fairness import DOMAIN, Noted, Verdict, commitment, draw_lot, seed_of, verify
from kwartet.games import find
from tests import verifier
from tests.commands import kwartet_here

SECRET = bytes(range(32))
PARTS: list[str | None] = ["amber otter 41", None]
OWN = Noted(commitment(SECRET), PARTS[0], 0)


def played(secret: bytes = SECRET, parts: list[str | None] | None = None) -> dict[str, Any]:
    """The record of a short match of Kwatro as a server tells it."""
    parts = PARTS if parts is None else parts
    seed = seed_of(secret, parts)
    match, luck = kwartet.new("kwatro", seed=seed), random.Random(1)
    for _ in range(12):
        match.play(luck.choice(match.legal()))
    lot = draw_lot(seed, 2)
    return match.record() | {
        "secret": secret.hex(),
        "commitment": commitment(secret),
        "parts": parts,
        "order": "lot",
        "lot": lot,
        "players": ["Ann" if planned == 0 else "bot:novice" for planned in lot],
    }


RECORD = played()


def problem(record: dict[str, Any], noted: Noted | None = None) -> str:
    return str(verify(record, find, noted).problem)


def test_a_seed_is_made_of_secret_and_parts_as_the_page_of_words_says() -> None:
    assert seed_of(SECRET, PARTS) == verifier.mixed(SECRET, PARTS)
    told = (Path(__file__).parents[1] / "docs/fairness.md").read_text()
    assert f"`{seed_of(SECRET, PARTS).hex()}`" in told
    others: list[list[str | None]]
    others = [["", None], [None, None], [None, PARTS[0]], ["a", "bc"], ["ab", "c"], ["abc", ""]]
    assert len({seed_of(SECRET, parts) for parts in (PARTS, *others)}) == 7


def test_a_record_with_parts_fits_here_and_by_the_page_of_code() -> None:
    assert (verify(RECORD, find).problem, verifier.verify(RECORD)) == (None, None)
    assert verify(RECORD, find, OWN).problem is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"commitment": "00" * 32}, "The secret is not the one that was promised."),
        ({"commitment": 0}, "The secret is not the one that was promised."),
        ({"secret": "11" * 32}, "The secret is not the one that was promised."),
        ({"parts": [None, None]}, "The seed is not made of the secret and the parts."),
        ({"parts": PARTS[::-1]}, "The seed is not made of the secret and the parts."),
        ({"parts": [*PARTS, None]}, "The seed is not made of the secret and the parts."),
        ({"seed": "22" * 32}, "The seed is not made of the secret and the parts."),
        ({"lot": RECORD["lot"][::-1]}, "The seats were not drawn from the seed."),
        ({"order": "fixed", "lot": [1, 0]}, "The record names a lot, though no seats were drawn."),
        ({"order": None, "lot": [1, 0]}, "The record names a lot, though no seats were drawn."),
        ({"players": ["bot:novice", "bot:novice"]}, "is a bot's, which adds no part"),
    ],
)
def test_what_does_not_fit_is_found(change: dict[str, Any], sentence: str) -> None:
    assert sentence in problem(RECORD | change)


@pytest.mark.parametrize(
    "change",
    [
        {"secret": None},
        {"secret": "00"},
        {"secret": 7},
        {"secret": "x" * 64},
        {"parts": None},
        {"parts": "amber"},
        {"parts": ["amber", 7]},
        {"parts": ["", None]},
        {"parts": ["x" * 65, None]},
        {"parts": ["\ud800", None]},
    ],
)
def test_a_record_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(GameError) as refused:
        verify(RECORD | change, find)
    assert refused.value.code == "bad-record"


def test_a_record_from_which_parts_were_struck_does_not_pass_for_more_than_it_is() -> None:
    struck = {name: told for name, told in RECORD.items() if name not in ("secret", "parts")}
    assert problem(struck) == "The seed is not the one that was promised."
    resealed = struck | {"commitment": commitment(bytes.fromhex(RECORD["seed"]))}
    assert "The server alone chose the seed" in " ".join(verify(resealed, find).claims())
    assert "promised" in problem(resealed, Noted(OWN.commitment))
    assert "not in the record" in problem(resealed, Noted(part=OWN.part))
    bare = {name: told for name, told in struck.items() if name != "commitment"}
    assert "Whoever made the record chose the seed." in verify(bare, find).claims()


def test_one_s_own_part_is_looked_for_where_one_sat() -> None:
    for noted in (Noted(part="another"), Noted(part=OWN.part, seat=1), Noted(part="x", seat=9)):
        assert "not in the record" in problem(RECORD, noted)


def claims(record: dict[str, Any], noted: Noted | None = None) -> str:
    verdict = verify(record, find, noted)
    assert verdict.problem is None
    return " ".join(verdict.claims())


def test_words_claim_no_more_than_is_proven() -> None:
    mine = claims(RECORD, OWN)
    assert "neither the server nor you could choose it alone" in mine
    assert "Seats were drawn by lot" in mine
    assert "record's word" not in mine
    others = claims(RECORD)
    assert "neither the server nor who added it" in others
    assert "The record's word alone: that the secret was sealed" in others
    assert "that people added these parts, and not the server" in others
    two = claims(played(parts=["a", "b"]) | {"players": ["Ann", "Bob"]}, Noted(part="a"))
    assert "unless the server made the last part up or agreed with who added it" in two
    assert "that people added the other parts, and not the server (ask them)" in two
    assert "if the server could not guess the part" in mine
    assert "sealed before the match" in two
    assert "The server alone chose the seed" in claims(played(parts=[None, None]))
    fixed = RECORD | {"order": "fixed", "lot": [0, 1], "players": ["Ann", "bot:novice"]}
    assert "Seats were not drawn by lot." in claims(fixed)
    local = kwartet.new("kwatro", seed=1).record()
    assert "Whoever made the record chose the seed." in claims(local)
    origin = {"table": "x", "ply": 0, "chance": "same"}
    assert "what came could be known" in claims(local | {"origin": origin})
    assert Verdict(0, "", "It is forged.").claims() == ["It is forged."]


def test_the_command_compares_what_one_noted(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(RECORD))
    noted = ["--commitment", OWN.commitment or "", "--part", OWN.part or "", "--seat", "0"]
    fits = kwartet_here("verify", str(file), *noted)
    assert fits.returncode == 0
    assert "neither the server nor you could choose it alone" in " ".join(fits.stdout.split())
    for wrong in (["--part", "other"], [*noted[:-1], "1"], ["--commitment", "00" * 32]):
        assert kwartet_here("verify", str(file), *wrong).returncode == 1


# A dishonest server: it wants the first two cards, which are seat 0's, to be the jokers. -------

TRIES = 1_000_000
CHANCE = 2 / 66 * 1 / 65


def is_wished(seed: bytes) -> bool:
    """Whether cards 0 and 1 are jokers; these are the last of those left."""
    if int.from_bytes(blake2b(b"card 0", key=seed).digest()) % 66 < 64:
        return False
    return int.from_bytes(blake2b(b"card 1", key=seed).digest()) % 65 == 64


def test_the_wish_is_what_the_game_deals() -> None:
    seed = next(seed for n in range(TRIES) if is_wished(seed := sha256(b"%d" % n).digest()))
    assert kwartet.new("kwatro", seed=seed).moves[:2] == ["*J", "*J"]


def test_a_server_that_chooses_the_seed_alone_gets_its_wish() -> None:
    """The scheme before: it seals what it likes, and everything else fits."""
    seed = next(seed for n in range(TRIES) if is_wished(seed := sha256(b"%d" % n).digest()))
    record = kwartet.new("kwatro", seed=seed).record() | {"commitment": commitment(seed)}
    assert verify(record, find, commitment(seed)).problem is None


def test_a_server_that_tries_a_million_secrets_gains_nothing() -> None:
    """It takes the secret that suits most of the parts it can think of; then an honest one comes.

    Of a million secrets about 466 give the wish for a first guess at the part. These are tried
    with 200 guesses more, for which chance would give 0.09 wishes each, and the best is sealed.
    Of 100,000 honest parts 46.6 should then give the wish, with a deviation of 6.8.
    """
    honest = (os.urandom(16).hex() for _ in range(100_000))
    guess = "00" * 16
    end = b"\1\0\0\0\x20" + guess.encode() + b"\0"  # seed_of, but for the calls
    suits = [
        secret
        for n in range(TRIES)
        if is_wished(sha256(DOMAIN + (secret := n.to_bytes(32)) + end).digest())
    ]
    assert len(suits) > TRIES * CHANCE / 2
    assert all(is_wished(seed_of(secret, [guess, None])) for secret in suits)
    guesses = [f"{n:032x}" for n in range(1, 201)]
    sealed = max(suits, key=lambda secret: _wishes(secret, guesses))
    assert _wishes(sealed, guesses) > 200 * CHANCE  # it has found something, so it seems
    found = sum(is_wished(seed_of(sealed, [part, None])) for part in honest)
    expected = 100_000 * CHANCE
    assert abs(found - expected) < 6 * sqrt(expected)


def _wishes(secret: bytes, parts: list[str]) -> int:
    return sum(is_wished(seed_of(secret, [part, None])) for part in parts)


def test_a_server_that_changes_its_mind_after_the_parts_is_found_out() -> None:
    """It knows the part now and tries secrets, or leaves the part out; one's notes tell."""
    lucky = next(
        secret for n in range(TRIES) if is_wished(seed_of(secret := n.to_bytes(32), PARTS))
    )
    changed = played(lucky)
    assert verify(changed, find).problem is None  # by itself it fits
    assert "promised" in problem(changed, OWN)
    assert "promised" in problem(changed | {"commitment": OWN.commitment})
    dropped = played(parts=[None, None])
    assert verify(dropped, find, OWN.commitment).problem is None
    assert "not in the record" in problem(dropped, OWN)
    replaced = played(parts=["its own", None])
    assert "not in the record" in problem(replaced, OWN)
    assert "the server refused it" in problem(replaced, replace(OWN, taken=False))
    assert verify(RECORD, find, replace(OWN, taken=False)).problem is None
