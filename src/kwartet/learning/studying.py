"""Learning from datasets: a prior and values from matches that were played before."""

from collections.abc import Sequence
from pathlib import Path

from kwartet.bots import network
from kwartet.bots import prior as priors
from kwartet.bots.network import Values
from kwartet.bots.prior import Prior
from kwartet.core.errors import GameError
from kwartet.learning.fitting import fit, join, lessons_of
from kwartet.learning.positions import Dataset
from kwartet.learning.valuing import learn_values, made_of


def learn(datasets: Sequence[Dataset], seed: int = 0) -> tuple[Prior, Values]:
    """A prior and values fitted to all positions of datasets of one game.

    GameError if they are of several games, or of one that describes or sketches nothing.
    """
    game = datasets[0].game
    if any(dataset.game.key != game.key for dataset in datasets):
        raise GameError("bad-option", "The datasets are of several games.")
    if game.knowledge.features == 0:
        raise GameError("bad-option", f"{game.title} describes no features to learn from.")
    weights, losses = fit(game, join([lessons_of(dataset) for dataset in datasets]), seed)
    prior = Prior(weights, made_of(datasets, seed) | {"loss": round(losses[-1], 4)})
    return prior, learn_values(datasets, seed) if game.knowledge.looks else Values()


def keep(datasets: Sequence[Dataset], folder: Path, seed: int = 0) -> Path:
    """Learn, and write the prior into the folder with the values beside it; the prior's file."""
    prior, values = learn(datasets, seed)
    game, path = datasets[0].game, folder / priors.FILE
    folder.mkdir(parents=True, exist_ok=True)
    priors.write(game, path, prior)
    if values.networks:
        network.write(game, network.values_of(path), values)
    return path
