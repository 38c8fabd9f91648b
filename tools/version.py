"""The version of a source tree, for the build: what its tags say.

At the tag `v1.2.3` it is 1.2.3, seven commits later 1.2.4.dev7+g and the commit. A tree
without tags, or without git, is 0.dev…: KWARTET_VERSION says better. What is built from an
sdist has the sdist's own version; there hatchling does not ask.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
TOLD: Final = "KWARTET_VERSION"  # the variable that decides where there is no git
TAG: Final = re.compile(r"v(\d+)\.(\d+)\.(\d+)((?:a|b|rc)\d+)?")


def version(root: Path = ROOT) -> str:
    """The version of the tree in this folder, as PEP 440 has them; ValueError for a strange tag."""
    if told := os.environ.get(TOLD):
        return told.removeprefix("v")
    if _git(root, "rev-parse", "--show-toplevel") != str(root.resolve()):
        return "0.dev0"  # no tree of git, or one that merely lies in somebody else's
    commit = _git(root, "rev-parse", "--short=8", "HEAD")
    if not commit:
        return "0.dev0"
    described = _git(root, "describe", "--tags", "--long", "--match", "v[0-9]*", "HEAD")
    if not described:
        return f"0.dev{_git(root, 'rev-list', '--count', 'HEAD')}+g{commit}"
    tag, distance, _ = described.rsplit("-", 2)
    return _after(tag, int(distance), commit)


def _after(tag: str, distance: int, commit: str) -> str:
    """The version so many commits after a tag."""
    parts = TAG.fullmatch(tag)
    if parts is None:
        raise ValueError(f"The tag {tag} is no version such as v1.2.3 or v1.2.3rc1.")
    if distance == 0:
        return tag.removeprefix("v")
    major, minor, patch, trial = parts.groups()
    # What comes after a trial of 1.2.3 is still before 1.2.3.
    following = f"{major}.{minor}.{int(patch) + (trial is None)}"
    return f"{following}.dev{distance}+g{commit}"


def _git(root: Path, *arguments: str) -> str:
    """What git says; nothing where it fails or is not there."""
    try:
        told = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    except OSError:
        return ""
    return told.stdout.strip() if told.returncode == 0 else ""


if __name__ == "__main__":
    print(version())
