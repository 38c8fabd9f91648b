"""The notebook: its cells run from top to bottom, and what they showed is kept with them."""

import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOK = DOCS / "tour.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
CODE = ["".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"]


@pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive")
def test_the_notebook_runs_and_its_policy_learns() -> None:
    mpl.use("Agg")
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(CODE, 1):
        exec(compile(source, f"{NOTEBOOK.name}, cell {number}", "exec"), names)
    assert names["learned"].mean() > names["at_random"].mean() + 20
    assert [axes.has_data() for axes in names["figure"].axes] == [True, True]


def test_every_cell_is_kept_with_what_it_showed() -> None:
    cells = [cell for cell in CELLS if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert {output["output_type"] for output in outputs} == {"stream", "display_data"}
    assert {output.get("name", "stdout") for output in outputs} == {"stdout"}  # no warnings
    pictures = [output["data"]["image/png"] for output in outputs if "data" in output]
    assert len(pictures) == 1
    assert len(b64decode(pictures[0])) < 100_000


def test_the_links_of_the_notebook_lead_to_pages() -> None:
    text = "".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "markdown")
    links = re.findall(r"\]\(([^)#]+)", text)
    assert links
    assert [link for link in links if not (DOCS / link).is_file()] == []
