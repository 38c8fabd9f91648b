"""The cache of machine code: kept, keyed by the sources, and done without if need be."""

import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kwartet.core.kernels import record_dtype

ROOT = Path(__file__).parents[1]
Damage = Callable[[bytes], bytes]
CALLER = """
from kwartet.core.kernels import kernel
from helper import one

@kernel
def two(number: int) -> int:
    return 2 * one(number)
"""


def helper(result: int) -> str:
    return f"""
from kwartet.core.kernels import kernel

@kernel
def one(number: int) -> int:
    return number + {result}
"""


def run(folder: Path, code: str, cache: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "KWARTET_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= settings
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True
    )


def test_a_change_in_another_file_is_noticed(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (tmp_path / "caller.py").write_text(CALLER)
    for result in (1, 100):
        (tmp_path / "helper.py").write_text(helper(result))
        printed = run(tmp_path, "from caller import two; print(two(0))", cache)
        assert printed.stdout.strip() == str(2 * result), printed.stderr


def test_scripts_in_one_folder_have_kernels_of_the_same_name(tmp_path: Path) -> None:
    for result in (1, 100):
        (tmp_path / f"script{result}.py").write_text(helper(result) + "print(one(0))")
    for _ in range(2):
        for result in (1, 100):
            code = f"import runpy; runpy.run_path('script{result}.py')"
            assert run(tmp_path, code, tmp_path / "cache").stdout.strip() == str(result)


HITS = "; print(sum({0}.stats.cache_hits.values()))"
COUNT = "from kwartet.core.bits import size; import numpy as np; size(np.uint64(5))"


def test_machine_code_is_loaded_again_by_the_next_process(tmp_path: Path) -> None:
    code = COUNT + HITS.format("size")
    assert [run(tmp_path, code, tmp_path / "cache").stdout.strip() for _ in range(2)] == ["0", "1"]


def test_machine_code_that_was_loaded_finds_what_it_needs_of_numba(tmp_path: Path) -> None:
    (tmp_path / "needy.py").write_text("""
import numpy as np
from kwartet.core.kernels import kernel

@kernel
def need(text: str, numbers: np.ndarray) -> int:
    counts = {number: 1 for number in numbers}
    numbers.sort()
    np.random.seed(1)
    return hash(text) + len(counts) + int(np.median(numbers)) + len([text]) + np.random.randint(1)

assert need("kwartet", np.array([3, 1, 2])) == hash("kwartet") + 3 + 2 + 1
""")
    code = "from needy import need" + HITS.format("need")
    for hits in ("0", "1"):
        result = run(tmp_path, code, tmp_path / "cache")
        assert (result.stdout.strip(), result.stderr) == (hits, "")


def test_machine_code_is_loaded_wherever_its_sources_lie(tmp_path: Path) -> None:
    for place, hits in (("here", "0"), ("there", "1")):
        folder = tmp_path / place / "folder"
        folder.mkdir(parents=True)
        (folder / "helper.py").write_text(helper(1))
        code = "from helper import one; one(1)" + HITS.format("one")
        assert run(folder, code, tmp_path / "cache").stdout.strip() == hits


def test_a_game_from_elsewhere_leaves_machine_code_of_the_package(tmp_path: Path) -> None:
    code = COUNT + HITS.format("size")
    assert run(ROOT, code, tmp_path / "cache").stdout.strip() == "0"
    assert (
        run(ROOT, "import examples.connect_four;" + code, tmp_path / "cache").stdout.strip() == "1"
    )


def test_a_constant_in_a_subfolder_is_noticed(tmp_path: Path) -> None:
    numbers = tmp_path / "pkg" / "sub"
    numbers.mkdir(parents=True)
    for file, text in {
        "pkg/__init__.py": "",
        "pkg/sub/__init__.py": "from .table import *",
        "pkg/sub/table.py": "import numpy as np; from .const import N; TABLE = np.full(3, N)",
        "pkg/rules.py": """
from kwartet.core.kernels import kernel
from pkg import sub

@kernel
def value(index: int) -> int:
    return sub.const.N + sub.TABLE[index]
""",
    }.items():
        (tmp_path / file).write_text(text)
    for number in (1, 5):
        (numbers / "const.py").write_text(f"N = {number}")
        code = "import pkg.sub.const; from pkg.rules import value; print(value(0))"
        assert run(tmp_path, code, tmp_path / "cache").stdout.strip() == str(2 * number)


DROP = """
import kwartet
from examples.connect_four import GAME
kwartet.register(GAME)
match = kwartet.new("connect_four")
"""


def test_a_game_s_change_costs_what_depends_on_it(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    folder = tmp_path / "examples" / "connect_four"
    rules = folder / "rules.py"
    text = rules.read_text()
    text = text.replace("COLUMNS, ROWS = 7, 6", "from .sub.size import ROWS\nCOLUMNS = 7")
    rules.write_text(text)
    (folder / "sub").mkdir()
    size = folder / "sub" / "size.py"
    code = DROP + (
        "match.play(0); print(len(match.legal_actions())); match.redacted(0);"
        "from kwartet.core.engine import legal_actions, redact;"
        "print(*[sum(entry.stats.cache_hits.values()) for entry in (legal_actions, redact)])"
    )
    printed = []
    for text in ("ROWS = 6", "ROWS = 6  # high", "ROWS = 1"):
        size.write_text(text)
        result = run(tmp_path, code, tmp_path / "cache")
        printed.append(result.stdout.split())
    assert printed == [["7", "0", "0"], ["7", "1", "1"], ["6", "0", "1"]], result.stderr


def test_comments_and_other_functions_cost_no_machine_code(tmp_path: Path) -> None:
    more = "\n@kernel\ndef other(number: int) -> int:\n    return number  # as it is\n"
    for text, hits in ((helper(1), "0"), ("# one\n" + helper(1) + more, "1")):
        (tmp_path / "helper.py").write_text(text)
        code = "from helper import one; one(1)" + HITS.format("one")
        assert run(tmp_path, code, tmp_path / "cache").stdout.strip() == hits


def test_settings_of_numba_that_change_code_count(tmp_path: Path) -> None:
    code = COUNT + HITS.format("size")
    for settings, hits in (
        ({}, "0"),
        ({"NUMBA_BOUNDSCHECK": "1"}, "0"),
        ({"NUMBA_OPT": "1"}, "0"),
        ({"NUMBA_NUM_THREADS": "1", "NUMBA_CACHE_DIR": str(tmp_path)}, "1"),
    ):
        assert run(tmp_path, code, tmp_path / "cache", **settings).stdout.strip() == hits


def test_what_cannot_be_told_is_compiled_anew_and_a_warning_is_given(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text("""
from numba.extending import overload
from kwartet.core.kernels import kernel

def twice(number):
    pass

@overload(twice)
def _(number):
    return lambda number: 2 * number

@kernel
def odd(number: int) -> int:
    return twice(number) + 1
""")
    for _ in range(2):
        result = run(tmp_path, "from odd import odd; print(odd(1))", tmp_path / "cache")
        assert result.stdout.strip() == "3"
        assert result.stderr.count("odd.odd uses a function that may be anything") == 1


def test_two_processes_give_their_functions_different_names(tmp_path: Path) -> None:
    code = COUNT + "; print(*[made.fndesc.mangled_name for made in size.overloads.values()])"
    names = {run(tmp_path, code, tmp_path / cache).stdout for cache in ("here", "there")}
    assert len(names) == 2


class Trap:
    """Something that does harm when it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, ("raise SystemExit('unpickled')",)


DAMAGES: dict[str, Damage] = {
    "empty": lambda content: b"",
    "short": lambda content: content[:20],
    "without its last byte": lambda content: content[:-1],
    "ends in zeros": lambda content: content[:-4000] + bytes(4000),
    "nonsense": lambda content: b"\x80" * 500,
    "a trap": lambda content: pickle.dumps(Trap()),
    "a trap behind a good head": lambda content: content[:39] + pickle.dumps(Trap()),
}


def test_a_file_that_is_not_whole_is_not_there_and_is_made_anew(tmp_path: Path) -> None:
    code = COUNT + HITS.format("size")
    assert run(tmp_path, code, tmp_path).stdout.strip() == "0"
    (path,) = tmp_path.glob("kernels/*/bits.size.*")
    whole = path.read_bytes()
    for name, damage in DAMAGES.items():
        path.write_bytes(damage(path.read_bytes()))
        result = run(tmp_path, code, tmp_path)
        assert (result.stdout.strip(), result.stderr) == ("0", ""), name
        assert abs(path.stat().st_size - len(whole)) < 100, name
    assert run(tmp_path, code, tmp_path).stdout.strip() == "1"


def test_without_a_cache_folder_kernels_run_and_a_warning_is_given(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    code = "from kwartet.core.bits import size; import numpy as np; print(size(np.uint64(5)))"
    result = run(tmp_path, code, tmp_path / "file")
    assert result.stdout.strip() == "2"
    assert result.stderr.count("Set KWARTET_CACHE") == 1


def test_on_a_full_disk_kernels_run_and_a_warning_is_given(tmp_path: Path) -> None:
    code = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100));" + COUNT
    result = run(tmp_path, code + "; print(size(np.uint64(5)))", tmp_path)
    assert result.stdout.strip() == "2"
    assert result.stderr.count("Set KWARTET_CACHE") == 1
    assert not list(tmp_path.glob("kernels/*/*"))


def test_machine_code_of_somebody_else_is_not_trusted(tmp_path: Path) -> None:
    code = COUNT + HITS.format("size")
    run(tmp_path, code, tmp_path)
    if os.geteuid() == 0:
        os.chown(tmp_path / "kernels", 12345, -1)
    else:  # only root can give a folder away; so it is somebody else who looks at it
        code = "import os; os.geteuid = lambda: 12345; " + code
    result = run(tmp_path, code, tmp_path)
    assert result.stdout.strip() == "0"
    assert "belongs to somebody else" in result.stderr


@pytest.mark.parametrize("name", ["mean", "round", "real", "item", "size", "T"])
def test_a_field_cannot_be_called_as_what_every_record_has(name: str) -> None:
    with pytest.raises(TypeError, match=name):
        record_dtype(("seat", np.int8), (name, np.int8))
