"""How the documentation is built: Sphinx, MyST's Markdown, the theme Furo. `make docs` runs it.

Warnings are errors there. Nothing is fetched, neither while building nor while reading, and search
works from the disk. docs/architecture.md says why it is these three.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # the modules beside this file

import noughts

project = "Noughts"
author = "The Noughts developers"
copyright = "The Noughts developers"  # Sphinx's name for it
version = release = noughts.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "docstrings",
    "tables",
    "window",
]
exclude_patterns = ["pictures/README.md"]
nitpicky = True  # a name that nobody documents is a warning, too
nitpick_ignore_regex = [
    (r"py:.*", r"(numpy|np|pathlib|collections|typing|abc|concurrent|random|jax)\..*"),
    (r"py:.*", r"(Path|Any|Callable|Iterable|Iterator|Sequence|Mapping|Self|Literal)"),
    (r"py:.*", r"(int|str|float|bool|bytes|dict|list|tuple|set|frozenset|type|object|None|range)"),
    (r"py:exc", r".*Error"),  # Python's own
    (r"py:class", r"\w+(Rules|Search)"),  # tuples for kernels, told in their files
]

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "html_image"]
myst_heading_anchors = 4  # page.md#a-heading

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True}
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 72
python_display_short_literal_types = True
toc_object_entries_show_parents = "hide"
default_role = "code"  # `so` is code in docstrings, as it is in Markdown

html_theme = "furo"
html_title = "Noughts"
html_static_path = ["_static"]
html_css_files = ["paper.css"]
html_copy_source = False
html_show_sourcelink = False
html_scaled_image_link = False
html_show_sphinx = False
html_show_search_summary = False  # it would be fetched, which browsers refuse on the disk
html_favicon = "_static/icon.svg"
highlight_language = "none"  # unless a block says otherwise
pygments_style = "ink.LightInk"
pygments_dark_style = "ink.DarkInk"

FONTS = 'system-ui, -apple-system, "Segoe UI", "Helvetica Neue", "Noto Sans", sans-serif'
MONOSPACE = 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, monospace'


def _colours(
    paper: str, sheet: str, shade: str, edge: str, ink: str, soft: str, blue: str
) -> dict[str, str]:
    """The page's colours under Furo's names."""
    return {
        "font-stack": FONTS,
        "font-stack--monospace": MONOSPACE,
        "color-background-primary": sheet,
        "color-background-secondary": paper,
        "color-background-hover": shade,
        "color-background-hover--transparent": f"{shade}00",
        "color-background-border": edge,
        "color-background-item": edge,
        "color-foreground-primary": ink,
        "color-foreground-secondary": soft,
        "color-foreground-muted": soft,
        "color-foreground-border": edge,
        "color-announcement-background": paper,
        "color-brand-primary": blue,
        "color-brand-content": blue,
        "color-brand-visited": blue,
        "color-api-background": paper,
        "color-api-background-hover": shade,
        "color-api-name": ink,
        "color-api-pre-name": soft,
        "color-api-keyword": soft,
        "color-api-paren": soft,
        "color-inline-code-background": paper,
        "color-highlight-on-target": shade,
        "color-code-background": paper,
        "color-code-foreground": ink,
        "color-guilabel-background": paper,
        "color-guilabel-border": edge,
        "color-admonition-background": paper,
        "color-card-background": sheet,
        "color-card-border": edge,
        "color-table-header-background": paper,
        "color-table-border": edge,
    }


html_theme_options = {
    "light_css_variables": _colours(
        "#f6efe0", "#fffcf5", "#efe6d3", "#d5c8ae", "#2e2a23", "#6a6049", "#1d5191"
    ),
    "dark_css_variables": _colours(
        "#1c232b", "#171d24", "#2a333d", "#3b4652", "#eae5da", "#b0ac9f", "#8fc1fa"
    ),
    "sidebar_hide_name": True,
    "light_logo": "logo-light.svg",
    "dark_logo": "logo-dark.svg",
}
