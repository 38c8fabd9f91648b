"""What a measurement ran on, and the numbers that sum a measurement up."""

import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from math import sqrt
from pathlib import Path
from typing import Any, Final

CPU_INFO: Final = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class Spread:
    """Repeated measurements in three numbers."""

    median: float
    low: float  # first quartile
    high: float  # third quartile

    def __str__(self) -> str:
        if self.median >= 1000:
            low, median, high = (f"{value / 1000:,.0f}" for value in _three(self))
            return f"{median} k ({low}–{high})"
        return f"{self.median:.1f} ({self.low:.1f}–{self.high:.1f})"


def _three(spread: Spread) -> tuple[float, float, float]:
    return spread.low, spread.median, spread.high


def spread(values: Sequence[float]) -> Spread:
    """Median and quartiles of at least two measurements."""
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, low, high)


def share_interval(score: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of the share that the score is of the games."""
    z = statistics.NormalDist().inv_cdf(0.975)
    share, correction = score / games, z * z / games
    middle = (share + correction / 2) / (1 + correction)
    width = z * sqrt(share * (1 - share) / games + correction / games / 4) / (1 + correction)
    return middle - width, middle + width


def machine(*packages: str) -> dict[str, Any]:
    """The processor and the versions of Python and these packages."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "versions": {package: version(package) for package in packages},
    }


def load() -> list[float]:
    """Processes that wanted to run in the last 1, 5 and 15 minutes."""
    return [round(average, 2) for average in os.getloadavg()]


def _processor() -> str:
    if CPU_INFO.exists():
        for line in CPU_INFO.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
