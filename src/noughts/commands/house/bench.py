"""`noughts bench`: how fast this machine plays, and a signature of what was played."""

import argparse

from noughts.commands.terminal.arguments import Subparsers, add_json, print_json


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "bench",
        help="measure speed and print a deterministic signature",
        description="Run a fixed amount of work on one core and print its speed. The signature is "
        "a digest of the results: it changes only when the rules or the random streams do.",
        epilog="Example: noughts bench --json",
    )
    parser.add_argument(
        "--net",
        action="store_true",
        help="instead, digest what every search, learner and environment answers, row by row",
    )
    add_json(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    if options.net:
        return _run_net(options)
    from noughts.bench.speed import left_out, run_bench, signature

    rows = run_bench()
    if options.json:
        found = {"rows": [vars(row) for row in rows], "signature": signature(rows)}
        print_json(found | {"left_out": left_out()})
        return 0
    print(f"{'work':34}{'amount':>12}{'seconds':>10}{'per second':>16}")
    for row in rows:
        print(f"{row.work:34}{row.amount:>12,}{row.seconds:>10.3f}{row.rate:>16,.0f}")
    if (sentence := left_out()) is not None:
        print(sentence)
    print(f"signature {signature(rows)}")
    return 0


def _run_net(options: argparse.Namespace) -> int:
    """A digest of each answer; a refactor changes none of them."""
    from noughts.bench.net import knots

    rows = {}
    for knot in knots():
        rows[knot.work] = knot.digest
        if not options.json:
            print(f"{knot.digest}  {knot.work}", flush=True)
    if options.json:
        print_json(rows)
    return 0
