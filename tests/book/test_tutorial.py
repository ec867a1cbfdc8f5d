"""The tutorial runs from top to bottom, and shows what the notebook on disk shows."""

from pathlib import Path

import pytest

TUTORIAL = Path(__file__).parent.parent.parent / "docs" / "tutorial.ipynb"


def shown(notebook):
    """What each cell shows: its formula, or else its text."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = [[output.get("data", {}) for output in cell.outputs] for cell in cells]
    return [[data.get("text/latex", data.get("text/plain")) for data in each] for each in outputs]


@pytest.mark.filterwarnings("ignore")
def test_the_tutorial():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(TUTORIAL, as_version=4)
    before = shown(notebook)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False).execute()
    assert shown(notebook) == before
