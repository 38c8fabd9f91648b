"""Which tests a change touches, and runs them: `make touched`, or `python tools/touched.py FILE…`.

What a test imports counts, not what Python is seen to run: kernels are compiled, and servers and
workers are other processes. A game is not imported by name, so its tests are those named after it.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
# Folders of modules, each with the folder from which they are imported.
FOLDERS: Final = (("src/kwartet", "src"), ("tests", ""), ("examples", ""), ("tools", "tools"))
GAME: Final = re.compile(
    r"src/kwartet/games/(\w+)/|examples/(connect_four)/|tests/plain/([a-z]+(?:_dice)?)"
    r"|tests/data/\w+/(\w+)\.|docs/games/(\w+)\.md"
)


class Tests:
    """The tests of a tree and what they import."""

    def __init__(self, root: Path = ROOT) -> None:
        self._root = root
        self._files = {
            _name(path.relative_to(root / base)): path
            for folder, base in FOLDERS
            for path in sorted((root / folder).rglob("*.py"))
        }
        self._imports = {name: set(self._imported(path)) for name, path in self._files.items()}
        tests = (name for name in self._files if name.startswith("tests.test_"))
        self._near = {test: self._seen_through(test) for test in tests}

    def of(self, module: str) -> set[str]:
        """The tests named after a module or importing it; where none does, those nearest to it."""
        if module == "tests.conftest":
            return set(self._near)
        own = {test for test in self._near if module in self._own(test) or module == test}
        if found := own | set(self._named(module)):
            return found
        near, seen = {module}, {module}
        while near:
            found = {test for test, reach in self._near.items() if reach & near}
            if found:
                return found
            near = {name for name, reach in self._imports.items() if reach & near} - seen
            seen |= near
        return set()

    def _own(self, test: str) -> set[str]:
        """What a test imports by itself, also out of a package; all import the topmost."""
        own = self._imports[test]
        return own.union(*(self._imports.get(name, ()) for name in own if self._is_room(name)))

    def _is_room(self, name: str) -> bool:
        is_package = name in self._files and self._files[name].name == "__init__.py"
        return is_package and "." in name and name != "kwartet.games"

    def _named(self, module: str) -> Iterator[str]:
        top, *parts = module.split(".")
        names = tuple(f"tests.test_{part}_" for part in parts if top == "kwartet")
        return (test for test in self._near if f"{test}_".startswith(names))

    def module(self, path: str) -> str | None:
        """The name of the module in a file of the tree."""
        file = self._root / path
        return next((name for name, own in self._files.items() if own == file), None)

    def path(self, module: str) -> str:
        """The file of a module, in the tree."""
        return str(self._files[module].relative_to(self._root))

    def _imported(self, path: Path) -> Iterator[str]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                below = [f"{node.module}.{alias.name}" for alias in node.names]
                yield from (name for name in below if name in self._files)
                yield node.module

    def _seen_through(self, test: str) -> set[str]:
        """What a test imports by itself, through the tests' own modules and through packages."""
        todo, seen = [test], {test}
        while todo:
            for name in self._imports.get(todo.pop(), set()) - seen:
                seen.add(name)
                is_package = name in self._files and self._files[name].name == "__init__.py"
                if is_package or name.startswith("tests."):
                    todo.append(name)
        return seen


def select(changed: Iterable[str], tests: Tests) -> tuple[list[str], list[str]]:
    """The test files that a change of these files touches, and the games whose tests it does."""
    files: set[str] = set()
    games: set[str] = set()
    for path in changed:
        if found := GAME.match(path):
            games.add(next(key for key in found.groups() if key))
        elif module := tests.module(path):
            files |= {tests.path(test) for test in tests.of(module)}
    return sorted(files), sorted(games)


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _changed() -> list[str]:
    """What differs from the last commit."""
    commands = (
        ["git", "diff", "--name-only", "HEAD"],
        ["git", "ls-files", "--others", "--exclude-standard"],
    )
    told = (subprocess.run(c, cwd=ROOT, capture_output=True, text=True) for c in commands)
    return [line for done in told for line in done.stdout.splitlines()]


def main() -> int:
    """Run them; the worst exit code."""
    changed = sys.argv[1:] or _changed()
    files, games = select(changed, Tests())
    print("Touched:", *(files + games or ["no test"]))
    runs = [files] * bool(files) + [["-k", " or ".join(games)]] * bool(games)
    codes = [subprocess.run([sys.executable, "-m", "pytest", *run], cwd=ROOT) for run in runs]
    return max((done.returncode for done in codes), default=0)


if __name__ == "__main__":
    sys.exit(main())
