"""What an operator sets: by flag, by environment, by file; and what cannot be."""

import hashlib
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import httpx
import pytest
from itsdangerous import Signer

from kwartet.core.errors import GameError
from kwartet.server.settings import Settings, read_settings
from tests.commands import kwartet_command, kwartet_here
from tests.serving import Server

serve = partial(kwartet_command, "serve", "--no-open")


def test_flags_go_before_the_environment_and_that_before_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kwartet.toml"
    file.write_text('port = 1\nhost = "file"\nlog = "json"\nbrowse = false\nabsent_after = 7\n')
    monkeypatch.setenv("KWARTET_PORT", "2")
    monkeypatch.setenv("KWARTET_HOST", "environment")
    settings = read_settings({"port": 3, "host": None}, file)
    assert (settings.port, settings.host, settings.log) == (3, "environment", "json")
    assert (settings.browse, settings.absent_after) == (False, 7.0)
    assert settings.body_bytes == Settings().body_bytes


@pytest.mark.parametrize("way", ["flag", "environment", "file"])
def test_an_old_name_of_a_setting_is_read_with_a_note(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    way: str,
) -> None:
    file = tmp_path / "kwartet.toml"
    file.write_text("bot_threads = 3" if way == "file" else "")
    if way == "environment":
        monkeypatch.setenv("KWARTET_BOT_THREADS", "3")
    given = {"bot_threads": 3 if way == "flag" else None}
    assert read_settings(given, file).bot_processes == 3
    assert "bot_processes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prot = 1", "There is no setting 'prot'"),
        ('port = "many"', "Setting port cannot be 'many'"),
        ("port = true", "Setting port cannot be True"),
        ('browse = "perhaps"', "Setting browse cannot be 'perhaps'"),
        ("port = ", "Cannot read"),
    ],
)
def test_a_bad_setting_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "kwartet.toml"
    file.write_text(text)
    with pytest.raises(GameError, match=sentence) as refused:
        read_settings({}, file)
    assert refused.value.code == "bad-setting"
    with pytest.raises(GameError):
        read_settings({}, tmp_path / "none.toml")


def test_every_setting_is_in_the_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = kwartet_here("serve", "--help").stdout
    for name in Settings.__dataclass_fields__:
        quiet = name in ("browse", "secret", "push_key")
        assert quiet or f"--{name.replace('_', '-')}" in shown
    assert "[text]" in shown  # what it is unless told
    assert "KWARTET_SECRET" in shown
    assert "KWARTET_PUSH_KEY" in shown


def test_settings_are_printed_as_they_are_read_but_for_secrets(tmp_path: Path) -> None:
    file = tmp_path / "kwartet.toml"
    file.write_text(f'port = 1\npublic_url = "https://é.example"\nsecret = "{"s" * 40}"\n')
    told = kwartet_here("serve", "--print-settings", "--watchers", "7", "--config", str(file))
    assert told.returncode == 0
    assert "ssss" not in told.stdout
    printed = tmp_path / "printed.toml"
    printed.write_text(told.stdout)
    expected = replace(read_settings({"watchers": 7}, file), secret="")
    assert read_settings({}, printed) == expected
    url = "postgresql://kwartet:hunter2@localhost/kwartet"
    assert "hunter2" not in kwartet_here("serve", "--print-settings", "--database", url).stdout


def test_a_server_that_cannot_start_says_why_in_a_sentence(tmp_path: Path) -> None:
    away = f"postgresql://x:hunter2@/n?host={tmp_path}"
    cases = [
        (["--host", "203.0.113.1", "--data", str(tmp_path)], "Cannot listen on"),
        (["--port", "0", "--database", "mysql://x:hunter2@y"], "not something with 'mysql'"),
        (["--port", "0", "--database", away], "not answer"),
    ]
    with ThreadPoolExecutor() as pool:
        run = partial(serve, KWARTET_DATA=str(tmp_path))
        ends = list(pool.map(lambda case: run(*case[0]), cases))
    for ended, (arguments, sentence) in zip(ends, cases, strict=True):
        assert ended.returncode != 0
        assert sentence in ended.stderr, (arguments, ended.stderr)
        assert "Traceback" not in ended.stdout + ended.stderr, ended.stderr
        assert "hunter2" not in ended.stdout + ended.stderr


def test_the_secret_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    assert serve("--port", "0", "--database", "x:y", "--data", str(tmp_path)).returncode != 0
    secret = file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(secret) >= 32
    server = Server(tmp_path, KWARTET_LOG="json")
    server.start(wait=False)
    try:
        with httpx.Client(base_url=server.url, timeout=60) as client:
            cookie = client.get("/api/me").cookies["kwartet"]
    finally:
        server.stop()
    signer = Signer(secret, salt="kwartet.identity", digest_method=hashlib.sha256)
    assert signer.validate(cookie)
    assert '"event": "request"' in server.log  # as the environment asked for
    for event in ("started", "ending", "ended"):
        assert f'"event": "{event}"' in server.log
    assert secret not in server.log
