"""Learns to play the Catan dice game alone with MaskablePPO of sb3-contrib, through Gymnasium.

    pip install 'kwartet[envs]' sb3-contrib
    python -m examples.learn_with_sb3 --steps 400000

The environment offers observation and mask together; sb3-contrib asks for the mask by a method of
its own. That is all there is between the two.
"""

import argparse
import time
from typing import Any, Final

import gymnasium
import numpy as np
import torch
from gymnasium.wrappers import TransformReward
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env

GAME: Final = "kwartet.envs.gymnasium:kwartet/catan_dice-v2"  # imports what registers it
SCALE: Final = 0.1  # of rewards
MATCHES: Final = 16  # side by side
POINTS: Final = 20  # of the curve


class Masked(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Shows the observation alone, and tells the mask when asked."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]
        self._mask = np.zeros(0, np.bool_)

    def observation(self, observation: Any) -> Any:
        """The numbers; the mask is kept."""
        self._mask = observation["action_mask"].astype(np.bool_)
        return observation["observation"]

    def action_masks(self) -> Any:
        """What may be done now: sb3-contrib calls it by this name."""
        return self._mask


def make() -> Any:
    """One match after the other, with smaller rewards."""
    return TransformReward(Masked(gymnasium.make(GAME)), lambda points: float(points) * SCALE)


class Progress(BaseCallback):  # type: ignore[misc]
    """Prints how good the last hundred matches were, so many times."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self._every = steps // POINTS
        self._next = self._every

    def _on_step(self) -> bool:
        if self.num_timesteps >= self._next:
            self._next += self._every
            points = np.mean([match["r"] / SCALE for match in self.model.ep_info_buffer])
            minutes = time.process_time() / 60
            print(f"{minutes:5.1f} min {self.num_timesteps:9,} steps: {points:6.2f} points")
        return True


def judge(model: Any, seed: int, matches: int) -> tuple[float, float]:
    """The mean score when it plays what it likes best, and its standard error."""
    env = make()
    scores = np.zeros(matches)
    for number in range(matches):
        seen, info = env.reset(seed=seed + number)
        ended = False
        while not ended:
            mask = env.get_wrapper_attr("action_masks")()
            action, _ = model.predict(seen, action_masks=mask, deterministic=True)
            seen, _, ended, _, info = env.step(action)
        scores[number] = info["scores"][0]
    return float(scores.mean()), float(scores.std(ddof=1) / matches**0.5)


def main() -> None:
    """Train, judge."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--steps", type=int, default=400_000)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--threads", type=int, default=1)
    chosen = options.parse_args()
    torch.set_num_threads(chosen.threads)
    model = MaskablePPO(
        "MlpPolicy",
        make_vec_env(make, MATCHES, seed=chosen.seed),
        n_steps=256,
        batch_size=512,
        n_epochs=4,
        learning_rate=lambda left: 1e-3 * left,
        gamma=0.999,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=chosen.seed,
        device="cpu",
    )
    model.learn(chosen.steps, callback=Progress(chosen.steps))
    spent = time.process_time() / 60
    mean, error = judge(model, chosen.seed + 1000, 300)
    print(f"Learned, in {spent:.1f} minutes of CPU time: {mean:.1f} ± {error:.1f} points")


if __name__ == "__main__":
    main()
