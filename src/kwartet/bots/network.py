"""What a position is worth at a glance: a small network, read without any other library.

A game sketches a position as the numbers of the inputs that are on (`sketch` in its module
`tactics`), seen by the seat to act. Inputs → 32 → 16 → one number from −1 to 1, what the seat
to act may expect. There is a network for each `Look` of a game, such as a board's size.
"""

import io
import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kwartet.bots import prior as priors
from kwartet.core.errors import GameError, quoted
from kwartet.core.files import write_whole
from kwartet.core.game import Game, Options
from kwartet.core.kernels import lean_kernel
from kwartet.core.tactics import Look

VERSION: Final = 1  # of the file
ENDING: Final = ".values.npz"  # of the file beside a prior's
WIDE, NARROW = 32, 16  # units of the two layers
_STEP: Final = 4  # rows that are added at once

Floats = npt.NDArray[np.float32]


class Network(NamedTuple):
    """The weights. After the inputs' rows come one of biases and one of zeros."""

    first: Floats  # (inputs + 2, WIDE), or no rows: there is no network
    second: Floats  # (WIDE + 1, NARROW), the last row are biases
    third: Floats  # NARROW + 1, the last is the bias


class Glance(NamedTuple):
    """Memory to read a network with."""

    inputs: npt.NDArray[np.int32]
    wide: Floats
    narrow: Floats


def empty(inputs: int) -> Network:
    """A network of nothing but zeros; without inputs there is none."""
    rows = inputs + 2 if inputs else 0
    return Network(
        np.zeros((rows, WIDE), np.float32),
        np.zeros((WIDE + 1, NARROW), np.float32),
        np.zeros(NARROW + 1, np.float32),
    )


NOTHING: Final = empty(0)


def make_glance(most: int) -> Glance:
    """Memory for so many inputs at once."""
    return Glance(
        np.zeros(most + _STEP, np.int32), np.zeros(WIDE, np.float32), np.zeros(NARROW, np.float32)
    )


@lean_kernel
def judge(network: Network, glance: Glance, count: int) -> float:
    """What the seat to act may expect where the first `count` inputs of the glance are on."""
    first, inputs, wide, narrow = network.first, glance.inputs, glance.wide, glance.narrow
    bias, zeros = len(first) - 2, len(first) - 1
    for index in range(count, count + _STEP):
        inputs[index] = zeros
    for unit in range(WIDE):
        wide[unit] = first[bias, unit]
    for index in range(0, count, _STEP):  # several at once, else it is not compiled for vectors
        one, two = inputs[index], inputs[index + 1]
        three, four = inputs[index + 2], inputs[index + 3]
        for unit in range(WIDE):
            wide[unit] += (first[one, unit] + first[two, unit]) + (
                first[three, unit] + first[four, unit]
            )
    for unit in range(NARROW):
        narrow[unit] = network.second[WIDE, unit]
    for index in range(WIDE):
        above = max(wide[index], np.float32(0.0))
        for unit in range(NARROW):
            narrow[unit] += above * network.second[index, unit]
    total = float(network.third[NARROW])
    for unit in range(NARROW):
        total += float(max(narrow[unit], np.float32(0.0)) * network.third[unit])
    return np.tanh(total)


@dataclass(frozen=True)
class Values:
    """The networks of a game by their looks' names, and how they were made."""

    networks: dict[str, Network] = field(default_factory=dict)
    blends: dict[str, float] = field(default_factory=dict)  # the network's part beside playing on
    made: dict[str, Any] = field(default_factory=dict)

    def find(self, game: Game, options: Options) -> tuple[Network, float]:
        """The network for these options and its part; NOTHING and 0 if there is none."""
        look = look_at(game, options)
        if look is None or look.name not in self.networks:
            return NOTHING, 0.0
        return self.networks[look.name], self.blends[look.name]


def look_at(game: Game, options: Options) -> Look | None:
    """How matches with these options are sketched; None if they are not."""
    knowledge = game.knowledge
    return knowledge.looks.get(str(options.get(knowledge.look_by)))


NO_VALUES: Final = Values()
_shipped: dict[Path, Values] = {}  # that have been read


def values_of(prior: Path) -> Path:
    """The file beside a prior's that has the values which go with it."""
    return prior.with_name(prior.stem + ENDING)


def shipped(game: Game) -> Values:
    """The values that go with the game's own prior; none if there are none."""
    path = game.folder / priors.FILE
    if path not in _shipped:
        _shipped[path] = beside(game, path)
    return _shipped[path]


def beside(game: Game, prior: Path) -> Values:
    """The values that go with the prior in this file; none if there are none."""
    path = values_of(prior)
    return read(game, path) if path.exists() else NO_VALUES


def read(game: Game, path: Path) -> Values:
    """The values in this file; GameError if they are not for this game as it is now."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            told = json.loads(str(arrays["told"]))
            parts = {name: arrays[name].astype(np.float32) for name in arrays if name != "told"}
        about = (told["values"], told["game"])
        looks = {look["name"]: look for look in told["looks"]}
        blends = {name: float(look["blend"]) for name, look in looks.items()}
        made = dict(told["made"])
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise GameError("bad-file", f"{quoted(str(path))} has no values: {error}.") from error
    if about[0] != VERSION:
        raise GameError(
            "bad-file",
            f"{quoted(str(path))} has values of version {quoted(about[0])}; "
            f"this program reads version {VERSION}.",
        )
    networks = {name: _network(parts, name) for name in looks}
    known = {name: empty(look.inputs) for name, look in game.knowledge.looks.items()}
    fits = about[1] == game.key and all(
        name in known and _shapes(network) == _shapes(known[name]) and _is_finite(network)
        for name, network in networks.items()
    )
    if not fits or not all(0 <= blend <= 1 for blend in blends.values()):
        raise GameError(
            "bad-file",
            f"{quoted(str(path))} has no values for {game.title} as it sketches positions now.",
        )
    return Values(networks, blends, made)


def write(game: Game, path: Path, values: Values) -> None:
    """Keep values in a file, all at once or not at all; the same values make the same file."""
    looks = [{"name": name, "blend": values.blends[name]} for name in sorted(values.networks)]
    told = {"values": VERSION, "game": game.key, "looks": looks, "made": values.made}
    parts = {
        f"{name}.{part}": array.astype(np.float16)
        for name, network in sorted(values.networks.items())
        for part, array in network._asdict().items()
    }
    file = io.BytesIO()
    np.savez_compressed(file, told=np.array(json.dumps(told)), **parts)
    write_whole(path, file.getvalue())


def _network(parts: dict[str, Floats], name: str) -> Network:
    missing = np.empty(0, np.float32)
    return Network(*(parts.get(f"{name}.{part}", missing) for part in Network._fields))


def _shapes(network: Network) -> list[tuple[int, ...]]:
    return [array.shape for array in network]


def _is_finite(network: Network) -> bool:
    return all(bool(np.isfinite(array).all()) for array in network)
