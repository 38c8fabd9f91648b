"""Types of messages that several threads need for the first time at once."""

import subprocess
import sys
from pathlib import Path

from tests.commands import ROOT

PROGRAM = """
import asyncio, sys, threading
from contextlib import suppress
import msgspec
from kwartet.server import app, messages
from kwartet.store import open_store

async def opened():
    await (await open_store(sys.argv[1])).close()

asyncio.run(opened())
sys.setswitchinterval(1e-6)
kinds = [kind for kind in vars(messages).values() if isinstance(kind, msgspec.StructMeta)]
together = threading.Barrier(4)

def read():
    for kind in kinds:
        empty = dict.fromkeys(kind.__struct_encode_fields__)
        together.wait()
        with suppress(msgspec.ValidationError):
            msgspec.convert(empty, kind)

threads = [threading.Thread(target=read) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_threads_that_need_a_type_first_do_not_crash_the_server(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, f"sqlite:///{tmp_path}/kwartet.db"]
    for _ in range(3):  # since it takes some luck
        assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
