"""`noughts prove GAME`: the value of a game by search, with a certificate."""

import argparse
from pathlib import Path

from noughts.commands.arguments import Subparsers, add_json, print_json
from noughts.commands.progress import progress_bar


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "prove",
        help="prove who wins, by search",
        description="Prove the result of perfect play on a board without risk, find every first "
        "move that wins, and write a certificate that '--check' replays without trusting "
        "the search: the winner's moves against every reply.",
    )
    parser.add_argument("game", help="a spec such as 3x3x3, 6x6:k=4 or 3x3:misere")
    parser.add_argument("--certificate", type=Path, metavar="FILE", help="write the proof here")
    parser.add_argument("--check", type=Path, metavar="FILE", help="check such a file instead")
    parser.add_argument(
        "--moves",
        choices=("all", "one"),
        default="all",
        help="find all winning first moves, or stop at one (default: all)",
    )
    add_json(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    if options.check is not None:
        return _check(options)
    from noughts.search.prove import prove, prove_with_certificate

    all_moves = options.moves == "all"
    with progress_bar() as bar:
        if options.certificate is None:
            proof = prove(options.game, all_moves, progress=bar)
        else:
            proof, certificate = prove_with_certificate(options.game, all_moves, progress=bar)
            certificate.save(options.certificate)
    if options.json:
        print_json(proof.to_dict())
        return 0
    print(f"{proof.game}: {_sentence(proof.result)}")
    if proof.winning_moves:
        print(f"winning first moves: {', '.join(map(str, proof.winning_moves))}")
    print(f"{proof.nodes:,} positions in {proof.seconds:.3f} s")
    return 0


def _check(options: argparse.Namespace) -> int:
    from noughts.games import game
    from noughts.search.certificate import Certificate, check_certificate

    certificate = Certificate.load(options.check)
    report = check_certificate(certificate, game(options.game))
    if options.json:
        print_json({"game": certificate.game, "result": certificate.result, "checked": report})
        return 0
    print(f"{certificate.game}: {_sentence(certificate.result)}")
    print(f"checked {report:,} positions; every reply is answered")
    return 0


def _sentence(result: str) -> str:
    return "a draw" if result == "draw" else f"{result} wins"
