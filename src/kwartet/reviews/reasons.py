"""Why a move: what it scores, what the next seat can make of it, what it prepares.

Told from what the seat knows: worlds that it cannot tell apart are looked at, and figures are
means over them. Everything is in points. A game says in its `tactics` where points come from
(`SCORING`): from single moves, from whole turns, or from turns that nobody else can touch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.core import engine
from kwartet.core.chance import Generator, below, next_bits
from kwartet.core.engine import Actions, States
from kwartet.core.game import MAX_SEATS, Game
from kwartet.core.kernels import kernel
from kwartet.core.verbs import (
    CHANCE,
    actor,
    apply,
    candidates,
    determinize,
    likely_action,
    random_action,
    scores,
)

WORLDS: Final = 16  # that are looked at where something is hidden or drawn
REPLIES: Final = 8  # and where nothing is, for what the others may do meanwhile
OTHERS: Final = 8  # moves that tell what is usual, at most
LONGEST: Final = 32  # actions of a turn
_FAR: Final = 1 << 30
NOBODY: Final = -1
Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Reason:
    """What a move does, in points, as far as the seat could know."""

    gain: float  # what it scores at once; where whole turns score, with the best of the turn
    answer: float | None = None  # the most that the next seat can then score in its turn
    by: int | None = None  # which seat that is
    usual: float | None = None  # the same after an ordinary other move: the rest is prevented
    follow: float | None = None  # the most that one can score next oneself, if it stays open


class Memory(NamedTuple):
    """What looking for reasons writes on."""

    states: States  # a world, what becomes of it, a trial
    legal: Actions
    points: npt.NDArray[np.int32]


class Reasons:
    """Tells reasons in one game."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self._scoring = game.knowledge.scoring
        is_open = not rules.SECRETS and rules.CHANCE_ACTIONS == 0
        self._worlds, self._replies = (1, REPLIES) if is_open else (WORLDS, WORLDS)
        self._memory = Memory(
            np.zeros(3, rules.STATE),
            np.empty(rules.MAX_LEGAL, np.int32),
            np.zeros(MAX_SEATS, np.int32),
        )

    def tell(
        self, known: States, seat: int, actions: Sequence[int], luck: Generator
    ) -> list[Reason]:
        """The reasons of some of the seat's actions, given what it knows."""
        is_alone, by_turns = self._scoring == "alone", self._scoring != "moves"
        others = [] if is_alone else self._others(known, actions, luck)
        asked = np.array([*actions, *others], np.int32)
        gains, answers = np.zeros(len(asked)), np.zeros(0 if is_alone else len(asked))
        nexts = np.full(len(asked), NOBODY, np.int32)
        weigh(known, seat, asked, self._worlds, by_turns, self._memory, luck, gains, answers, nexts)
        follows = np.full(len(actions), np.nan)
        if not is_alone:
            follows[:] = 0.0
            prepare(known, seat, asked, self._replies, by_turns, self._memory, luck, follows)
        return [
            self._reason(index, len(actions), gains, answers, nexts, follows)
            for index in range(len(actions))
        ]

    def _reason(
        self,
        index: int,
        asked: int,
        gains: Numbers,
        answers: Numbers,
        nexts: npt.NDArray[np.int32],
        follows: Numbers,
    ) -> Reason:
        follow = None if np.isnan(follows[index]) else float(follows[index])
        if nexts[index] == NOBODY:
            return Reason(float(gains[index]), follow=follow)
        others = answers[asked:][nexts[asked:] == nexts[index]]
        return Reason(
            float(gains[index]),
            float(answers[index]),
            int(nexts[index]),
            float(median(others)) if len(others) else None,
            follow,
        )

    def _others(self, known: States, actions: Sequence[int], luck: Generator) -> list[int]:
        """Some of the legal actions besides these."""
        legal = self._memory.legal
        count = engine.legal_actions(known, legal)
        left = [action for action in legal[:count].tolist() if action not in actions]
        for place in range(min(OTHERS, len(left))):
            other = place + below(luck, len(left) - place)
            left[place], left[other] = left[other], left[place]
        return left[:OTHERS]


@kernel
def weigh(
    known: States,
    seat: int,
    actions: Actions,
    worlds: int,
    by_turns: bool,
    memory: Memory,
    master: Generator,
    gains: Numbers,
    answers: Numbers,
    nexts: npt.NDArray[np.int32],
) -> None:
    """Write what each action scores, who acts next if it is another, and the most that scores.

    Nobody answers without room for it. All actions meet the same worlds and the same draws.
    """
    state = memory.states[1]
    luck, draws = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for _ in range(worlds):
        _imagine(known, seat, memory, master, luck)
        for index in range(len(actions)):
            draws[0] = luck[0]
            memory.states[1] = memory.states[0]
            gains[index] += (
                _play(state, seat, int(actions[index]), by_turns, memory, draws) / worlds
            )
            while actor(state) == CHANCE:
                apply(state, random_action(state, draws))
            other = actor(state)
            if len(answers) > 0 and other >= 0 and other != seat:
                nexts[index] = other
                answers[index] += _harvest(state, other, by_turns, memory, draws) / worlds


@kernel
def prepare(
    known: States,
    seat: int,
    actions: Actions,
    worlds: int,
    by_turns: bool,
    memory: Memory,
    master: Generator,
    follows: Numbers,
) -> None:
    """Write for some first actions the most that the seat can score next, NaN if it cannot.

    Meanwhile the others play anything.
    """
    state = memory.states[1]
    luck, draws = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for _ in range(worlds):
        _imagine(known, seat, memory, master, luck)
        for index in range(len(follows)):
            draws[0] = luck[0]
            memory.states[1] = memory.states[0]
            _play(state, seat, int(actions[index]), by_turns, memory, draws)
            while actor(state) == CHANCE or (actor(state) >= 0 and actor(state) != seat):
                apply(state, random_action(state, draws))
            if actor(state) == seat:
                follows[index] += _harvest(state, seat, by_turns, memory, draws) / worlds
            else:
                follows[index] = np.nan


@kernel
def _imagine(known: States, seat: int, memory: Memory, master: Generator, luck: Generator) -> None:
    """Make a world that the seat cannot tell from the real one; its luck goes on in `luck`."""
    memory.states[0] = known[0]
    luck[0] = next_bits(master)
    determinize(memory.states[0], seat, luck)


@kernel
def _play(
    state: np.record, seat: int, action: int, by_turns: bool, memory: Memory, rng: Generator
) -> int:
    """Make a seat's action, and if whole turns score the rest of its turn; return the points."""
    before = _points(state, seat, memory)
    apply(state, action)
    if by_turns:
        _finish(state, seat, before, memory, rng)
    return _points(state, seat, memory) - before


@kernel
def _harvest(state: np.record, seat: int, by_turns: bool, memory: Memory, rng: Generator) -> int:
    """Play a seat's turn for points; return how many."""
    before = _points(state, seat, memory)
    if by_turns:
        _finish(state, seat, before, memory, rng)
        return _points(state, seat, memory) - before
    length = 0
    while actor(state) == seat and length < LONGEST:
        length += 1
        best, most = 0, -_FAR
        for index in range(candidates(state, memory.legal)):
            action = int(memory.legal[index])
            memory.states[2] = memory.states[1]
            apply(memory.states[2], action)
            points = _points(memory.states[2], seat, memory)
            if points > most:
                best, most = action, points
        apply(state, best)
    return _points(state, seat, memory) - before


@kernel
def _finish(state: np.record, seat: int, before: int, memory: Memory, rng: Generator) -> None:
    """Play on until a seat that had so many points has scored, or another is to act."""
    length = 0
    while length < LONGEST and _points(state, seat, memory) == before:
        length += 1
        acting = actor(state)
        if acting == CHANCE:
            apply(state, random_action(state, rng))
        elif acting == seat:
            apply(state, likely_action(state, rng))
        else:
            return


@kernel
def _points(state: np.record, seat: int, memory: Memory) -> int:
    scores(state, memory.points)
    return int(memory.points[seat])
