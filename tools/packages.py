"""Packages for a release, and trying them.

    python tools/packages.py build           # sdist, wheel, hashes and SBOM in dist/
    python tools/packages.py attempt 3.12 …  # installs the wheel there from a registry, and plays

The wheel is built from the sdist, as whoever has no wheel would, so both hold the same. Needs
hatchling; the page's own tools only where the page is not built yet.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from sbom import sbom

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"
SUMS: Final = "SHA256SUMS"
SBOM: Final = "kwartet.cdx.json"
PLAYS: Final = """
import kwartet
match = kwartet.new("carnac", seed=1, board="small")
player = kwartet.bot("novice")
while match.actor is not None:
    match.play(player.choose(match))
assert kwartet.replay(match.record()).winners() == match.winners()
print("played", match.ply, "plies to", *match.scores())
"""


def build(folder: Path = DIST) -> list[Path]:
    """The sdist, the wheel made of it, their hashes and what they are made of."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    hatchling(ROOT, folder, "sdist")
    (source,) = folder.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as scratch:
        hatchling(unpacked(source, Path(scratch)), folder, "wheel")
    files = sorted([source, *folder.glob("*.whl")])
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    version = source.name.removeprefix("kwartet-").removesuffix(".tar.gz")
    told = json.dumps(sbom(version, digests), indent=2) + "\n"
    (folder / SBOM).write_text(told, encoding="utf-8")
    digests[SBOM] = hashlib.sha256(told.encode()).hexdigest()
    lines = [f"{digest}  {name}\n" for name, digest in sorted(digests.items())]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")
    return [*files, folder / SBOM, folder / SUMS]


def hatchling(tree: Path, folder: Path, target: str) -> None:
    """Build in this environment; nothing is fetched."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t", target]
    subprocess.run(command, cwd=tree, check=True)


def unpacked(source: Path, folder: Path) -> Path:
    """The tree of an sdist."""
    with tarfile.open(source) as files:
        files.extraction_filter = getattr(tarfile, "data_filter", None)  # none before 3.11.4
        files.extractall(folder)
    (tree,) = folder.iterdir()
    return tree


def attempt(python: str, wheel: Path) -> str:
    """Install the wheel for a Python, in an environment of its own, and play a match there."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([uv or "uv", "venv", "-q", "--python", python, folder], check=True)
        here = str(Path(folder) / ("Scripts" if os.name == "nt" else "bin") / "python")
        install = [uv or "uv", "pip", "install", "-q", "--only-binary", ":all:", "--python", here]
        subprocess.run([*install, str(wheel)], check=True)
        kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
        environment = kept | {"PATH": "", "HOME": folder, "KWARTET_CACHE": f"{folder}/cache"}
        command = [here, "-I", "-W", "error", "-c", PLAYS]
        return subprocess.run(
            command, env=environment, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
        ).stdout.strip()


if __name__ == "__main__":
    if sys.argv[1] == "build":
        print(*build(), sep="\n")
    else:
        (wheel,) = DIST.glob("*.whl")
        for python in sys.argv[2:]:
            print(f"Python {python}:", attempt(python, wheel))
