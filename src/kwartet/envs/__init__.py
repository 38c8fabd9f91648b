"""The games as environments: batches on arrays, Gymnasium, PettingZoo, OpenSpiel.

`batch` needs nothing but NumPy and Numba. The other interfaces are modules of their own
(`kwartet.envs.gymnasium`, `.pettingzoo`, `.openspiel`), since each needs its library.
"""

from kwartet.envs.batches import Batch, Step, batch

__all__ = ["Batch", "Step", "batch"]
