"""What a release is made of, as CycloneDX (1.6): locked Python packages, and the page's parts.

Python packages are those of requirements/run.txt, with which `make run` serves; a wheel asks
for them and does not hold them. Packages of npm are those whose code is in the built page:
what its sources import, and what that imports in turn. The same tree gives the same list.
"""

import base64
import json
import re
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
LOCKED: Final = re.compile(r"^([\w.-]+)==([^ ;\\]+)", re.MULTILINE)
DIGEST: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")
IMPORTED: Final = re.compile(r"""(?:from|import)\s+['"]((?:@[\w.-]+/)?[\w-][\w.-]*)""")
SHOWN: Final = "@fontsource-variable/fraunces"  # the display font, which no import names
NAMESPACE: Final = uuid.UUID("6d0d0c0e-8b53-5d5a-9d3b-6a1d7c1c5b3e")

Component = dict[str, Any]


def sbom(version: str, files: dict[str, str]) -> Component:
    """The list for this version; `files` are the packages of the release, with their SHA-256."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    product = _component("pypi", project["name"], version) | {
        "type": "application",
        "description": project["description"],
        "licenses": [{"license": {"id": project["license"]}}],
        "externalReferences": [
            {"type": "distribution", "url": name, "hashes": [_sha256(digest)]}
            for name, digest in sorted(files.items())
        ],
    }
    told = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": product},
        "components": [*python_packages(), *page_packages()],
    }
    return told | {"serialNumber": f"urn:uuid:{uuid.uuid5(NAMESPACE, json.dumps(told))}"}


def python_packages() -> list[Component]:
    """Those that are locked for serving; the ones only for building are `excluded`."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    asked = [*groups["dependency-groups"]["boot"], *groups["dependency-groups"]["run"]]
    building = {re.split(r"[=<>]", each)[0] for each in asked if isinstance(each, str)}
    text = (ROOT / "requirements/run.txt").read_text(encoding="utf-8")
    found = [*LOCKED.finditer(text)]
    ends = [*(each.start() for each in found[1:]), len(text)]
    packages = []
    for each, end in zip(found, ends, strict=True):
        name, version = each.groups()
        digests = DIGEST.findall(text[each.start() : end])
        packages.append(
            _component("pypi", name, version)
            | {"scope": "excluded" if name in building else "required"}
            | {"externalReferences": [_registry(name, version, digests)]}
        )
    return packages


def page_packages() -> list[Component]:
    """Those whose code is in the built page, with what they depend on."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))["packages"]
    waiting, seen = sorted(_imported(lock)), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in seen and f"node_modules/{name}" in lock:
            seen.add(name)
            waiting += lock[f"node_modules/{name}"].get("dependencies", {})
    return [_npm(name, lock[f"node_modules/{name}"]) for name in sorted(seen)]


def _imported(lock: dict[str, Any]) -> Iterator[str]:
    """The packages that the page's own sources name, tests aside."""
    yield SHOWN
    for folder in ("src", "worker"):
        for path in (ROOT / "web" / folder).rglob("*"):
            if path.suffix in (".ts", ".svelte") and not _is_test(path):
                for name in IMPORTED.findall(path.read_text(encoding="utf-8")):
                    if f"node_modules/{name}" in lock:
                        yield name


def _is_test(path: Path) -> bool:
    return ".test." in path.name or path.stem == "testing"


def _npm(name: str, locked: dict[str, Any]) -> Component:
    algorithm, _, digest = locked["integrity"].partition("-")
    content = base64.b64decode(digest).hex()
    made = _component("npm", name, locked["version"]) | {
        "scope": "required",
        "hashes": [{"alg": algorithm.upper().replace("SHA", "SHA-"), "content": content}],
    }
    return made | {"licenses": [{"expression": locked["license"]}]} if "license" in locked else made


def _component(kind: str, name: str, version: str) -> Component:
    """A library, with the URL by which every tool knows it."""
    purl = f"pkg:{kind}/{name.replace('@', '%40')}@{version.replace('+', '%2B')}"
    return {
        "type": "library",
        "name": name,
        "version": version,
        "bom-ref": purl,
        "purl": purl,
    }


def _registry(name: str, version: str, digests: list[str]) -> Component:
    """Where the files are that the lock allows; any one of them may be installed."""
    url = f"https://pypi.org/project/{name}/{version}/"
    return {"type": "distribution", "url": url, "hashes": [_sha256(each) for each in digests]}


def _sha256(digest: str) -> dict[str, str]:
    return {"alg": "SHA-256", "content": digest}
