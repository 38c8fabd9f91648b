"""A test's part that needs a Ray cluster, in a process of its own.

Ray keeps threads and sockets for as long as its process lives, which is more than a test
should leave behind.
"""

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def told_by(module: str, folder: Path) -> dict[str, Any]:
    """What `python -m MODULE FOLDER` writes to told.json in the folder; it must succeed."""
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "PYTHONWARNINGS": "ignore",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_worker_niceness": "0",
    }
    result = subprocess.run(
        [sys.executable, "-m", module, str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=600,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    told: dict[str, Any] = json.loads((folder / "told.json").read_text())
    return told
