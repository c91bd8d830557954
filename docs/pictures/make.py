"""`make pictures`: every picture, animation and number of the README and of the home page.

python docs/pictures/make.py [house] [boards] [curve] [proof] [page] [speed] [readme]

house    the drawing of the house, from the layers of pyproject.toml
boards   the boards, as the program draws them
curve    the figure of the danger curve, and what its study says          under a minute
proof    the check of the proof of Qubic                                  under a minute
page     the page in Chromium: the picture at the top, the animation      a minute
speed    the benchmark against OpenSpiel and Pgx; a quiet machine, please minutes
readme   the README's numbers, from what the others left

Without a name all of them are made, in this order.
"""

import argparse
import importlib
from collections.abc import Callable

# Each loads only what it needs: boards are drawn where there is no browser.
PARTS = {
    "house": ("house", "take"),
    "boards": ("boards", "take"),
    "curve": ("readme", "take_curve"),
    "proof": ("readme", "take_proof"),
    "page": ("page", "take"),
    "speed": ("readme", "take_speed"),
    "readme": ("readme", "take_readme"),
}


def main() -> None:
    """Make what was named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    named = parser.parse_args().parts
    unknown = [part for part in named if part not in PARTS]
    if unknown:
        parser.error(f"{unknown[0]} is not a part; parts: {', '.join(PARTS)}.")
    for part, (module, function) in PARTS.items():
        if not named or part in named:
            take: Callable[[], None] = getattr(importlib.import_module(module), function)
            take()


if __name__ == "__main__":
    main()
