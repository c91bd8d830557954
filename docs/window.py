"""The home page is the README, and two more pages are files at the top: written once, shown twice.

{{ file README.md }}      the file, its links and pictures turned to where these pages are

A `<picture>` of the README, which follows the reader's system, becomes two images here, which
follow the switch at the top of the page.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

ROOT = Path(__file__).parent.parent
CALL = re.compile(r"\{\{ file ([\w.]+) \}\}")
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
    return {"parallel_read_safe": True}


def _read(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = CALL.sub(lambda call: _file(call[1], app.env), source[0])


def _file(name: str, env: BuildEnvironment) -> str:
    path = ROOT / name
    env.note_dependency(str(path))
    return turned(path.read_text(encoding="utf-8"))


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
