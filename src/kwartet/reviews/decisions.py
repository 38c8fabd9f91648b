"""A decision, judged with what the seat knew that made it.

Looked up where the game is solved, proved where the ending is small and open. Else the judge
searches the position once to find the moves worth weighing, its own choice first; then
these and the move played are each searched as often and as long, with the same luck. The
loss is the difference of these later searches alone, so it is not flattered by having been
picked, and where two moves are as good it comes out a little above or below 0.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from kwartet.bots.workspace import make_workspace
from kwartet.core.chance import Generator, generator
from kwartet.core.engine import States
from kwartet.core.game import MAX_SEATS, Game
from kwartet.reviews.care import Care
from kwartet.reviews.endings import Endings
from kwartet.reviews.finding import Finding, Weighed, rows_of
from kwartet.reviews.judge import Judge
from kwartet.reviews.measuring import NOTHING, POINTS, WIN, Worths, measure
from kwartet.reviews.reasons import Reasons
from kwartet.reviews.story import Story

STREAMS: Final = 1024  # of luck, for each ply
SCREEN: Final = STREAMS - 1  # the stream of the search that finds the moves worth weighing
WHY: Final = STREAMS - 2  # the stream of reasons
SETTLING: Final = 0.5  # of what moves while a search goes on, as a variance
CAPACITY: Final = 4_000_000  # nodes of a tree at most


class Decisions:
    """Judges the decisions of one match."""

    def __init__(self, story: Story, judge: Judge, care: Care, seed: int) -> None:
        self._story, self._judge, self._care, self._seed = story, judge, care, seed
        simulations = judge.simulations_for(care.effort)
        self._meter = Meter(story.game, judge, simulations, simulations * care.screening)
        self._reasons = Reasons(story.game)
        self._endings = Endings(story.game, care.nodes)

    def find(self, ply: int) -> Finding:
        """Judge the decision at this ply."""
        (played,) = self._story.moves[ply]
        return self.judge(ply, played)

    def expect(self, ply: int) -> Finding:
        """What the position before this ply is worth, as if the judge's choice were played."""
        return replace(self.judge(ply, None), best="", options=(), is_judged=False)

    def judge(self, ply: int, action: int | None) -> Finding:
        """Judge an action there, legal and whether it was played or not; None: the judge's own."""
        story = self._story
        legal = story.legal_actions(ply)
        if self._judge.solution is not None:
            return self._look_up(ply, action, legal)
        known, seat = story.redacted(ply), story.actors[ply]
        tried = legal[0] if action is None else action
        solved = self._endings.solve(known, seat, story.seats, tried)
        if solved is not None:
            best, before, after = solved
            if action is None:
                tried, after = best, before
            return self._exact(ply, best, before, tried, after, len(legal) == 1)
        return self._measured(ply, action, legal)

    def _look_up(self, ply: int, action: int | None, legal: list[int]) -> Finding:
        story, seat = self._story, self._story.actors[ply]
        worths = self._judge.solution.worths(story.states[ply], legal)
        order = np.lexsort((worths[:, seat, POINTS], worths[:, seat, self._scale]))[::-1]
        tried = legal[order[0]] if action is None else action
        chosen = legal.index(tried)
        decisive = worths[:, seat, self._scale]
        best = chosen if decisive[chosen] == decisive[order[0]] else int(order[0])
        options = [int(index) for index in order[: self._care.options]]
        options += [chosen] * (chosen not in options)
        return Finding(
            ply,
            before=rows_of(worths[best]),
            after=rows_of(worths[chosen]),
            error=(0.0, 0.0),
            exact=story.seats == 1,
            best=story.name(ply, legal[best]),
            options=self._options(
                ply, [(legal[i], worths[i]) for i in options], legal[best], tried
            ),
            is_forced=len(legal) == 1,
        )

    @property
    def _scale(self) -> int:
        """What decides: the result, or alone the points."""
        return POINTS if self._story.seats == 1 else WIN

    def _exact(
        self, ply: int, best: int, before: Worths, played: int, after: Worths, is_forced: bool
    ) -> Finding:
        story = self._story
        return Finding(
            ply,
            rows_of(before[: story.seats]),
            rows_of(after[: story.seats]),
            (0.0, 0.0),
            exact=True,
            best=story.name(ply, best),
            options=self._options(ply, [*{best: before, played: after}.items()], best, played),
            is_forced=is_forced,
        )

    def _measured(self, ply: int, action: int | None, legal: list[int]) -> Finding:
        story, seat, care = self._story, self._story.actors[ply], self._care
        known = story.redacted(ply)
        if len(legal) == 1:
            options = legal
        else:
            luck = generator(self._seed, ply * STREAMS + SCREEN)
            options = self._meter.screen(known, seat, luck, care.options)[0]
        tried = options[0] if action is None else action
        weighed = options + [tried] * (tried not in options)
        first = ply * STREAMS
        halves = np.array(
            [
                [
                    self._meter.halves(known, seat, option, generator(self._seed, first + number))
                    for number in range(care.searches)
                ]
                for option in weighed
            ]
        )[:, :, :, : story.seats]  # by action, search, half, seat and scale
        means = halves.mean(axis=(1, 2))
        chosen = weighed.index(tried)
        return Finding(
            ply,
            rows_of(means[0]),
            rows_of(means[chosen]),
            error=_error(halves[:, :, :, seat], chosen, story.game.knowledge.doubt),
            exact=False,
            best=story.name(ply, weighed[0]),
            options=self._options(ply, list(zip(weighed, means, strict=True)), weighed[0], tried),
            is_forced=len(legal) == 1,
        )

    def _options(
        self, ply: int, weighed: Sequence[tuple[int, Worths]], best: int, tried: int
    ) -> tuple[Weighed, ...]:
        """The moves that were weighed, with reasons for the best one and for the one tried."""
        story, seat = self._story, self._story.actors[ply]
        asked = [best] + [tried] * (tried != best)
        luck = generator(self._seed, ply * STREAMS + WHY)
        reasons = dict(
            zip(asked, self._reasons.tell(story.redacted(ply), seat, asked, luck), strict=True)
        )
        return tuple(
            (
                story.name(ply, action),
                (float(worths[seat, WIN]), float(worths[seat, POINTS])),
                reasons.get(action),
            )
            for action, worths in weighed
        )


class Meter:
    """The judge's search, with its memory."""

    def __init__(self, game: Game, judge: Judge, simulations: int, screening: int) -> None:
        self._judge, self._simulations, self._screening = judge, simulations, screening
        nodes = (max(simulations, screening) + 2) * game.rules.MAX_LEGAL
        self._work = make_workspace(game, min(nodes, CAPACITY))
        rows = max(game.rules.ACTIONS, game.rules.CHANCE_ACTIONS)
        self._visits = np.zeros(rows, np.int64)

    def screen(
        self, known: States, seat: int, luck: Generator, count: int
    ) -> tuple[list[int], list[float]]:
        """So many actions that are worth weighing, the judge's choice first, and their shares."""
        self._visits[:] = 0
        self._search(known, seat, NOTHING, luck, self._screening)
        order = np.argsort(-self._visits, kind="stable")[:count]
        tried = [int(action) for action in order if self._visits[action]]
        return tried, [float(self._visits[action] / self._visits.sum()) for action in tried]

    def halves(self, known: States, seat: int, action: int, luck: Generator) -> Worths:
        """What an action leaves each seat, by the two halves of a search."""
        return self._search(known, seat, action, luck, self._simulations)

    def _search(
        self, known: States, seat: int, action: int, luck: Generator, simulations: int
    ) -> Worths:
        halves = np.zeros((2, MAX_SEATS, 2))
        judge = self._judge
        measure(
            self._work,
            known,
            seat,
            action,
            judge.weights,
            judge.network,
            judge.settings,
            luck,
            simulations,
            self._visits,
            halves,
        )
        return halves


def _error(halves: Worths, chosen: int, doubt: float) -> tuple[float, float]:
    """How far the loss may be off, as a standard error: three doubts, added as squares.

    How much the searches differ; how much the differences still move while a search goes on;
    and by how much the judge's choice seems to be beaten by another of the moves weighed. All
    of it as many times as the game is known to deceive its judge. A choice that was played is
    doubted as against the next.
    """
    if len(halves) == 1:
        return 0.0, 0.0
    differences = halves[0] - halves[1:]  # by rival, search, half and scale
    spread = differences.mean(axis=2).var(axis=1, ddof=1) / halves.shape[1]
    moves = (differences[:, :, 1] - differences[:, :, 0]).mean(axis=1)
    beaten = np.minimum(differences.mean(axis=(1, 2)), 0.0).min(axis=0)
    doubts = spread[max(chosen - 1, 0)] + SETTLING * (moves**2).max(axis=0) + beaten**2
    win, points = doubt * np.sqrt(doubts)
    return float(win), float(points)
