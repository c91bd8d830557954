"""Packages of other people, installed into a folder: their files, and what they say of themselves.

`install` does what an installer does with a package of plain Python, by its pyproject.toml, without
an installer or a network. `publish` writes the metadata alone, for modules that are on the path.
"""

import importlib
import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest

from noughts import agents
from noughts.games import registry

METADATA = "Metadata-Version: 2.1\nName: {}\nVersion: 0.1\n"


def publish(folder: Path, name: str, groups: Mapping[str, Mapping[str, str]]) -> Path:
    """Write the metadata of a package with these entry points: {group: {name: "module:thing"}}."""
    info = folder / f"{name.replace('-', '_')}-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(METADATA.format(name))
    lines = [
        f"[{group}]\n" + "".join(f"{point} = {place}\n" for point, place in points.items())
        for group, points in groups.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return folder


def install(source: Path, folder: Path) -> Path:
    """Put the packages of a project into a folder, with their entry points."""
    stated = tomllib.loads((source / "pyproject.toml").read_text())
    for package in stated["tool"]["setuptools"]["packages"]:
        shutil.copytree(source / package, folder / package)
    return publish(folder, stated["project"]["name"], stated["project"]["entry-points"])


def plug_in(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Let this process and those that it starts find what lies in these folders."""
    for folder in folders:
        monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", ":".join(map(str, [*folders, Path(__file__).parent])))
    forget()


def forget() -> None:
    """Look for entry points again."""
    importlib.invalidate_caches()
    registry._third_party.cache_clear()
    registry._build.cache_clear()
    agents._registry.cache_clear()
