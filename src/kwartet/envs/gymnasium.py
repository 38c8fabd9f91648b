"""The games as Gymnasium environments: one seat is yours, bots have the others.

`import kwartet.envs.gymnasium` registers `kwartet/carnac-v1` and so on, the number being the
version of the rules; `gymnasium.make_vec` makes many at once from the compiled batch.
"""

from typing import Any, Final, Literal

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from kwartet.bots.bot import Bot, ask, turn_of
from kwartet.bots.catalogue import create
from kwartet.core.errors import GameError, quoted
from kwartet.core.game import Game
from kwartet.envs.batches import Step, batch
from kwartet.envs.episode import Episode, Observation
from kwartet.envs.rendering import MODES, check_mode, render
from kwartet.envs.spaces import action_space, observation_space
from kwartet.games import GAMES

SEEDS: Final = 1 << 62
PICTURES: Final[dict[str, Any]] = {"render_modes": list(MODES), "render_fps": 2}


class MatchEnv(gymnasium.Env[Any, Any]):
    """One match after the other, from one seat."""

    metadata = PICTURES

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: str = "novice",
        seat: int | None = None,
        render_mode: str | None = None,
        reward: str | None = None,
        illegal: str = "raise",
        **options: Any,
    ) -> None:
        """The bot `opponent` has all other seats; without a `seat` of yours it is drawn."""
        self.episode = Episode(game, reward, illegal, options)
        found = self.episode.game
        if seat is not None and seat not in range(self.episode.seats):
            raise GameError(
                "unknown-seat",
                f"There is no seat {quoted(seat)}; seats are 0 to {self.episode.seats - 1}.",
            )
        create(opponent, found)  # GameError now rather than in the first match
        self.opponent = opponent
        self.render_mode = check_mode(render_mode)
        self.observation_space = observation_space(found)
        self.action_space = action_space(found)
        self._wanted = seat
        self.seat = seat or 0
        self._bots: dict[int, Bot] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a match, up to your first decision; the same seed gives the same luck."""
        super().reset(seed=seed)
        while True:
            seats = self.episode.seats
            drawn = int(self.np_random.integers(seats))
            self.seat = drawn if self._wanted is None else self._wanted
            self._bots = {
                other: create(self.opponent, self.episode.game, options=self.episode.options)
                for other in range(seats)
                if other != self.seat
            }
            self.episode.begin(int(self.np_random.integers(SEEDS)))
            self._answer()
            if not self.episode.ended:  # else it was over before you were asked
                return self.episode.observation(self.seat), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play your action, then what the others do until you are to act again."""
        self.episode.play(action)
        reward = self.episode.rewards[self.seat] + self._answer()
        if self.render_mode == "human":
            self.render()
        ended = self.episode.ended
        return self.episode.observation(self.seat), float(reward), ended, False, self._info()

    def render(self) -> Any:
        """What your seat sees, in the way of `render_mode`."""
        return render(self.episode.match, self.seat, self.render_mode)

    def _answer(self) -> float:
        """Let the others act until you are to; return what that earns you."""
        reward = 0.0
        while not self.episode.ended and self.episode.actor != self.seat:
            turn = turn_of(self.episode.match, seed=int(self.np_random.integers(SEEDS)))
            self.episode.play(ask(self._bots[turn.seat], turn))
            reward += self.episode.rewards[self.seat]
        return reward

    def _info(self) -> dict[str, Any]:
        return {"seat": self.seat, "scores": self.episode.scores()}


class MatchVectorEnv(VectorEnv[Any, Any, Any]):
    """Many matches at once from one seat each, stepped by compiled code.

    The other seats play inside, `random` or `quick`; your seat changes from match to match.
    Observations are the batch's own arrays unless `copy`.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        *,
        opponent: Literal["random", "quick"] = "quick",
        threads: int = 1,
        reward: Literal["result", "points"] | None = None,
        illegal: Literal["raise", "end"] = "raise",
        copy: bool = True,
        **options: Any,
    ) -> None:
        self.batch = batch(
            game,
            num_envs,
            threads=threads,
            opponent=opponent,
            reward=reward,
            illegal=illegal,
            autoreset="next",
            **options,
        )
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}
        self.num_envs = num_envs
        self.copy = copy
        found = self.batch.game
        self.single_observation_space = observation_space(found)
        self.single_action_space = action_space(found)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._lanes = np.arange(num_envs)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a match on every lane; one seed gives all of them their luck."""
        if isinstance(seed, list):
            raise GameError("bad-seed", "One seed gives all matches their luck, not a list.")
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(SEEDS))
        return self._observation(self.batch.reset(seed)), self._info()

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play one action a lane; the lanes that were over begin anew instead."""
        seats = self.batch.now.actors.copy()
        now = self.batch.step(actions)
        rewards = now.rewards[self._lanes, seats].astype(np.float64)
        never = np.zeros(self.num_envs, np.bool_)
        return self._observation(now), rewards, now.dones.copy(), never, self._info()

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        self.batch.close()

    def _observation(self, now: Step) -> Observation:
        seen: Observation = {
            "observation": now.observations,
            "action_mask": now.masks.view(np.int8),
        }
        return {name: array.copy() for name, array in seen.items()} if self.copy else seen

    def _info(self) -> dict[str, Any]:
        return {"seat": self.batch.now.actors.copy()}


def register_all() -> None:
    """Let `gymnasium.make` find every game that is known now."""
    for game in GAMES.values():
        name = f"kwartet/{game.key}-v{game.version}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=f"{__name__}:{MatchEnv.__name__}",
                vector_entry_point=f"{__name__}:{MatchVectorEnv.__name__}",
                kwargs={"game": game.key},
            )


register_all()
