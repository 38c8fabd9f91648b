"""Files that others may read at any time."""

from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there as a whole or as it was before."""
    draft = path.with_name(path.name + ".part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)
