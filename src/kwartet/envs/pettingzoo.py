"""The games as PettingZoo environments: `env` for the AEC API, `parallel_env` for the other.

Agents are `seat_0`, `seat_1`, … In none of the games do seats act at the same time, so AEC
is the natural one. In the parallel one all seats observe every step, and the actions of
those that are not to act are ignored; their masks are empty.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from kwartet.core.errors import GameError
from kwartet.core.game import Game
from kwartet.envs.episode import Episode, Observation
from kwartet.envs.rendering import MODES, check_mode, render
from kwartet.envs.spaces import action_space, observation_space

Image = npt.NDArray[np.uint8]


class _Table:
    """What both kinds of environment have: seats with spaces, a match, a picture of it."""

    metadata: dict[str, Any]
    episode: Episode
    agents: list[str]

    def _lay(
        self,
        game: str | Game,
        render_mode: str | None,
        reward: str | None,
        illegal: str,
        options: dict[str, Any],
    ) -> None:
        self.episode = Episode(game, reward, illegal, options)
        self.render_mode = check_mode(render_mode)
        found = self.episode.game
        self.metadata = {
            "name": f"kwartet_{found.key}_v{found.version}",
            "render_modes": list(MODES),
            "render_fps": 2,
            "is_parallelizable": False,  # by PettingZoo's conversion; see `parallel_env`
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.episode.seats)]
        self.agents = []
        self._luck, _ = seeding.np_random()
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: observation_space(found) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: action_space(found) for agent in self.possible_agents
        }

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._luck, _ = seeding.np_random(seed)
        self.episode.begin(int(self._luck.integers(1 << 62)))
        self.agents = self.possible_agents[:]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every seat."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every seat."""
        return self.action_spaces[agent]

    def render(self) -> str | Image | None:
        """What the seat to act sees, a spectator at the end, in the way of `render_mode`."""
        seat = None if self.episode.ended else self.episode.actor
        return render(self.episode.match, seat, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


class MatchAEC(_Table, AECEnv):  # type: ignore[misc]
    """One match after the other, seat by seat."""

    def __init__(
        self,
        game: str | Game,
        *,
        render_mode: str | None = None,
        reward: str | None = None,
        illegal: str = "raise",
        **options: Any,
    ) -> None:
        super().__init__()
        self._lay(game, render_mode, reward, illegal, options)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; the same seed gives the same luck."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.episode.actor]

    def observe(self, agent: str) -> Observation:
        """What the seat sees, and its mask."""
        return self.episode.observation(self.possible_agents.index(agent))

    def step(self, action: Any) -> None:
        """Play the selected seat's action; when the match is over, None takes a seat away."""
        if not self.agents:
            raise GameError("game-over", "No match is running; call reset to begin one.")
        if self.terminations[self.agent_selection]:
            if action is not None:
                raise GameError("game-over", "The match is over; the only action left is None.")
            self._was_dead_step(action)
            return
        self.episode.play(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict(zip(self.agents, self.episode.rewards, strict=True))
        self._accumulate_rewards()
        if self.episode.ended:
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
        else:
            self.agent_selection = self.agents[self.episode.actor]
        if self.render_mode == "human":
            self.render()


class MatchParallel(_Table, ParallelEnv):  # type: ignore[misc]
    """One match after the other; every seat observes every step, one of them acts."""

    def __init__(
        self,
        game: str | Game,
        *,
        render_mode: str | None = None,
        reward: str | None = None,
        illegal: str = "raise",
        **options: Any,
    ) -> None:
        self._lay(game, render_mode, reward, illegal, options)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match; the same seed gives the same luck."""
        self._begin(seed)
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Play the action of the seat to act; GameError if there is none."""
        if not self.agents:
            raise GameError("game-over", "No match is running; call reset to begin one.")
        acting = self.possible_agents[self.episode.actor]
        if acting not in actions:
            raise GameError("illegal-move", f"{acting} is to act and has no action.")
        self.episode.play(actions[acting])
        told = (
            self._observations(),
            dict(zip(self.agents, self.episode.rewards, strict=True)),
            dict.fromkeys(self.agents, self.episode.ended),
            dict.fromkeys(self.agents, False),
            self._infos(),
        )
        if self.episode.ended:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return told

    def _observations(self) -> dict[str, Observation]:
        return {agent: self.episode.observation(seat) for seat, agent in enumerate(self.agents)}

    def _infos(self) -> dict[str, dict[str, Any]]:
        actor = None if self.episode.ended else self.episode.actor
        return {agent: {"to_act": seat == actor} for seat, agent in enumerate(self.agents)}


env = MatchAEC
parallel_env = MatchParallel
