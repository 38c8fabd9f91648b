"""Pictures that can be played on: which moves a click on a shape means, and what shapes say."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import kwartet
from kwartet import Match
from kwartet.core.picture import Label, Spot, in_language


def everywhere(key: str, **options: Any) -> Iterator[Match]:
    """Whenever a seat is to act in random matches."""
    for seed in range(4):
        luck = random.Random(seed)
        match = kwartet.new(key, seed=seed, **options)
        while match.actor is not None:
            yield match
            match.play(luck.choice(match.legal()))


def spots(match: Match, seat: int | None) -> list[Spot]:
    """The shapes that may be clicked on."""
    return [shape for shape in match.picture(seat).shapes if isinstance(shape, Spot)]


def clickable(match: Match) -> set[str]:
    return {move for shape in spots(match, match.actor) for move in shape.moves}


@pytest.mark.parametrize(
    ("key", "options", "is_loose"),
    [
        ("carat", {"players": 2, "colours": ["R", "Y"], "hand": 3}, lambda _: False),
        ("carat", {"players": 4}, lambda _: False),
        ("carnac", {"board": "small"}, lambda _: False),
        ("catan_dice", {}, lambda move: move == "keep" or move.split()[0] not in ("keep", "stop")),
        ("connect_four", {}, lambda _: False),
        ("kwatro", {"players": 3}, lambda move: move == "done"),
    ],
)
def test_every_move_that_has_a_place_on_the_board_is_played_by_clicks(
    key: str, options: dict[str, Any], is_loose: Callable[[str], bool]
) -> None:
    for match in everywhere(key, **options):
        missing = set(match.legal()) - clickable(match)
        assert all(map(is_loose, missing)), missing


def test_others_are_shown_no_move_with_a_card_that_they_cannot_see() -> None:
    for match in everywhere("kwatro", players=2):
        for watcher in (1 - (match.actor or 0), None):
            hand = match.view(watcher)["hands"]
            own = {card for held in hand if isinstance(held, list) for card in held}
            for shape in spots(match, watcher):
                for move in shape.moves:
                    words = move.removeprefix("swap ").removeprefix("pass").split("@")[0].split()
                    assert set(words) <= own


def test_clicks_on_a_tile_and_on_a_cell_leave_its_turns() -> None:
    match = kwartet.new("carat", players=2, colours=["R", "Y"], hand=3, seed=1)
    tile = match.view(0)["hands"][0][0]
    moves = {shape.name: set(shape.moves) for shape in spots(match, 0)}
    left = moves[tile] & moves["c3"] & set(match.legal())
    assert len(left) == 4
    assert all(move.startswith(f"c3={tile[0]}") for move in left)


def test_a_tilt_is_a_click_on_where_the_stone_falls() -> None:
    match = kwartet.new("carnac", board="small")
    match.play("c3wr")
    moves = {shape.name: set(shape.moves) & set(match.legal()) for shape in spots(match, 1)}
    assert moves["c3"] == {"stand"}
    assert moves["c2"] == moves["c1"] == {"tilt N"}
    assert moves["e3"] == {"tilt E"}
    assert moves["d4"] == set()


def test_dice_that_are_clicked_are_among_those_kept() -> None:
    match = kwartet.new("catan_dice", auto_chance=False)
    match.play("*oogwt$")
    ore, more_ore, grain, *_ = (set(s.moves) for s in spots(match, 0) if s.moves)
    both = ore & more_ore & grain & set(match.legal())
    assert min(both - {"stop"}, key=len) == "keep oog"
    assert "keep og" in ore & grain
    assert "keep og" not in more_ore


def test_a_column_is_named_in_every_language_of_the_page() -> None:
    match = kwartet.new("connect_four")
    for column in "ddc":
        match.play(column)
    names = [shape.name for shape in spots(match, None) if shape.moves]
    told = {language: in_language(names[3], language) for language in ("en", "nl", "de", "fr")}
    assert told == {
        "en": "Column d, from below: red, yellow",
        "nl": "Kolom d, van onderen: rood, geel",
        "de": "Spalte d, von unten: rot, gelb",
        "fr": "Colonne d, de bas en haut : rouge, jaune",
    }
    assert in_language(names[0], "de") == "Spalte a, leer"
    assert in_language(names[0], "eo") == "Column a, empty"
    assert in_language({"eo": "kolumno"}, "de") == "kolumno"


def test_a_game_without_a_picture_is_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    match = kwartet.new("connect_four")
    text = match.game.views.text(match.view(None))
    modules = replace(match.game.modules, picture=None)
    monkeypatch.setitem(match.game.__dict__, "modules", modules)
    shapes = match.picture(None).shapes
    assert [shape.text for shape in shapes if isinstance(shape, Label)] == text.split("\n")
