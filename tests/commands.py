"""The commands for tests: as processes of their own, or in this one where nothing is lost."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from kwartet.cli import main

ROOT = Path(__file__).parents[1]

Ended = subprocess.CompletedProcess[str]


def kwartet_command(*arguments: str, given: str = "", **environment: str) -> Ended:
    """A command as a person runs it: a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "kwartet.cli", *arguments],
        capture_output=True,
        text=True,
        input=given,
        cwd=ROOT,
        env=os.environ | environment,
        timeout=300,
    )


def kwartet_here(*arguments: str) -> Ended:
    """The same in this process, at a hundredth of the price; for what ends before a game begins."""
    out, err = StringIO(), StringIO()
    code: Any = 0
    with (
        patch.object(sys, "argv", ["kwartet", *arguments]),
        patch.object(sys, "path", [*sys.path]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
    return subprocess.CompletedProcess(arguments, code or 0, out.getvalue(), err.getvalue())


def without_jit(module: str, expression: str) -> Any:
    """What an expression over a module's names is, as JSON, where no kernel is compiled."""
    code = (
        "import json, tests.conftest\n"
        "from kwartet.core.kernels import JIT\n"
        f"from {module} import *\n"
        "assert not JIT\n"
        f"print(json.dumps({expression}))\n"
    )
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)
