"""Gives a built documentation what it needs to be served as strictly as the page is.

The server's policy lets a page run and wear nothing but files of its own: no script, no style
inside the HTML. So whatever Sphinx and its theme write there is moved to files named after
their content. What scrolls can be reached by keys, and headings say how high they are, which
the theme forgets. Beside each file that gets smaller by it is left its compressed form, which the
server hands out.
"""

import gzip
import hashlib
import re
from pathlib import Path
from typing import Any, Final

from sphinx.application import Sphinx

SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.S)
STYLE: Final = re.compile(r"<style>(.*?)</style>", re.S)
STYLED: Final = re.compile(r'(<[a-z][^<>]*?) style="([^"]*)"([^<>]*>)')
HEADING: Final = re.compile(r'role="heading"(?! aria-level)')  # the theme does not say which
SCROLLED: Final = re.compile(r'<pre(?=>)|<div (?=class="table-wrapper)')  # and by keys, too
CLASS: Final = re.compile(r'class="([^"]*)"')
SHRINKING: Final = {".html", ".js", ".css", ".svg", ".json", ".txt", ".inv"}


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True}


def _finish(app: Sphinx, failure: Exception | None) -> None:
    if failure is None and app.builder.format == "html":
        folder = Path(app.outdir)
        for file in sorted(folder.rglob("*.html")):
            file.write_text(moved_out(file.read_text(encoding="utf-8"), file, folder), "utf-8")
        compress(folder)


def moved_out(page: str, file: Path, folder: Path) -> str:
    """The page with its scripts and styles in files under `folder`, at their old places."""
    up = "../" * len(file.relative_to(folder).parents[:-1])

    def script(found: re.Match[str]) -> str:
        return f'<script src="{up}{_keep(folder, found[1], "js")}"></script>'

    def style(found: re.Match[str]) -> str:
        return f'<link rel="stylesheet" href="{up}{_keep(folder, found[1], "css")}">'

    rules: dict[str, str] = {}
    page = STYLE.sub(style, SCRIPT.sub(script, page))
    page = HEADING.sub('role="heading" aria-level="2"', page)
    page = SCROLLED.sub(lambda found: f'{found[0].rstrip()} tabindex="0" ', page)
    page = STYLED.sub(lambda found: _classed(found, rules), page)
    if rules:
        sheet = "".join(f".{name} {{ {rule} }}\n" for name, rule in sorted(rules.items()))
        link = f'<link rel="stylesheet" href="{up}{_keep(folder, sheet, "css")}">'
        page = page.replace("</head>", f"{link}</head>", 1)
    return page


def _classed(found: re.Match[str], rules: dict[str, str]) -> str:
    """A tag with a class in place of its style."""
    name = f"own-{_digest(found[2])}"
    rules[name] = found[2]
    before, after = found[1], found[3]
    for part in (before, after):
        if CLASS.search(part):
            return (before + after).replace('class="', f'class="{name} ', 1)
    return f'{before} class="{name}"{after}'


def _keep(folder: Path, content: str, ending: str) -> str:
    name = f"_static/own-{_digest(content)}.{ending}"
    (folder / name).write_text(content, encoding="utf-8")
    return name


def _digest(content: str) -> str:
    return hashlib.blake2s(content.encode(), digest_size=6).hexdigest()


def compress(folder: Path) -> None:
    """Leave a gzip beside each file that gets smaller by it."""
    for file in sorted(folder.rglob("*")):
        if file.suffix not in SHRINKING or not file.is_file():
            continue
        content = file.read_bytes()
        packed = gzip.compress(content, mtime=0)
        if len(packed) < len(content):
            file.with_name(f"{file.name}.gz").write_bytes(packed)
