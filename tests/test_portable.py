"""Only the server may need what only some systems have: the rest imports everywhere."""

import ast
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import kwartet

POSIX_ONLY = ("fcntl", "grp", "pwd", "resource", "termios")
SOURCES = Path(kwartet.__file__).parent
LAYERS = ("core", "games", "bots", "arena", "learning", "envs", "cli")
LIBRARIES = ("gymnasium", "openspiel", "pettingzoo")  # environments on top of others' libraries


def modules() -> list[str]:
    """All of these layers but what needs the server or somebody else's library."""
    found = []
    for layer in LAYERS:
        for module in pkgutil.walk_packages([str(SOURCES / layer)], f"kwartet.{layer}."):
            if module.name.rpartition(".")[2] not in (*LIBRARIES, "serve", "db", "__main__"):
                found.append(module.name)
    return found


def test_all_but_the_server_imports_where_there_is_no_posix() -> None:
    assert {name.split(".")[1] for name in modules()} == set(LAYERS)
    blocked = "; ".join(f"sys.modules[{name!r}] = None" for name in POSIX_ONLY)
    code = f"import sys; {blocked}; import importlib, signal; del signal.pthread_sigmask\n"
    code += "del signal.SIGKILL\n"
    code += f"for name in {modules()!r}: importlib.import_module(name)"
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("layer", LAYERS)
def test_no_module_imports_it_by_the_way(layer: str) -> None:
    """Also not inside a function, where an import in a test would not notice."""
    for path in (SOURCES / layer).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not set(names) & set(POSIX_ONLY), f"{path}: {names}"
