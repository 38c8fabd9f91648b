"""Learning from self-play: priors for the search, and datasets for whoever learns.

from kwartet.learning import load

for batch in load("dataset-carnac-0").batches(256, seed=1): ...
"""

from kwartet.learning.dataset import DatasetPlan, DatasetWriter, load, stream
from kwartet.learning.positions import Batch, Columns, Dataset
from kwartet.learning.streams import Stream
from kwartet.learning.training import Round, Training, TrainingPlan

__all__ = [
    "Batch",
    "Columns",
    "Dataset",
    "DatasetPlan",
    "DatasetWriter",
    "Round",
    "Stream",
    "Training",
    "TrainingPlan",
    "load",
    "stream",
]
