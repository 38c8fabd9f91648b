"""Matches drawn: whole, inside of their sheets, the same for whoever may see the same."""

import gc
import io
import itertools
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

import kwartet
from kwartet import Match
from kwartet.core.film import film, stops
from kwartet.core.letters import glyph, shortened, width_of
from kwartet.core.picture import Art, Disc, Label, Picture, Stamp
from kwartet.core.picture import Path as Outline
from kwartet.core.scene import LINK, Look, Marks, as_png, as_svg, room_of, scene, tall, wide
from kwartet.core.svg import Canvas, canvas_of, png, size_of, svg
from tests.cases import SOME, every_case, every_game
from tests.lengths import much
from tests.test_server_secrets import twins

ROOT = Path(__file__).parents[1]
SVG = "{http://www.w3.org/2000/svg}"


def after(key: str, plies: int, seed: int = 1, **options: Any) -> Match:
    luck = random.Random(seed)
    match = kwartet.new(key, seed=seed, **options)
    while match.actor is not None and match.ply < plies:
        match.play(luck.choice(match.legal()))
    return match


def image(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def assert_sound(text: str) -> None:
    """It is XML, refers to nothing outside, and uses nothing that it has not defined before."""
    root = ElementTree.fromstring(text)
    defined: set[str] = set()
    for element in root.iter():
        if element.tag == f"{SVG}use":
            assert element.get("href", "")[1:] in defined
        if name := element.get("id"):
            assert name not in defined
            defined.add(name)
    references = re.findall(r'(?:href|src)="([^"]*)"|url\(([^)]*)\)', text)
    assert all((one or other).startswith("#") for one, other in references)
    for name in ("fill", "stroke"):
        for value in re.findall(rf' {name}="([^"]*)"', text):
            assert re.fullmatch(r"#[0-9a-f]{6,8}|none|transparent", value.lower()), value


@every_case
def test_every_position_is_drawn_for_everybody(key: str, options: dict[str, Any]) -> None:
    luck = random.Random(4)
    match = kwartet.new(key, seed=4, **options)
    looks = [Look(seat) for seat in (None, *range(match.seats))]
    looks.append(Look(everything=True, theme="dark", language="fr"))
    turns = itertools.cycle(looks)
    while True:
        if match.actor is None or luck.random() < much(0.3, 1.0):
            look = next(turns)
            assert_sound(as_svg(tall(scene(match, look)), look))
        if match.actor is None:
            break
        match.play(luck.choice(match.legal()))
    assert_sound(as_svg(wide(scene(match, looks[0])), looks[0]))


@every_game
def test_nothing_is_drawn_outside_of_a_sheet(key: str, options: dict[str, Any]) -> None:
    for plies in (0, 12, 40, 5000):
        match = after(key, plies, **options)
        look = Look(everything=True)
        drawn = match.picture(0)
        board = Canvas(-1, -1, drawn.width + 2, drawn.height + 2, drawn.shapes, drawn.art)
        for canvas in (board, _with_margin(tall(scene(match, look)))):
            width, height = size_of(canvas, 300)
            shown = np.asarray(image(png(f"{svg(canvas, 300)}", (width, height))))
            edge = int(width / canvas.width * 0.9)
            for side in (shown[:edge], shown[-edge:], shown[:, :edge], shown[:, -edge:]):
                assert not side.any()  # where nothing is drawn it is transparent, thus black


def _with_margin(canvas: Canvas) -> Canvas:
    return Canvas(
        canvas.left - 1,
        canvas.top - 1,
        canvas.width + 2,
        canvas.height + 2,
        canvas.shapes,
        canvas.art,
    )


@pytest.mark.parametrize("longest", [120, 333, 1000])
def test_a_png_has_the_size_that_was_asked_for(longest: int) -> None:
    for key, options in SOME[:2]:
        look = Look(longest=longest)
        canvas = tall(scene(after(key, 20, **options), look))
        assert max(image(as_png(canvas, look)).size) == longest


def test_a_link_s_picture_has_the_size_that_links_show() -> None:
    for key, options in SOME:
        look = Look(longest=LINK[0])
        assert image(as_png(wide(scene(after(key, 30, **options), look)), look)).size == LINK


def test_hidden_cards_change_no_byte_of_a_picture() -> None:
    first, second = twins()
    for ply in range(0, first.ply + 1, 3):
        seen = []
        for match in (first, second):
            past = match.beginning()
            past.follow(match.moves[:ply])
            looks = [Look(None, longest=300), Look(0, longest=300)]
            pictures = [scene(past, look) for look in looks]
            seen.append([as_svg(tall(one), looks[0]) for one in pictures])
        assert seen[0] == seen[1]
    open_hands = [
        as_svg(tall(scene(one, Look(everything=True))), Look()) for one in (first, second)
    ]
    assert open_hands[0] != open_hands[1]


def test_hidden_cards_change_no_byte_of_a_film() -> None:
    look = Look(longest=200)
    first, second = (film(match, look, stops(match), 0.5) for match in twins())
    assert first == second


def test_the_last_move_and_a_better_one_are_ringed() -> None:
    match = kwartet.new("carat", seed=3, players=2)
    match.play(match.legal()[0])
    plain = scene(match, Look(), Marks(last=False)).picture.shapes
    marked = scene(match, Look()).picture.shapes
    assert marked[: len(plain)] == plain
    rings = [shape for shape in marked[len(plain) :] if isinstance(shape, Outline)]
    assert len(rings) == 2  # a line on its casing
    assert not any(ring.dash for ring in rings)
    start = kwartet.new("carat", seed=3, players=2)
    better = next(move for move in start.legal() if move[:2] != match.moves[-2][:2])
    judged = scene(match, Look(), Marks(verdict="blunder", better=better)).picture
    more = judged.shapes[len(marked) :]
    assert any(isinstance(shape, Outline) and shape.dash for shape in more)
    assert any(isinstance(shape, Stamp) and shape.faint < 1 for shape in more)


@pytest.mark.parametrize(
    ("key", "options", "moves"),
    [
        ("carnac", {"board": "small"}, ["c3wr", "tilt N"]),
        ("carnac", {"board": "small"}, ["c3wr", "stand"]),
        ("kwatro", {"players": 2}, None),
    ],
)
def test_moves_of_other_games_are_ringed(
    key: str, options: dict[str, Any], moves: list[str] | None
) -> None:
    match = kwartet.new(key, seed=2, **options)
    for move in moves or [next(move for move in match.legal() if "@" in move)]:
        match.play(move)
    without = scene(match, Look(), Marks(last=False)).picture.shapes
    assert len(scene(match, Look()).picture.shapes) == len(without) + 2


def test_a_match_that_was_set_up_is_drawn_without_its_past() -> None:
    match = after("kwatro", 20, players=2)
    assert_sound(as_svg(tall(scene(match.imagined(0, 5), Look(0))), Look()))


@pytest.mark.parametrize(
    "name", ["<script>", 'a"b&c', "  ", "Ж日本🎲", "e\u0301", "x" * 500, "a\u202eb", "\x07bell"]
)
def test_names_are_anybody_s_words(name: str) -> None:
    match = after("connect_four", 4)
    look = Look(names=[name, "Bob"], longest=200)
    told = scene(match, look)
    for canvas in (tall(told), wide(told)):
        assert_sound(as_svg(canvas, look))
        assert image(as_png(canvas, look)).size == size_of(canvas, 200)


def test_themes_and_languages_differ() -> None:
    match = after("carat", 30, players=2)
    drawn = {
        (theme, language): as_svg(tall(scene(match, look)), look)
        for theme in ("light", "dark")
        for language in ("en", "nl", "de", "fr")
        for look in [Look(theme=theme, language=language)]
    }
    assert len(set(drawn.values())) == len(drawn)


def test_letters_are_measured_and_cut_to_their_room() -> None:
    assert width_of("", 1) == 0
    assert width_of("mm", 2) == pytest.approx(4 * width_of("m", 1))
    assert shortened("Ann", 1, 10) == "Ann"
    short = shortened("Bartholomew", 1, 3)
    assert short.endswith("…")
    assert width_of(short, 1) <= 3
    assert glyph("ż", bold=True) == glyph("ż", bold=False)
    assert glyph("日", bold=False) is None


def test_what_is_stamped_is_defined_once() -> None:
    art = {
        "dot": Art([Disc(0, 0, 1, "#ff0000")]),
        "pair": Art([Stamp("dot", 0, 0), Stamp("dot", 3, 0)], "M0 0H9V9Z"),
        "unused": Art([Label(0, 0, "x", 1)]),
    }
    picture = Picture(9, 9, [Stamp("pair", 1, 1, 0.5, 90, 0.4), Stamp("dot", 5, 5)], art=art)
    text = svg(canvas_of(picture))
    assert_sound(text)
    assert text.count("<circle") == 1
    assert "unused" not in text
    assert 'opacity="0.4"' in text


@every_game
def test_a_film_has_a_frame_for_each_decision(key: str, options: dict[str, Any]) -> None:
    match = after(key, 16, **options)
    plies = stops(match)
    assert plies[-1] == match.ply
    counted: list[int] = []
    made = Image.open(
        io.BytesIO(film(match, Look(longest=160), plies, 0.5, lambda: counted.append(1)))
    )
    assert len(counted) == len(plies)
    assert made.size[0] == 160 or made.size[1] == 160
    lasting = []
    for frame in range(made.n_frames):  # type: ignore[attr-defined]
        made.seek(frame)
        lasting.append(made.info["duration"])
    assert lasting == [500] * (len(plies) - 1) + [1500]


@pytest.mark.parametrize("key", ["carat", "kwatro"])
def test_each_frame_of_a_film_is_the_board_as_it_is_drawn(key: str) -> None:
    match, look = after(key, 6), Look(longest=200)
    plies = [ply for ply in range(match.ply + 1) for _ in (0, 1)]  # each twice: nothing changes
    made = Image.open(io.BytesIO(film(match, look, plies, 0.5)))
    room, past = room_of(match, look), match.beginning()
    for number, ply in enumerate(plies):
        past.follow(match.moves[past.ply : ply])
        drawn = image(as_png(tall(scene(past, look, room=room)), look))
        made.seek(number)
        error = np.abs(np.asarray(made.convert("RGB"), int) - np.asarray(drawn, int))
        assert np.mean(error.max(axis=2) > 40) < 0.005, ply


def test_a_film_holds_few_frames_at_a_time() -> None:
    match = after("kwatro", 30)
    held: list[int] = []

    def count() -> None:
        # By type: other tests leave objects about whose attributes raise.
        held.append(sum(issubclass(type(each), Image.Image) for each in gc.get_objects()))

    film(match, Look(longest=100), stops(match), 0.5, count)
    assert len(held) > 10
    assert max(held) <= min(held) + 2


def test_art_and_letters_are_as_the_page_draws_them() -> None:
    command = [sys.executable, str(ROOT / "tools/art.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
