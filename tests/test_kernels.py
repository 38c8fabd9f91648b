"""The cache of machine code: kept, keyed by the sources, and done without if need be."""

import os
import subprocess
import sys
from pathlib import Path

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


def test_machine_code_is_loaded_again_by_the_next_process(tmp_path: Path) -> None:
    code = (
        "from kwartet.core.bits import size; import numpy as np; size(np.uint64(5));"
        "print(sum(size.stats.cache_hits.values()))"
    )
    assert [run(tmp_path, code, tmp_path / "cache").stdout.strip() for _ in range(2)] == ["0", "1"]


def test_without_a_cache_folder_kernels_run_and_a_warning_is_given(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    code = "from kwartet.core.bits import size; import numpy as np; print(size(np.uint64(5)))"
    result = run(tmp_path, code, tmp_path / "file")
    assert result.stdout.strip() == "2"
    assert result.stderr.count("Set KWARTET_CACHE") == 1
