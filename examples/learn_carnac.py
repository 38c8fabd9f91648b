"""Learns Carnac by playing against itself in the batch environment, with torch on the CPU.

    pip install 'kwartet[torch]'
    python -m examples.learn_carnac --minutes 60 --plot curve.svg

Nothing is told to it but the rules: what it sees, what it may do, who has won, and that a board
turned over is the same board. Of the moves it likes best it plays the one that it
then expects the most of, and is judged against the levels of Kwartet's own bots.
"""

import argparse
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import nn

import kwartet
from examples.ppo import Curve, Habits, School, Sight, among, draw
from kwartet.core.match import Match
from kwartet.envs import batch

GAME: Final = "carnac"
LANES: Final = 256  # matches side by side
RATED: Final = 100  # matches against `casual` for a point of the curve
POINTS: Final = 8  # of the curve
HABITS: Final = Habits(epochs=1, curiosity=0.03)  # matches cost less than learning from them
LIKED: Final = 8  # actions that it thinks over
TITLE: Final = "Carnac, learned from the batch by playing against itself"
PLANES, LARGEST = 6, (9, 14)  # of an observation's board, which is the same on every board
FACES, TILTS, STAND = 4, 504, 508  # ways to raise a stone; actions (docs/games/carnac.md)
TILTING, STOCK = 757, 758  # numbers of an observation that tell more than the planes
CHANNELS: Final = 32


def sight_of(rows: int, columns: int) -> Sight:
    """The squares of a small board, turned over in four ways; actions name own and other colour.

    Inputs are planes, whether to tilt, and the stock; outputs are squares × faces, N E S W, stand.
    """
    squares = np.arange(np.prod(LARGEST)).reshape(LARGEST)[:rows, :columns]
    numbers: list[Any] = []
    actions: list[Any] = []
    for south, east in product((1, -1), repeat=2):
        turned = squares[::south, ::east].reshape(-1)
        planes = np.add.outer(np.arange(PLANES) * np.prod(LARGEST), turned)
        numbers.append([*planes.reshape(-1), TILTING, STOCK])
        tilts = TILTS + np.array([1 - south, 2 - east, 1 + south, 2 + east])
        actions.append([])
        for seat in range(2):  # an action names red and white; of white, red is the other colour
            faces = np.arange(FACES) ^ (FACES - 1) * seat
            places = np.add.outer(turned * FACES, faces).reshape(-1)
            actions[-1].append([*places, *tilts, STAND])
    return Sight(torch.tensor(np.array(numbers)), torch.tensor(np.array(actions)))


class Player(nn.Module):  # type: ignore[misc]
    """Looks at every square and its surroundings, then at the whole."""

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__()
        self.shape = (PLANES, rows, columns)
        self.squares = nn.Sequential(
            nn.Conv2d(PLANES, CHANNELS, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1),
            nn.ReLU(),
        )
        self.whole = nn.Sequential(nn.Linear(CHANNELS * rows * columns + 2, 128), nn.ReLU())
        self.places = nn.Conv2d(CHANNELS, FACES, 1)
        self.policy = nn.Linear(128, FACES * rows * columns + STAND - TILTS + 1)
        self.value = nn.Linear(128, 1)
        self.to(memory_format=torch.channels_last)  # quicker on a CPU

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Any, torch.Tensor]:
        """A distribution over the legal actions, and the result that the seat to act expects."""
        board, rest = seen[:, :-2], seen[:, -2:]
        around = self.squares(board.unflatten(1, self.shape))
        whole = self.whole(torch.cat([around.flatten(1), rest], 1))
        places = self.places(around).permute(0, 2, 3, 1).flatten(1)
        logits = self.policy(whole) + nn.functional.pad(places, (0, STAND - TILTS + 1))
        return among(logits, mask), self.value(whole)[:, 0].tanh()


def seen(match: Match, seat: int) -> torch.Tensor:
    """All that the seat sees."""
    parts = match.observation(seat).values()
    return torch.cat([torch.from_numpy(part).flatten() for part in parts])


@torch.no_grad()  # type: ignore[untyped-decorator]
def choose(player: Player, sight: Sight, match: Match) -> int:
    """Of the actions that the player likes best the one that it then expects the most of.

    It looks at everything in all ways.
    """
    actor = match.actor
    assert actor is not None
    mask = torch.zeros(STAND + 1, dtype=torch.bool)
    mask[torch.tensor(match.legal_actions())] = True
    names = sight.actions[:, actor]
    liked, _ = player(seen(match, actor)[sight.numbers], mask[names])
    together = torch.zeros(len(mask)).index_add_(0, names.flatten(), liked.probs.flatten())
    best = together.where(mask, -1).topk(min(LIKED, int(mask.sum()))).indices
    matches = [match.copy() for _ in best]
    for after, action in zip(matches, best.tolist(), strict=True):
        after.play(action)
    return int(best[outlook(player, sight, matches, actor).argmax()])


def outlook(player: Player, sight: Sight, matches: list[Match], seat: int) -> torch.Tensor:
    """The result that the seat expects of each of these matches."""
    seats = [seat if match.actor is None else match.actor for match in matches]
    shown = torch.stack([seen(*each)[sight.numbers] for each in zip(matches, seats, strict=True)])
    anything = torch.ones(shown.shape[:2].numel(), sight.actions.shape[-1], dtype=torch.bool)
    _, values = player(shown.flatten(0, 1), anything)
    means = values.unflatten(0, shown.shape[:2]).mean(1)
    found = torch.where(torch.tensor(seats) == seat, means, -means)
    for number, match in enumerate(matches):
        if match.actor is None:
            found[number] = match.returns()[seat]
    return found


def judge(
    player: Player, sight: Sight, name: str, board: str, seed: int, matches: int
) -> tuple[float, float]:
    """The share that it wins against a bot, half of the matches in each seat; its error."""
    shares = torch.zeros(matches)
    for number in range(matches):
        match, bot = kwartet.new(GAME, board=board), kwartet.bot(name, seed=seed + number)
        while match.actor is not None:
            is_own = match.actor == number % 2
            match.play(choose(player, sight, match) if is_own else bot.choose(match))
        shares[number] = (match.returns()[number % 2] + 1) / 2
    return shares.mean().item(), shares.std().item() / matches**0.5


def train(board: str, minutes: float, seed: int, threads: int) -> tuple[Player, Sight, Curve]:
    """A player after so many minutes of CPU time, and what it won of `casual` on the way."""
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    view = kwartet.new(GAME, board=board).view(None)
    size = view["rows"], view["columns"]
    player, sight = Player(*size), sight_of(*size)
    curve: Curve = []
    with batch(GAME, LANES, seed, threads=threads, board=board) as made:
        school = School(player, made, sight, minutes, HABITS)
        while school.go_on():
            if school.passed < minutes * (len(curve) + 1) / POINTS:
                continue
            share, _ = judge(school.average, sight, "casual", board, seed, RATED)
            curve.append((school.passed, share))
            print(f"{school.passed:5.1f} min {school.decisions:11,} decisions: {share:6.1%}")
    return school.average, sight, curve


def main() -> None:
    """Train, judge, draw."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--board", choices=("small", "medium", "large"), default="small")
    options.add_argument("--minutes", type=float, default=60, help="Of CPU time.")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--plot", type=Path, help="Draw the curve, .svg or .png.")
    options.add_argument("--keep", type=Path, help="Keep the network's weights, .pt.")
    chosen = options.parse_args()
    player, sight, curve = train(chosen.board, chosen.minutes, chosen.seed, chosen.threads)
    if chosen.keep:
        torch.save(player.state_dict(), chosen.keep)
    for name in ("casual", "novice", "skilled"):
        share, error = judge(player, sight, name, chosen.board, chosen.seed + 1000, 400)
        print(f"{share:.1%} ± {error:.1%} against {name}")
    if chosen.plot:
        what = f"share of {RATED} matches against casual"
        draw(curve, {"even": 0.5}, TITLE, what, chosen.plot)


if __name__ == "__main__":
    main()
