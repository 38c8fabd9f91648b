"""A moment of chance: what its outcome was worth against what was to be expected.

Worths are those of the true state, which hides nothing: a tile that only one seat sees is
that seat's luck, and the others' in so far as it changes what they come to. All outcomes are
played on alike, so that luck averages out to 0 whatever playing on is worth; the one that came
as often as all of them together, because its worth is all of one side of the difference, and
with the same later luck as they, because only the outcome is to differ.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from kwartet.core import engine
from kwartet.core.chance import generator
from kwartet.core.game import MAX_SEATS
from kwartet.reviews.care import Care
from kwartet.reviews.decisions import STREAMS
from kwartet.reviews.finding import Finding, rows_of
from kwartet.reviews.judge import Judge
from kwartet.reviews.measuring import Guide, Worths, draw, roll
from kwartet.reviews.story import Story

FEWEST: Final = 4  # matches played on after any outcome
GLANCE: Final = 24  # matches played on for a first sight


class Chances:
    """Tells the luck of one match."""

    def __init__(self, story: Story, judge: Judge, care: Care, seed: int) -> None:
        self._story, self._judge, self._care, self._seed = story, judge, care, seed
        self._scratch = story.start.copy()
        knowledge = story.game.knowledge
        self._guide = Guide(
            judge.weights,
            np.zeros(knowledge.notes, np.int32),
            np.zeros(knowledge.max_features, np.int32),
        )

    def find(self, ply: int) -> Finding:
        """The luck of this ply."""
        story, came = self._story, self._story.moves[ply]
        outcomes, weights, sampled = self._outcomes(ply)
        if self._judge.solution is not None:
            actions = [int(action) for (action,) in outcomes]
            worths = self._judge.solution.worths(story.states[ply], actions)
            after = worths[actions.index(came[0])]
        else:
            each = max(FEWEST, self._care.rolls // len(outcomes))
            worths = self._play_on(ply, outcomes, each)
            after = self._play_on(ply, np.array([came], np.int32), each * len(outcomes))[0]
        before = np.tensordot(weights / weights.sum(), worths, 1)
        return Finding(
            ply,
            rows_of(before),
            rows_of(after),
            error=(0.0, 0.0),
            exact=self._judge.solution is not None and story.seats == 1,
            outcomes=len(outcomes),
            sampled=sampled,
        )

    def expect(self, ply: int) -> Finding:
        """What the position before this ply is worth; chance acts there."""
        if self._judge.solution is None:
            none = np.empty((1, 0), np.int32)
            worth, is_exact = self._play_on(ply, none, self._care.rolls)[0], False
        else:
            outcomes, weights, _ = self._outcomes(ply)
            actions = [int(action) for (action,) in outcomes]
            worths = self._judge.solution.worths(self._story.states[ply], actions)
            worth, is_exact = np.tensordot(weights / weights.sum(), worths, 1), True
        rows = rows_of(worth)
        return Finding(
            ply,
            rows,
            rows,
            error=(0.0, 0.0),
            exact=is_exact and self._story.seats == 1,
            is_judged=False,
        )

    def glance(self, ply: int) -> Worths:
        """What the seats may come to before this ply, at first sight."""
        worths: Worths = self._play_on(ply, np.empty((1, 0), np.int32), GLANCE)[0]
        return worths

    def _play_on(
        self, ply: int, rows: npt.NDArray[np.int32], rolls: int
    ) -> npt.NDArray[np.float64]:
        """By row of actions, seat and scale: what comes of them, played on quickly."""
        out = np.zeros((len(rows), MAX_SEATS, 2))
        luck = generator(self._seed, ply * STREAMS)
        roll(self._story.states[ply], rows, self._scratch, self._guide, luck, rolls, out)
        return out[:, : self._story.seats]

    def _outcomes(self, ply: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], bool]:
        """What could have come up, how likely each was, and whether it is a sample."""
        story = self._story
        length = len(story.moves[ply]) if ply < len(story.moves) else 1
        legal = story.legal_actions(ply)
        is_solved = self._judge.solution is not None
        if length == 1 and (is_solved or len(legal) <= self._care.outcomes):
            actions = np.array(legal, np.int32)
            weights = np.empty(len(actions), np.int64)
            engine.chance_weights(story.states[ply], actions, weights)
            return actions[:, None], weights.astype(np.float64), False
        luck = generator(self._seed, ply * STREAMS + 2)
        rows = np.empty((self._care.outcomes, length), np.int32)
        for row in rows:
            draw(story.states[ply], self._scratch, luck, row)
        return rows, np.ones(len(rows)), True
