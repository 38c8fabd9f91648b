"""Hostile requests, messages, moves and log entries: an answer each, and no change by a refusal."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import kwartet
from kwartet.core.match import Match
from tests.faults.fuzzing import requests, talk
from tests.planting import at_random
from tests.serving import Server

GAMES = ("carat", "carnac", "catan_dice", "kwatro", "connect_four")


def test_no_request_breaks_the_server_or_changes_what_it_refuses(server: Server) -> None:
    outcome = requests(server, 2, only=may_change_a_table)
    assert not outcome.faults
    assert outcome.numbers["requests"] > 30


def may_change_a_table(operation: Any) -> bool:
    """Others, and whether answers are as described, are tried in test_server_description."""
    return "{table}" in operation.path and operation.method.upper() != "GET"


def test_no_message_breaks_the_server_or_changes_what_it_refuses(server: Server) -> None:
    outcome = talk(server, 12)
    assert not outcome.faults
    assert {"accepted", "bad-request"} <= set(outcome.numbers["answers"])


@st.composite
def spoilt(draw: st.DrawFn, text: st.SearchStrategy[str]) -> str:
    """A text with a piece taken out, put in, or repeated."""
    whole = draw(text)
    begin = draw(st.integers(0, len(whole)))
    end = draw(st.integers(begin, len(whole)))
    return whole[:begin] + draw(st.text(max_size=4) | st.just(whole[begin:end] * 2)) + whole[end:]


MATCHES = {(game, moves): at_random(game, 3, moves) for game in GAMES for moves in (0, 7)}


@settings(deadline=None)
@given(data=st.data(), start=st.sampled_from([*MATCHES]))
def test_any_text_is_a_legal_move_or_refused_and_nothing_has_changed(
    data: st.DataObject, start: tuple[str, int]
) -> None:
    match = MATCHES[start].copy()
    before = _state(match)
    text = data.draw(st.text(max_size=12) | spoilt(st.sampled_from(match.legal())))
    try:
        match.play(text)
    except kwartet.GameError:
        assert _state(match) == before
    else:
        assert match.moves[: len(before[0])] == before[0]
        assert match.ply > len(before[0])


def _state(match: Match) -> tuple[list[str], bytes]:
    return list(match.moves), match.state.tobytes()
