"""The notebooks in `examples/` run from top to bottom in an empty folder."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client import KernelManager
from nbclient import NotebookClient

AGES = 600  # seconds that bound a hang and decide nothing
NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples").glob("*.ipynb"))


def test_there_are_three() -> None:
    assert len(NOTEBOOKS) == 3


@pytest.fixture(scope="module")
def kernel() -> Iterator[KernelManager]:
    """One process for all notebooks, which takes longer to start than most of their cells."""
    manager = KernelManager()
    yield manager
    manager.shutdown_kernel(now=True)
    manager.cleanup_resources()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the notebook machinery
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path: Path, tmp_path: Path, kernel: KernelManager) -> None:
    notebook: Any = nbformat.read(path, as_version=4)
    # What an earlier notebook named is forgotten, so that each brings all that it needs.
    anew = nbformat.v4.new_code_cell(f"%reset -f\n%cd -q {tmp_path}")
    notebook.cells.insert(0, anew)
    client = NotebookClient(notebook, timeout=AGES, startup_timeout=AGES, km=kernel)
    try:
        client.execute()
    finally:
        client.kc.stop_channels()
    assert any(cell.get("outputs") for cell in notebook.cells[1:])
