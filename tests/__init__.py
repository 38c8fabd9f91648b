"""Tests of the library; they mirror src."""

import os

# They run in more processes than there are cores. Threads of NumPy's own in each of these
# would spend most of their time in loops, waiting for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
