"""`kwartet draw` and `kwartet film`: files as they should be, or a sentence and no file."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

import kwartet
from tests.commands import ROOT, kwartet_command, kwartet_here


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Two matches, the second with who played."""
    told: list[dict[str, Any]] = []
    for seed in (1, 2):
        match = kwartet.new("carat", seed=seed, players=2, colours=["R", "Y"], hand=3)
        while match.actor is not None:
            match.play(match.legal()[0])
        told.append(match.record())
    told[1]["players"] = ["Marta", "bot:skilled"]
    file = tmp_path / "evening.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in told))
    return file


def test_a_position_is_drawn_as_svg_and_png(record: Path, tmp_path: Path) -> None:
    where = ("draw", str(record), "--match", "2", "--ply", "30")
    text = tmp_path / "board.svg"
    done = kwartet_command(*where, "-o", str(text), "--seat", "0", "--language", "de")
    assert done.returncode == 0, done.stderr
    assert str(text) in done.stdout
    marta, bot = kwartet.replay(json.loads(record.read_text().splitlines()[1]), 30).scores()
    title = ElementTree.parse(text).getroot()[0].text
    assert title == f"Carat: Marta {marta}, Skilled bot {bot}"
    shown = tmp_path / "board.png"
    done = kwartet_command(*where, "-o", str(shown), "--open", "--size", "240", "--theme", "dark")
    assert done.returncode == 0, done.stderr
    with Image.open(shown) as image:
        assert max(image.size) == 240
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "board.png",
        "board.svg",
        "evening.jsonl",
    ]


def test_a_seat_s_hand_and_a_better_move_change_the_drawing(record: Path, tmp_path: Path) -> None:
    told = json.loads(record.read_text().splitlines()[0])
    ply = next(ply for ply in range(20, 40) if not told["moves"][ply].startswith("*"))
    better = kwartet.replay(told, ply).legal()[-1]
    drawn = []
    for number, extra in enumerate(([], ["--seat", "1"], ["--better", better])):
        file = tmp_path / f"{number}.svg"
        done = kwartet_here("draw", str(record), "--ply", str(ply + 1), "-o", str(file), *extra)
        assert done.returncode == 0, done.stderr
        drawn.append(file.read_text())
    assert len(set(drawn)) == 3


def test_a_match_is_filmed(record: Path, tmp_path: Path) -> None:
    film = tmp_path / "evening.gif"
    done = kwartet_here(
        *("film", str(record), "-o", str(film), "--size", "150", "--from", "20", "--to", "40")
    )
    assert done.returncode == 0, done.stderr
    with Image.open(film) as image:
        assert image.n_frames > 5  # type: ignore[attr-defined]
        assert max(image.size) == 150


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("draw {record} --ply 999", "unknown-ply"),
        ("draw {record} --match 3", "bad-record"),
        ("draw {record} --seat 2", "unknown-seat"),
        ("draw {record} --seat 1 --open", "bad-option"),
        ("draw {record} --theme pink", "bad-option"),
        ("draw {record} --language xx", "bad-option"),
        ("draw {record} --better a9=1RYBG", "bad-notation"),
        ("draw {record} --ply 3 --better a1=1RYBG", "unknown-ply"),
        ("draw {record} -o {folder}/board.gif", "bad-option"),
        ("draw {record} -o {folder}/nowhere/board.svg", "bad-file"),
        ("draw {folder}/missing.jsonl", "bad-record"),
        ("draw {folder}/damaged.jsonl", "bad-record"),
        ("film {record} --from 40 --to 20", "unknown-ply"),
        ("film {record} --to 999", "unknown-ply"),
        ("film {record} -o {folder}/film.svg", "bad-option"),
        ("film {folder}/damaged.jsonl", "bad-record"),
    ],
)
def test_what_cannot_be_drawn_is_told_in_a_sentence(
    record: Path, tmp_path: Path, command: str, code: str
) -> None:
    (tmp_path / "damaged.jsonl").write_text(record.read_text()[:300])
    before = sorted(tmp_path.iterdir())
    words = command.format(record=record, folder=tmp_path).split()
    target = [] if "-o" in words else ["-o", str(tmp_path / "x.svg")]
    if words[0] == "film" and target:
        target = ["-o", str(tmp_path / "x.gif")]
    done = kwartet_here(*words, *target)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{code}:"), done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(tmp_path.iterdir()) == before


def test_without_its_libraries_a_picture_names_the_extra(record: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['resvg_py'] = None; from kwartet.cli import main; "
        "sys.argv[0] = 'kwartet'; main()"
    )
    command = [sys.executable, "-c", code, "draw", str(record), "-o", str(tmp_path / "x.png")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert "pip install 'kwartet[pictures]'" in " ".join(done.stderr.split())
    assert not (tmp_path / "x.png").exists()


def test_an_interrupted_film_leaves_no_file(record: Path, tmp_path: Path) -> None:
    film = tmp_path / "film.gif"
    process = subprocess.Popen(
        [sys.executable, "-m", "kwartet.cli", "film", str(record), "-o", str(film)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"TTY_COMPATIBLE": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stderr
    seen = ""
    end = time.monotonic() + 120
    while "Filming" not in seen and time.monotonic() < end:
        seen += process.stderr.read(1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "nothing was written" in seen + errors
    assert [file.name for file in tmp_path.iterdir()] == ["evening.jsonl"]
