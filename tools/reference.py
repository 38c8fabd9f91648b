"""The library's reference for the documentation: `{reference} kwartet.bots` in a page's Markdown.

The sources are read, not imported (Griffe), so that the documentation is built without the
compiled rules. What is public is what a module's `__all__` lists; the words are its docstrings,
and of a field the comment behind it.
"""

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import griffe
from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

SOURCES: Final = Path(__file__).resolve().parents[1] / "src"
# What stands in front of a parameter of this kind.
STARS: Final = {
    griffe.ParameterKind.var_positional: "*",
    griffe.ParameterKind.var_keyword: "**",
}
Named = griffe.Object | griffe.Alias


class Reference(SphinxDirective):
    """All that a module makes public, in the order of its `__all__`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The directives of Sphinx's own domain, read as if they stood in the page."""
        for file in SOURCES.rglob("*.py"):
            self.env.note_dependency(str(file))
        lines = StringList(list(_lines(self.arguments[0])), source=self.arguments[0])
        holder = nodes.container()
        self.state.nested_parse(lines, self.content_offset, holder)
        return holder.children


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_directive("reference", Reference)
    return {"parallel_read_safe": True}


def public(module: str) -> list[str]:
    """The names that the module makes public: its `__all__`, else what it defines."""
    found = _module(module)
    if found.exports:
        return [str(name) for name in found.exports]
    return [
        name
        for name, member in found.members.items()
        if not name.startswith("_") and not member.is_alias and member.has_docstring
    ]


@functools.cache
def _load() -> griffe.Object:
    loaded = griffe.load("kwartet", search_paths=[SOURCES], resolve_aliases=True)
    assert isinstance(loaded, griffe.Object)
    return loaded


def _module(path: str) -> griffe.Object:
    found = _load() if path == "kwartet" else _load()[path.removeprefix("kwartet.")]
    assert isinstance(found, griffe.Object)
    return found


def _lines(module: str) -> Iterator[str]:
    """The module's names; those of a module among them after all others."""
    found = _module(module)
    named = {name: _meant(found.members[name], name) for name in public(module)}
    inner = {name: meant for name, meant in named.items() if isinstance(meant, griffe.Module)}
    yield from _told("py:module", module)
    yield " · ".join(f"{{py:obj}}`{name} <{module}.{name}>`" for name in named if name not in inner)
    yield ""
    for name, meant in named.items():
        if name not in inner:
            yield from _described(name, meant)
    for name, meant in inner.items():
        yield from _told("py:module", f"{module}.{name}")
        yield from (f"## {module}.{name}", "", *_words(meant))
        for each in public(meant.path):
            yield from _described(each, _meant(meant.members[each], each))
    yield from _told("py:currentmodule", module)


def _told(directive: str, argument: str) -> tuple[str, ...]:
    return (f"```{{{directive}}} {argument}", "```", "")


def _meant(named: Named, name: str) -> griffe.Object:
    """What the name stands for; of a module and a function by one name, the function."""
    meant = named.final_target if isinstance(named, griffe.Alias) else named
    if isinstance(meant, griffe.Module) and name in meant.members:
        return _meant(meant.members[name], name)
    return meant


def _described(name: str, meant: griffe.Object, *, inside: bool = False) -> Iterator[str]:
    """One name, in a fence that is longer than all inside it."""
    fence = "`" * (7 if inside else 8)
    if isinstance(meant, griffe.Class):
        yield from _class(name, meant, fence)
    elif isinstance(meant, griffe.Function):
        kind = "py:method" if inside else "py:function"
        yield from _entry(fence, kind, name + _signature(meant), meant, _ways(meant))
    else:
        assert isinstance(meant, griffe.Attribute)
        kind = "py:attribute" if inside else "py:data"
        kind = "py:property" if "property" in meant.labels else kind
        told = str(meant.annotation or "")
        is_plain = told and not told.startswith("Final")
        yield from _entry(fence, kind, name, meant, [f":type: {told}"] if is_plain else [])


def _class(name: str, found: griffe.Class, fence: str) -> Iterator[str]:
    maker = found.members.get("__init__")
    made = _signature(maker) if isinstance(maker, griffe.Function) and maker.lineno else ""
    kind = "py:exception" if any("Error" in str(base) for base in found.bases) else "py:class"
    yield f"{fence}{{{kind}}} {name}{made}"
    yield ""
    yield from _words(found)
    if maker is not None and maker.lineno and maker.docstring:
        yield from _words(maker)
    for inner, member in found.members.items():
        is_told = isinstance(member, griffe.Object) and (member.docstring or member.is_attribute)
        if is_told and not inner.startswith("_"):
            yield from _described(inner, _meant(member, inner), inside=True)
    yield from (fence, "")


def _entry(fence: str, kind: str, title: str, named: Named, options: list[str]) -> Iterator[str]:
    yield from (f"{fence}{{{kind}}} {title}", *options, "")
    yield from _words(named)
    yield from (fence, "")


def _words(named: Named) -> Iterator[str]:
    """The docstring as Markdown, or the comment behind an attribute."""
    if named.docstring:
        yield from _marked(named.docstring.value)
    elif named.is_attribute and (said := _comment(named)):
        yield from (said[0].upper() + said[1:] + ("" if said[-1] in ".?!" else "."), "")


def _marked(text: str) -> Iterator[str]:
    """Docstrings show code by indenting it; so does Markdown, but says not what it is."""
    blocks = re.split(r"\n\s*\n", text)
    for block in blocks:
        if block.startswith("    "):
            yield "```python"
            yield from (line.removeprefix("    ") for line in block.splitlines())
            yield "```"
        else:
            yield from block.splitlines()
        yield ""


def _comment(named: Named) -> str:
    """What stands behind the attribute in its file."""
    if not named.lineno or not isinstance(named.filepath, Path):
        return ""
    line = named.filepath.read_text(encoding="utf-8").splitlines()[(named.endlineno or 0) - 1]
    return line.partition("  # ")[2].strip()


def _signature(function: griffe.Function) -> str:
    """What the function takes and gives, as it is written in its source."""
    parts: list[str] = []
    starred = False
    for parameter in function.parameters:
        if parameter.name in ("self", "cls") and not parts:
            continue
        if parameter.kind is griffe.ParameterKind.keyword_only and not starred:
            parts.append("*")
            starred = True
        starred = starred or parameter.kind is griffe.ParameterKind.var_positional
        parts.append(_parameter(parameter))
    gives = f" -> {_plain(function.returns)}" if function.returns else ""
    return f"({', '.join(parts)}){gives}"


def _parameter(parameter: griffe.Parameter) -> str:
    kind = parameter.kind
    text = (STARS.get(kind, "") if kind else "") + parameter.name
    if parameter.annotation:
        text += f": {_plain(parameter.annotation)}"
    if parameter.default is not None and kind not in STARS:
        text += f" = {parameter.default}" if parameter.annotation else f"={parameter.default}"
    return text


def _plain(annotation: object) -> str:
    """An annotation without the quotes that a name may need in the source."""
    text = str(annotation)
    return text[1:-1] if text[:1] in "\"'" and text[:1] == text[-1:] else text


def _ways(function: griffe.Function) -> list[str]:
    """How the function is called, besides plainly."""
    options = [":async:"] if "async" in function.labels else []
    return options + [
        f":{way}:" for way in ("classmethod", "staticmethod") if way in function.labels
    ]
