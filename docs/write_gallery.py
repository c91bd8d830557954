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

Figures that the studies draw, from one run of `noughts study all --quick`: sizes that take minutes,
so that curves are coarse and intervals wide. [Studies](studies.md) has the findings at full size.
Below each figure stands what one sees, and the command that draws it.
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
    lines = [f"## {title}\n", f"{lead}\n"]
    for caption, figure in _figures(run, page):
        path = FIGURES / run.name / figure.name
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(figure, path)
        name = figure.stem.replace("-", " ")
        lines.append(f"![{title}: {name}]({path.relative_to(DOCS).as_posix()})\n")
        lines.append(f"*{caption}* `noughts study {run.name} --quick`\n")
    return "\n".join(lines)


def _figures(run: Path, page: str) -> list[tuple[str, Path]]:
    """The figures in the order of the report, each with its caption there."""
    found = []
    for figure in (run / "figures").glob("*.svg"):
        svg = figure.read_text(encoding="utf-8")
        drawing = svg[svg.index("<svg") :]
        place = page.index(drawing)
        caption = re.match(r"</div><figcaption>(.*?)</figcaption>", page[place + len(drawing) :])
        assert caption is not None
        found.append((place, _plain(caption[1]), figure))
    return [(caption, figure) for _, caption, figure in sorted(found)]


def _plain(html: str) -> str:
    marked = re.sub(r"</?code>", "`", html)
    return unescape(re.sub(r"<[^>]+>", "", marked))


if __name__ == "__main__":
    main()
