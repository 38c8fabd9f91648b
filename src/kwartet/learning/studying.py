"""Learning from datasets: a prior and values from matches that were played before.

With a base, what the datasets say nothing of stays as it is there: weights of features that no
position has, and networks of other looks.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kwartet.bots import network
from kwartet.bots import prior as priors
from kwartet.bots.network import NO_VALUES, Values, beside
from kwartet.bots.prior import Prior, count, spread
from kwartet.core.errors import GameError
from kwartet.learning.fitting import fit, join, lessons_of
from kwartet.learning.positions import Dataset
from kwartet.learning.valuing import learn_values, made_of


def learn(
    datasets: Sequence[Dataset], seed: int = 0, base: Path | None = None
) -> tuple[Prior, Values]:
    """A prior and values fitted to all positions of datasets of one game.

    GameError if they are of several games, or of one that describes or sketches nothing.
    """
    game = datasets[0].game
    if any(dataset.game.key != game.key for dataset in datasets):
        raise GameError("bad-option", "The datasets are of several games.")
    if game.knowledge.features == 0:
        raise GameError("bad-option", f"{game.title} describes no features to learn from.")
    lessons = join(map(lessons_of, datasets))
    weights, losses = fit(game, lessons, seed)
    prior = Prior(weights, made_of(datasets, seed) | {"loss": round(losses[-1], 4)})
    values = learn_values(datasets, seed) if game.knowledge.looks else NO_VALUES
    if base is None:
        return prior, values
    met = np.zeros(count(game), np.float32)
    met[lessons.features] = 1
    prior = _onto(priors.read(game, base), prior, spread(game, met) > 0)
    return prior, _beside(beside(game, base), values)


def _onto(base: Prior, prior: Prior, met: npt.NDArray[np.bool_]) -> Prior:
    """The prior's weights of the features that were met, the base's of all others."""
    weights = np.where(met, prior.weights, base.weights)
    return Prior(weights, prior.made | {"base": base.made})


def _beside(base: Values, values: Values) -> Values:
    """The networks of these values, and the base's of other looks."""
    return Values(
        base.networks | values.networks,
        base.blends | values.blends,
        values.made | {"base": base.made},
    )


def keep(
    datasets: Sequence[Dataset], folder: Path, seed: int = 0, base: Path | None = None
) -> Path:
    """Learn, and write the prior into the folder with the values beside it; the prior's file."""
    prior, values = learn(datasets, seed, base)
    game, path = datasets[0].game, folder / priors.FILE
    folder.mkdir(parents=True, exist_ok=True)
    priors.write(game, path, prior)
    if values.networks:
        network.write(game, network.values_of(path), values)
    return path
