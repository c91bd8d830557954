"""Write docs/gallery.md and its figures from the runs of `noughts study all`.

noughts study all --quick --out runs/all
python docs/write_gallery.py runs/all --quick
"""

import argparse
from pathlib import Path

from noughts.report import Report
from noughts.studies import listed_studies, run_study, study_parameters

DOCS = Path(__file__).parent
FIGURES = DOCS / "figures" / "studies"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a finished run of `noughts study all`")
    parser.add_argument("--quick", action="store_true", help="that run was a quick one")
    options = parser.parse_args()
    quick = " --quick" if options.quick else ""
    parts = [
        "# Gallery\n\nEvery figure that the studies draw, from one run of "
        f"`noughts study all{quick}`. Each report has the tables behind them.\n"
    ]
    for listing in listed_studies():
        parameters = study_parameters(listing.name, options.quick)
        _, report = run_study(listing.name, parameters, options.folder / listing.name)
        parts.append(_section(listing.name, report))
    (DOCS / "gallery.md").write_text("\n".join(parts), encoding="utf-8")


def _section(name: str, report: Report) -> str:
    lines = [f"## {report.title}\n", f"{report.lead} `noughts study {name}`\n"]
    for figure in report.figures:
        path = FIGURES / name / f"{figure.name}.svg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(figure.svg, encoding="utf-8")
        caption = figure.caption or report.title
        lines.append(f"![{caption}]({path.relative_to(DOCS).as_posix()})\n\n*{caption}*\n")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
