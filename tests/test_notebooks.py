"""The notebooks in `examples/` run from top to bottom in an empty folder."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

AGES = 600  # seconds that bound a hang and decide nothing
NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples").glob("*.ipynb"))


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the notebook machinery
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, tmp_path: Path) -> None:
    notebook: Any = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    client = NotebookClient(notebook, timeout=AGES, startup_timeout=AGES, resources=resources)
    client.execute()
    assert any(cell.get("outputs") for cell in notebook.cells)
