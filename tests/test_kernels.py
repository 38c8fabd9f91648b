"""The cache of machine code: kept, keyed by the sources, and done without if need be."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
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


def run(folder: Path, code: str, cache: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "KWARTET_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
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


def test_without_a_cache_folder_kernels_run_and_a_warning_is_given(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    code = "from kwartet.core.bits import size; import numpy as np; print(size(np.uint64(5)))"
    result = run(tmp_path, code, tmp_path / "file")
    assert result.stdout.strip() == "2"
    assert result.stderr.count("Set KWARTET_CACHE") == 1
