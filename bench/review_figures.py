"""What the kept reviews of `bench.review` say together."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

SCALES = ("win", "points")
Numbers = npt.NDArray[np.float64]


def summary(folder: Path, games: Sequence[str], levels: Sequence[str]) -> dict[str, Any]:
    """By game: luck, correlations, losses by level, and how sure losses are."""
    found = {}
    for key in games:
        told: dict[str, Any] = {}
        if matches := _lines(folder / f"{key}-luck.jsonl"):
            told["luck"] = {"matches": len(matches)} | _luck(matches, levels)
            able = [match for match in matches if levels[0] not in match["levels"]]
            if able:  # whoever plays almost at random makes nothing of luck
                without = {"matches": len(able)} | _luck(able, levels)
                told["luck"][f"without {levels[0]}"] = without
        if reviews := _lines(folder / f"{key}-losses.jsonl"):
            told["losses"] = {"matches": len(reviews)} | _by_level(reviews, levels)
        kept = _lines(folder / f"{key}-positions.jsonl")
        decisions = [each for match in kept for each in match]
        if decisions:
            told["calibration"] = _calibration(decisions)
        found[key] = told
    return found


def _lines(path: Path) -> list[Any]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _luck(matches: list[Any], levels: Sequence[str]) -> dict[str, Any]:
    """Mean luck with its error, and how results tell strength, with luck and without."""
    lucks = np.array([match["luck"] for match in matches])
    results = np.array([match["results"] for match in matches])
    ranks = np.array([[levels.index(level) for level in match["levels"]] for match in matches])
    edge = _against_others(ranks.astype(np.float64))
    told: dict[str, Any] = {}
    for scale, name in enumerate(SCALES):
        luck = lucks[:, :, scale]
        raw = _against_others(results[:, :, scale])
        adjusted = _against_others(results[:, :, scale] - luck)
        first = luck[:, 0]
        told[name] = {
            "mean luck": float(first.mean()),
            "its error": float(first.std(ddof=1) / len(first) ** 0.5) if len(first) > 1 else None,
            "spread of luck": float(luck.std()),
            "correlation of results": _correlation(raw, edge),
            "correlation without luck": _correlation(adjusted, edge),
            "difference": _difference(raw, adjusted, edge),
        }
    return told


def _against_others(values: Numbers) -> Numbers:
    """Each seat's less the mean of the others'."""
    count = values.shape[1]
    return values - (values.sum(axis=1, keepdims=True) - values) / (count - 1)


def _correlation(values: Numbers, edge: Numbers) -> float:
    return float(np.corrcoef(values.ravel(), edge.ravel())[0, 1])


def _difference(raw: Numbers, adjusted: Numbers, edge: Numbers) -> dict[str, float]:
    """By how much the correlation grows, with its error from matches drawn again (bootstrap)."""
    luck = np.random.default_rng(0)
    drawn = []
    for _ in range(400):
        rows = luck.integers(0, len(raw), len(raw))
        drawn.append(_correlation(adjusted[rows], edge[rows]) - _correlation(raw[rows], edge[rows]))
    grown = _correlation(adjusted, edge) - _correlation(raw, edge)
    return {"mean": grown, "error": float(np.std(drawn))}


def _by_level(matches: list[Any], levels: Sequence[str]) -> dict[str, Any]:
    """The mean loss of a decision and the accuracy, from weak to strong; what is unexplained."""
    spread = np.array([match["unexplained"] for match in matches]).std(axis=(0, 1))
    told: dict[str, Any] = {}
    for level in levels:
        rows = [
            (match["losses"][seat], match["choices"][seat], match["accuracy"][seat])
            for match in matches
            for seat, name in enumerate(match["levels"])
            if name == level and match["choices"][seat]
        ]
        if len(rows) < 2:
            continue
        means = np.array([[lost / count for lost in losses] for losses, count, _ in rows])
        told[level] = {
            "seats": len(rows),
            "loss": dict(zip(SCALES, means.mean(axis=0).tolist(), strict=True)),
            "error": dict(
                zip(SCALES, (means.std(axis=0, ddof=1) / len(rows) ** 0.5).tolist(), strict=True)
            ),
            "accuracy": float(np.mean([each for _, _, each in rows])),
        }
    return {"levels": told, "unexplained": dict(zip(SCALES, spread.tolist(), strict=True))}


def _calibration(decisions: list[Any]) -> dict[str, Any]:
    """How many true losses lie within two errors; and the judge's own moves, judged."""
    told: dict[str, Any] = {"decisions": len(decisions)}
    for scale, name in enumerate(SCALES):
        loss, error, true, itself = (
            np.array([each[what][scale] for each in decisions])
            for what in ("loss", "error", "true", "itself")
        )
        told[name] = {
            "within two errors": float(np.mean(np.abs(loss - true) <= 2 * error + 1e-12)),
            "mean error": float(error.mean()),
            "mean loss": float(loss.mean()),
            "mean true loss": float(true.mean()),
            "mean loss of its own moves": float(itself.mean()),
            "error of that": float(itself.std(ddof=1) / len(itself) ** 0.5),
        }
    return told
