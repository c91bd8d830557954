"""Write docs/gallery.md and its figures from the run folders of `noughts study all`.

noughts study all --quick --out runs/all
python docs/write_gallery.py runs/all
"""

import argparse
import re
import shutil
from html import unescape
from pathlib import Path

from noughts.studies import listed_studies

DOCS = Path(__file__).parent
FIGURES = DOCS / "figures" / "studies"
HEAD = """# Gallery

Figures that the studies draw, from one run of `noughts study all --quick`. Each report has the
tables behind them.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a finished run of `noughts study all`")
    folder = parser.parse_args().folder
    sections = [_section(folder / listing.name) for listing in listed_studies()]
    (DOCS / "gallery.md").write_text("\n".join([HEAD, *sections]), encoding="utf-8")


def _section(run: Path) -> str:
    page = (run / "report.html").read_text(encoding="utf-8")
    title = _plain(re.findall(r"<h1>(.*?)</h1>", page)[0])
    lead = _plain(re.findall(r"<p class=lead>(.*?)</p>", page)[0])
    lines = [f"## {title}\n", f"{lead} `noughts study {run.name}`\n"]
    for figure in sorted((run / "figures").glob("*.svg")):
        path = FIGURES / run.name / figure.name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(figure, path)
        name = figure.stem.replace("-", " ")
        lines.append(f"![{title}: {name}]({path.relative_to(DOCS).as_posix()})\n")
    return "\n".join(lines)


def _plain(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html))


if __name__ == "__main__":
    main()
