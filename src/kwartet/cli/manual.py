"""`kwartet manual`: the manual page, made of the same text as `--help`."""

import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from kwartet.cli import guide

ENVIRONMENT: Final = {
    "KWARTET_DATA": "The folder for saved matches and the server's data.",
    "KWARTET_DATABASE": "The URL of the server's database.",
    "KWARTET_TOKEN": "Who one is at a server.",
    "NO_COLOR": "If it is set, nothing has colours.",
}
STATUS: Final = {
    "0": "All went well.",
    "1": "What was looked at is not in order.",
    "2": "Something cannot be done; a sentence says what.",
    "130": "Ctrl-C. What was done is kept.",
}


def run() -> None:
    """Print the manual page, for man to show.

    Put it where `man` looks, such as ~/.local/share/man/man1/kwartet.1.
    """
    sys.stdout.write(page())


def page() -> str:
    """The manual page in roff."""
    import typer

    from kwartet.cli import app

    root: Any = typer.main.get_command(app)
    return "\n".join(_page(root)) + "\n"


def _page(root: Any) -> Iterator[str]:
    yield f'.TH KWARTET 1 "" "kwartet {_version()}"'
    yield from (".SH NAME", rf"kwartet \- {_escaped(_first(root.help))}")
    yield from (".SH SYNOPSIS", ".B kwartet", "[OPTIONS] COMMAND [ARGUMENTS]")
    yield from (".SH DESCRIPTION", _escaped(_first(root.help)))
    yield from (".SH OPTIONS", *_parameters(root))
    for group, commands in guide.COMMANDS.items():
        yield f".SH {_escaped(group.upper())}"
        for words in commands:
            yield from _command(root, words)
    for title, terms in (("ENVIRONMENT", ENVIRONMENT), ("EXIT STATUS", STATUS)):
        yield f".SH {title}"
        for term, meaning in terms.items():
            yield from (".TP", f".B {_escaped(term)}", _escaped(meaning))


def _command(root: Any, words: str) -> Iterator[str]:
    command = root
    for word in words.split():
        command = command.commands[word]
    yield f".SS kwartet {_escaped(words)}"
    for paragraph in (command.help or "").split("\n\n"):
        yield from (".PP", _escaped(" ".join(paragraph.split())))
    yield from _parameters(command)
    yield from (".PP", "Examples:", ".nf", ".RS")
    yield from (_escaped(line) for line in guide.examples(words))
    yield from (".RE", ".fi")


def _parameters(command: Any) -> Iterator[str]:
    for each in command.params:
        if getattr(each, "hidden", False):
            continue
        is_option = each.opts and each.opts[0].startswith("-")
        names = ", ".join([*each.opts, *each.secondary_opts]) if is_option else ""
        value = each.metavar or ("" if getattr(each, "is_flag", False) else each.name.upper())
        told = " ".join(filter(None, [names, value])) if is_option else (value or each.name)
        yield from (".TP", f".B {_escaped(told)}", _escaped(_plain(each.help or "")) or r"\&")


def _first(text: str | None) -> str:
    """The first paragraph on one line."""
    return " ".join((text or "").split("\n\n")[0].split())


def _plain(text: str) -> str:
    return " ".join(text.replace("`", "").split())


def _escaped(text: str) -> str:
    """As roff prints it: hyphens are hyphens, and nothing at a line's start is a request."""
    safe = _plain(text).replace("\\", r"\e").replace("-", r"\-")
    safe = "".join(c if c.isascii() else rf"\[u{ord(c):04X}]" for c in safe)
    return rf"\&{safe}" if re.match(r"[.']", safe) else safe


def _version() -> str:
    try:
        return version("kwartet")
    except PackageNotFoundError:
        return ""
