"""The built page's files, each as small as the asker can read it.

The build leaves a file's compressed forms beside it, so nothing is compressed here. What the
API answers is not compressed at all: it may hold secrets beside what others wrote, and the
length of the two together would tell of the secrets.
"""

import mimetypes
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response

ENDINGS: Final = {"br": ".br", "gzip": ".gz"}  # by encoding, the smaller first
IDENTITY: Final = "identity"
FOREVER: Final = "public, max-age=31536000, immutable"  # what a file's name tells of its content
TYPES: Final = {".webmanifest": "application/manifest+json"}  # not known everywhere


def find(folder: Path, path: str) -> Path | None:
    """The folder's file by this name, if there is one. Compressed forms are not asked for."""
    try:
        file = (folder / path).resolve()
        inside = file.is_relative_to(folder) and file.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return None
    return file if inside and file.suffix not in ENDINGS.values() else None


def answer(file: Path, asked: Headers, headers: dict[str, str]) -> Response:
    """The file in the encoding that the asker likes best, or that it has not changed."""
    forms = _forms(file)
    encoding = preferred(asked.get("accept-encoding"), list(forms))
    form = forms.get(encoding, file)
    stat = form.stat()
    tag = f'"{stat.st_mtime_ns:x}-{stat.st_size:x}-{encoding}"'
    sent = headers | {"etag": tag, "vary": "accept-encoding"}
    if is_named(asked.get("if-none-match"), tag):
        return Response(status_code=304, headers=sent)
    if encoding != IDENTITY:
        sent["content-encoding"] = encoding
    kind = TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0]
    return FileResponse(form, headers=sent, media_type=kind, stat_result=stat)


def _forms(file: Path) -> dict[str, Path]:
    """The file's compressed forms by encoding, but for those of a file that was there before."""
    changed = file.stat().st_mtime_ns
    forms = {name: file.with_name(file.name + end) for name, end in ENDINGS.items()}
    return {
        name: form
        for name, form in forms.items()
        if form.is_file() and form.stat().st_mtime_ns >= changed
    }


def preferred(accepted: str | None, available: list[str]) -> str:
    """The best of the available encodings by an Accept-Encoding header, else `identity`.

    Of those that are liked as well the first; what is not named at all is not compressed.
    """
    liked = _weights(accepted or "")
    rest = liked.get("*", 0.0)
    best, weight = IDENTITY, liked.get(IDENTITY, 0.0)
    for name in available:
        its = liked.get(name, rest)
        if its > weight or (its == weight > 0 and best == IDENTITY):
            best, weight = name, its
    return best


def _weights(header: str) -> dict[str, float]:
    """How much each encoding is liked, from 0 (not at all) to 1. Nonsense is left out."""
    weights = {}
    for part in header.lower().split(","):
        name, _, parameter = (piece.strip() for piece in part.partition(";"))
        key, _, value = (piece.strip() for piece in parameter.partition("="))
        if name and not parameter:
            weights[name] = 1.0
        elif name and key == "q" and _is_weight(value):
            weights[name] = float(value)
    return weights


def _is_weight(text: str) -> bool:
    """Whether this is a number from 0 to 1 with at most three decimals."""
    whole, _, decimals = text.partition(".")
    digits = decimals.ljust(3, "0")
    return (whole == "0" and len(digits) == 3 and digits.isdecimal() and digits.isascii()) or (
        whole == "1" and digits == "000"
    )


def is_named(header: str | None, tag: str) -> bool:
    """Whether an If-None-Match header names this tag."""
    sent = [part.strip().removeprefix("W/") for part in (header or "").split(",")]
    return tag in sent or sent == ["*"]
