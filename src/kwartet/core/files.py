"""Files that others may read at any time."""

from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it is there as a whole or as it was before."""
    draft = path.with_name(path.name + ".part")
    try:
        draft.write_bytes(content.encode() if isinstance(content, str) else content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
