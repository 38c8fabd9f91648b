"""Writes web/src/games/<key>/lesson.ts: the positions of each game's introduction.

The page holds no rules, so whatever it teaches is played here: positions that go with the rules,
and a first match, step by step with the moves that are right and why others are not. Texts are
keys of the page's catalogue, written without `learn_<key>_`. `--check` only says whether a file
has drifted.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import kwartet
from kwartet.core.match import Match

GAMES: Final = Path(__file__).parents[1] / "web/src/games"
HEAD: Final = """\
// Written by `python tools/lessons.py` from the library; a test fails when it has drifted.
import * as m from '$messages';
import type { Lesson } from '$lib/lesson';

export default """
LEARNER: Final = 0  # the learner's seat


@dataclass(frozen=True)
class Ask:
    """The learner is to play one of `right`, or with `is_all` each of them in any order."""

    text: str
    right: tuple[str, ...]
    why: Callable[[Match, str], str]  # what to say to another legal move
    luck: tuple[str, ...] = ()  # follows the last of them
    is_all: bool = False


@dataclass(frozen=True)
class Show:
    """Something to look at, after moves of the opponent, of chance or of the learner."""

    text: str
    moves: tuple[str, ...] = ()


Beats = Sequence[Ask | Show]


class Steps:
    """The steps of a first match. Where several moves are right the ways part, and meet again
    as soon as the learner sees the same.
    """

    def __init__(self, match: Match, beats: Beats) -> None:
        self.beats = beats
        self.steps: list[dict[str, Any]] = []
        self._known: dict[tuple[int, str], int] = {}
        self._add(match, 0)

    def _add(self, match: Match, number: int) -> int | None:
        if number == len(self.beats):
            return None
        beat = self.beats[number]
        if isinstance(beat, Ask):
            return self._ask(match, number, beat)
        match.follow(beat.moves)
        known = (number, json.dumps(match.view(LEARNER)))
        if known not in self._known:
            self._known[known] = self._new(match, number, beat.text)
            step = self.steps[self._known[known]]
            step["next"] = self._add(match, number + 1)
        return self._known[known]

    def _ask(self, match: Match, number: int, ask: Ask) -> int:
        place = self._new(match, number, ask.text)
        step = self.steps[place]
        step["legal"] = match.legal()
        step["right"] = {}
        others = [move for move in match.legal() if move not in ask.right]
        step["wrong"], step["otherwise"] = _reasons(match, others, ask.why)
        for move in ask.right:
            if move in match.legal():
                after = match.copy()
                after.follow([move])
                left = tuple(other for other in ask.right if other != move)
                if ask.is_all and left:
                    step["right"][move] = self._ask(after, number, replace(ask, right=left))
                else:
                    after.follow(ask.luck)
                    step["right"][move] = self._add(after, number + 1)
        assert step["right"], f"{ask.text}: none of {ask.right} is legal"
        return place

    def _new(self, match: Match, number: int, text: str) -> int:
        self.steps.append({"beat": number, "text": f"@{text}", **position(match, LEARNER)})
        return len(self.steps) - 1


def _reasons(
    match: Match, moves: Iterable[str], why: Callable[[Match, str], str]
) -> tuple[list[dict[str, Any]], str | None]:
    """Sentences with the moves they answer; the one for most moves alone, without them."""
    by_reason = defaultdict(list)
    for move in moves:
        by_reason[why(match, move)].append(move)
    if not by_reason:
        return [], None
    common = max(by_reason, key=lambda reason: len(by_reason[reason]))
    rare = [{"text": f"@{r}", "moves": moves} for r, moves in by_reason.items() if r != common]
    return rare, f"@{common}"


def position(match: Match, seat: int | None) -> dict[str, Any]:
    """What a seat is sent, but for its legal moves."""
    return {"view": match.view(seat), "legal": [], "log": match.log(seat)}


def frames(match: Match, *parts: Sequence[str]) -> list[dict[str, Any]]:
    """What a watcher sees after each part of a match, the last of which goes on from the others."""
    seen = []
    for moves in parts:
        match.follow(moves)
        seen.append(position(match, None))
    return seen


def section(name: str, shown: list[dict[str, Any]]) -> dict[str, Any]:
    """A part of the rules with the positions that go with it."""
    return {"title": f"@{name}_title", "text": f"@{name}", "frames": shown}


def lesson(sections: list[dict[str, Any]], match: Match, beats: Beats, tips: int) -> dict[str, Any]:
    """All of a game's introduction."""
    return {
        "lead": "@lead",
        "sections": sections,
        "steps": Steps(match, beats).steps,
        "tips": [f"@tip_{number + 1}" for number in range(tips)],
    }


# Carat --------------------------------------------------------------------------------------


def _carat(chips: str, players: int, placements: str) -> list[list[str]]:
    """A match of Carat as parts that each end when a seat is to act.

    Tiles are drawn as they will be placed; whoever has none to come draws another one.
    """
    moves = placements.split()
    tiles = [_from_red(move) for move in moves]
    orders = ("RYBG", "RYGB", "RBYG", "RBGY", "RGYB", "RGBY")
    spare = [f"{value}{order}" for value in range(6, 0, -1) for order in orders]
    draws = tiles + [tile for tile in spare if tile not in tiles][:players]
    start = [f"*chips {chips}", *(f"*{tile}" for tile in draws[:players])]
    return [start] + [[move, f"*{draws[i + players]}"] for i, move in enumerate(moves)]


def _from_red(placement: str) -> str:
    value, colours = placement[3], placement[4:]
    red = colours.index("R")
    return value + colours[red:] + colours[:red]


def carat() -> dict[str, Any]:
    """Red for the learner, yellow for the opponent; blue and green are nobody's."""
    shown = _carat(
        "2234425234214231315553133144321545114314152425325",
        4,
        "c3=5YBRG d3=3BRYG c4=2RBGY d4=1YRGB e4=4GYBR d5=4GBYR e5=2GRYB c2=3RBYG c1=2GRBY d1=6BYGR",
    )
    table = kwartet.new("carat", auto_chance=False)
    start, one, two, three, four, five, six, tie, *way, edge = shown
    sections = [
        section("board", frames(table, start, one, two, three)),
        section("settle", frames(table, four)),
        section("tie", frames(table, five, six, tie)),
        section("edge", frames(table, [move for part in way for move in part], edge)),
    ]
    moves = (
        "c3=5YBRG d3=3BGRY c4=1RGYB c2=4YGBR d4=2BRGY e4=3RBGY d5=3YBRG b4=6YBGR e5=1GRYB b3=6RYGB"
    )
    start, *turns = _carat("2243423234214231315553135144321545114314152425325", 2, moves)
    match = kwartet.new("carat", players=2, auto_chance=False)
    match.follow(start)

    def ask(text: str, turn: int, corner: int, reasons: dict[str, str]) -> Ask:
        move, *luck = turns[turn]
        cell = move[:2]

        def why(_: Match, other: str) -> str:
            return reasons[other[4 + corner] if other[:2] == cell else "elsewhere"]

        return Ask(text, (move,), why, tuple(luck))

    north_west, north_east, south_east = range(3)
    first = dict.fromkeys("YBG", "first_turned") | {"elsewhere": "first_elsewhere"}
    colour = {
        "R": "colour_red",
        "Y": "colour_yellow",
        "B": "colour_blue",
        "elsewhere": "colour_elsewhere",
    }
    win = {"R": "win_red", "Y": "win_yellow", "G": "win_green", "elsewhere": "win_elsewhere"}
    level = {
        "R": "level_red",
        "Y": "level_yellow",
        "G": "level_green",
        "elsewhere": "level_elsewhere",
    }
    zero = {"R": "zero_red", "Y": "zero_yellow", "B": "zero_blue", "elsewhere": "zero_elsewhere"}
    beats: Beats = [
        ask("first", 0, south_east, first),
        Show("answer", tuple(turns[1])),
        ask("colour", 2, north_east, colour),
        Show("elsewhere", tuple(turns[3])),
        ask("win", 4, north_west, win),
        Show("won"),
        Show("threat", tuple(turns[5])),
        ask("level", 6, north_east, level),
        Show("levelled", tuple(turns[7])),
        ask("zero", 8, north_west, zero),
        Show("end"),
    ]
    return lesson(sections, match, beats, 4)


# Carnac -------------------------------------------------------------------------------------

FINISHED: Final = (
    "g1ww tilt_W f2wr tilt_E f2rw tilt_W a3ww tilt_S a3rw tilt_E b2wr h3rr tilt_S g4wr tilt_W f5rr "
    "tilt_W g5ww tilt_N b4rw tilt_E h3ww b4rr g1ww d3wr tilt_E f2rr d3ww b1rw stand c5ww a3wr "
    "tilt_N f5rr c1rr c2ww d1rw b5ww a3rw h1ww g5rr"
)


def _red_dolmens(match: Match) -> int:
    return match.scores()[LEARNER]


def _after(match: Match, move: str) -> Match:
    after = match.copy()
    after.follow([move])
    return after


def _replies(match: Match) -> list[Match]:
    """What the opponent may make of a stone; itself if it cannot fall."""
    falls = [move for move in match.legal() if move == "stand" or move.startswith("tilt")]
    return [_after(match, move) for move in falls] or [match]


def _small_board() -> Match:
    return kwartet.new("carnac", board="small")


def carnac() -> dict[str, Any]:
    """Red for the learner, on the small board."""
    finished = [move.replace("_", " ") for move in FINISHED.split()]
    sections = [
        section("stone", frames(_small_board(), ["d3rw"])),
        section("fall", frames(_small_board(), ["d3rw"], ["tilt E"], ["c3wr"], ["tilt S"])),
        section("dolmen", frames(_small_board(), finished[:20])),
        section("end", frames(_small_board(), finished)),
    ]

    def why_first(_: Match, move: str) -> str:
        if move[:2] != "c3":
            return "first_elsewhere"
        return "first_top" if move[2] == "w" else "first_side"

    def why_fall(_: Match, move: str) -> str:
        return "fall_stand" if move == "stand" else "fall_white"

    def why_three(match: Match, move: str) -> str:
        after = _after(match, move)
        if not _red_dolmens(after):
            return "three_white" if move[:2] == "b1" else "three_apart"
        return "three_tips"

    def why_break(_: Match, move: str) -> str:
        return "break_stand" if move == "stand" else "break_south"

    def why_second(match: Match, move: str) -> str:
        after = _after(match, move)
        if _red_dolmens(after) == 2:
            assert min(map(_red_dolmens, _replies(after))) < 2, f"{move} is right as well"
            return "second_tips"
        return "second_joined" if move[:3] == "c3r" else "second_apart"

    beats: Beats = [
        Ask("first", ("c3rr",), why_first),
        Show("answer", ("tilt N",)),
        Show("choice", ("b4ww",)),
        Ask("fall_try", ("tilt N",), why_fall),
        Ask("three", ("b1rr", "b1rw"), why_three),
        Show("made", ("c3wr",)),
        Ask("break", ("tilt E",), why_break),
        Ask("second", ("d2rr",), why_second),
        Show("tipped", ("tilt E",)),
        Show("last"),
    ]
    return lesson(sections, _small_board(), beats, 4)


# The Catan dice game ------------------------------------------------------------------------


def _always(reason: str, **special: str) -> Callable[[Match, str], str]:
    """One reason for all moves but those that begin with a special one's name."""

    def why(_: Match, move: str) -> str:
        return next((r for start, r in special.items() if move.startswith(start)), reason)

    return why


def _why_keep(needed: str, name: str) -> Callable[[Match, str], str]:
    def why(_: Match, move: str) -> str:
        if move == "stop":
            return f"{name}_stop"
        return f"{name}_less" if set(needed) - set(move[5:]) else f"{name}_more"

    return why


def catan_dice() -> dict[str, Any]:
    """Three turns next to one opponent."""
    alone = kwartet.new("catan_dice", auto_chance=False)
    sections = [
        section("sheet", frames(alone, ["*ogtb$$"])),
        section("roll", frames(alone, [], ["keep ogtb", "*ww"], ["stop"], ["S3"])),
        section(
            "knight",
            frames(
                alone,
                ["end", "*gwtb$$", "stop", "R0", "end", "*ogwtb$", "stop", "K1"],
                ["R1", "end", "*ooggt$", "stop"],
                ["joker 1 $"],
                ["C7"],
            ),
        ),
    ]
    match = kwartet.new("catan_dice", players=2, auto_chance=False)
    match.follow(["*oogwt$"])
    beats: Beats = [
        Ask("keep", ("keep gwt",), _why_keep("gwt", "keep"), ("*b$$",)),
        Ask("again", ("keep gwtb",), _why_keep("gwtb", "again"), ("*tb",)),
        Ask("build", ("S3", "R0"), _always("build_road", end="build_end"), is_all=True),
        Ask("finish", ("end",), _always("finish"), ("*ogwww$",)),
        Show("answer", ("stop", "K1", "end", "*ogwt$$")),
        Ask("stop", ("stop",), _always("stop_roll")),
        Ask(
            "knight_build",
            ("K1", "trade b", "R1"),
            _always("knight_trade", end="knight_end", R="knight_road", joker="knight_joker"),
            is_all=True,
        ),
        Show("cross", ("end", "*ooottt", "keep ooo", "*tt$", "keep ooo", "*ww$", "end", "*ooggt$")),
        Show("third", ("keep oogg", "*w$", "keep oogg", "*tb")),
        Ask(
            "joker",
            ("joker 1 t", "joker 1 b"),
            _always("joker_road", end="joker_end", joker="joker_grain"),
        ),
        Ask("city", ("C7",), _always("city_end")),
        Show("end", ("end", "*ogwtb$")),
    ]
    return lesson(sections, match, beats, 4)


# Kwatro -------------------------------------------------------------------------------------


def _why_lay(card: str, name: str) -> Callable[[Match, str], str]:
    """One's card in another place, another card, more cards than asked for, a pass."""

    def why(_: Match, move: str) -> str:
        if move.startswith("pass"):
            return "no_pass"
        if move == "done":
            return f"{name}_done"
        if move.startswith("swap"):
            return f"{name}_card"
        return f"{name}_place" if move.startswith(card) else f"{name}_card"

    return why


def kwatro() -> dict[str, Any]:
    """Three plays of the learner's: a line, a line of four, a joker."""
    shown = kwartet.new("kwatro", auto_chance=False)
    hands = ["*BX2", "*GC2", "*YS2", "*GT3", "*RC3", "*YC1", "*J", "*BT4", "*RT2"]
    sections = [
        section(
            "line",
            frames(shown, hands, ["BX2@1,0"], ["GC2@2,0"], ["done", "*YS1", "*RX4"]),
        ),
        section("play", frames(shown, ["RC3@2,1"], ["YC1@2,-1"], ["done", "*BS2", "*GC1"])),
        section("score", frames(shown, ["YS2@3,0"], ["GT3@3,-1"], ["done", "*GX1", "*YT4"])),
        section(
            "joker",
            frames(shown, ["J@2,2"], ["done", "*BC4"], ["pass", "swap BC4@2,2"]),
        ),
    ]
    match = kwartet.new("kwatro", auto_chance=False)
    match.follow(["*BS3", "*YS3", "*GS1", "*RC3", "*RT3", "*J", "*GX4", "*YT2", "*RS3"])
    enough = _always("enough")

    def why_four(match: Match, move: str) -> str:
        return "four_left" if move == "GS3@-1,0" else _why_lay("GS3", "four")(match, move)

    beats: Beats = [
        Ask("first", ("BS3@1,0",), _why_lay("BS3", "first")),
        Ask("second", ("YS3@2,0",), _why_lay("YS3", "second")),
        Ask("done", ("done",), enough, ("*GS3", "*BT1")),
        Show("answer", ("RT3@0,1", "done", "*BX1")),
        Ask("four", ("GS3@3,0",), why_four),
        Ask("cross", ("GS1@3,1", "GS1@3,-1"), _why_lay("GS1", "cross")),
        Ask("done_four", ("done",), enough, ("*YX4", "*BC2")),
        Show("joker_laid", ("J@0,2", "done", "*GT1")),
        Ask("swap", ("swap RC3@0,2",), _always("swap_first", **{"pass": "no_pass"})),
        Ask("column", ("J@0,3", "J@0,-1"), _why_lay("J", "column")),
        Ask("done_column", ("done",), enough, ("*YC4",)),
        Show("end"),
    ]
    return lesson(sections, match, beats, 4)


LESSONS: Final = {"carat": carat, "carnac": carnac, "catan_dice": catan_dice, "kwatro": kwatro}


def target(key: str) -> Path:
    """The file of a game's lesson."""
    return GAMES / key / "lesson.ts"


def generate(key: str) -> str:
    """A game's lesson as a module: data one line a position, texts by their names."""
    made = LESSONS[key]()
    fields = []
    for name, value in made.items():
        if name in ("sections", "steps"):
            lines = "".join(f"    {json.dumps(item)},\n" for item in value)
            fields.append(f"  {name}: [\n{lines}  ],\n")
        else:
            fields.append(f"  {name}: {json.dumps(value)},\n")
    text = re.sub(r'"@(\w+)"', rf"m.learn_{key}_\1", "".join(fields))
    return f"{HEAD}{{\n{text}}} as unknown as Lesson;\n"


def main() -> None:
    """Write the files, or with `--check` fail if one is not what would be written."""
    for key in LESSONS:
        generated = generate(key)
        if "--check" not in sys.argv:
            target(key).write_text(generated)
        elif not target(key).exists() or target(key).read_text() != generated:
            sys.exit(f"The lesson of {key} has drifted; run python tools/lessons.py")


if __name__ == "__main__":
    main()
