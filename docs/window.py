"""The home page is the README, and two more pages are files at the top: written once, shown twice.

{{ file README.md }}                 the file, its links and pictures turned to these pages
{{ picture board-qubic 300 Qubic }}  docs/pictures/board-qubic in both schemes: width, what it shows

A `<picture>` of the README, which follows the reader's system, becomes two images here, which
follow the switch at the top of the page.
"""

import re
from pathlib import Path

from docutils.nodes import document, image
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import SphinxError

ROOT = Path(__file__).parent.parent
CALL = re.compile(r"\{\{ file ([\w.]+) \}\}")
PAIR = re.compile(r"\{\{ picture ([\w-]+) (\d+) ([^}]+) \}\}")
PICTURE = re.compile(
    r'<picture>\s*<source [^>]*srcset="(?P<dark>[^"]+)"[^>]*>\s*'
    r'<img src="(?P<light>[^"]+)"(?P<rest>[^>]*)>\s*</picture>'
)
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
OTHERS = ("LICENSE", "CITATION.cff", "examples/")  # they are downloads on these pages


def setup(app: Sphinx) -> dict[str, bool]:
    """Sphinx calls this."""
    app.connect("source-read", _read)
    app.connect("doctree-read", _turn_figures)
    app.connect("build-finished", _find_lost_pictures)
    return {"parallel_read_safe": True}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = CALL.sub(lambda call: _file(call[1], app.env), source[0])
    source[0] = PAIR.sub(lambda call: _pair("../" * page.count("/"), *call.groups()), source[0])


def _pair(up: str, name: str, width: str, words: str) -> str:
    return "".join(
        f'<img class="only-{scheme}" src="{up}pictures/{name}-{scheme}.svg" '
        f'width="{width}" alt="{words}">'
        for scheme in ("light", "dark")
    )


def _file(name: str, env: BuildEnvironment) -> str:
    path = ROOT / name
    env.note_dependency(str(path))
    return turned(path.read_text(encoding="utf-8"))


def _turn_figures(app: Sphinx, page: document) -> None:
    """Figures of studies are drawn on paper; the style sheet turns them over at night."""
    for picture in page.findall(image):
        if "figures/" in picture["uri"] and not picture["uri"].endswith("house.svg"):
            picture["classes"].append("turned")


def _find_lost_pictures(app: Sphinx, error: Exception | None) -> None:
    """Sphinx does not look into plain HTML: no page may show a file that is not there."""
    for page in sorted(Path(app.outdir).rglob("*.html")) if error is None else ():
        for source in re.findall(r'<img[^>]* src="([^"]+)"', page.read_text(encoding="utf-8")):
            if not (page.parent / source).is_file():
                raise SphinxError(f"{page.relative_to(app.outdir)} shows {source}: no such file.")


def turned(markdown: str) -> str:
    """A file of the top folder as a page of docs/."""
    markdown = PICTURE.sub(
        r'<img class="only-light" src="\g<light>"\g<rest>>'
        r'<img class="only-dark" src="\g<dark>"\g<rest>>',
        markdown,
    )
    markdown = re.sub(r'(\]\(|(?:src|href)=")docs/', r"\1", markdown)
    for file, page in PAGES.items():
        markdown = markdown.replace(f"]({file}", f"]({page}")
    for other in OTHERS:
        markdown = markdown.replace(f"]({other}", f"](../{other}")
    return markdown
