"""`noughts prove GAME`: the value of a game by search, with a certificate."""

import argparse
from pathlib import Path

from noughts.commands.arguments import Subparsers, add_json, print_json, whole_number
from noughts.commands.progress import progress_bar
from noughts.errors import NoughtsError

MEMORY = 2048  # megabytes


def add(commands: Subparsers) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        "prove",
        help="prove who wins, by search",
        description="Prove the result of perfect play on a board without risk, find the first "
        "moves that win, and write a certificate that 'noughts check' replays without trusting "
        "the search: the winner's moves against every reply. Qubic has a search of its own, which "
        "proves the win of one first cell and of those like it; it takes minutes, and when it is "
        "stopped the same command goes on with it.",
        epilog="Example: noughts prove 3x3x3 --certificate cube.json",
    )
    parser.add_argument("game", help="a spec such as 3x3x3, 6x6:k=4, 3x3:misere or qubic")
    parser.add_argument("--certificate", type=Path, metavar="FILE", help="write the proof here")
    parser.add_argument(
        "--moves",
        choices=("all", "one"),
        help="find all winning first moves, or stop at one (all; not for qubic)",
    )
    qubic = parser.add_argument_group("qubic")
    qubic.add_argument(
        "--first", type=whole_number(0), metavar="CELL", help="X's first move (0, a corner)"
    )
    qubic.add_argument(
        "--memory",
        type=whole_number(1),
        metavar="MB",
        help=f"megabytes that the search may use ({MEMORY})",
    )
    qubic.add_argument(
        "--checkpoint",
        type=Path,
        metavar="FILE",
        help="where a stopped search is kept; in the data folder unless given",
    )
    add_json(parser)
    return parser


def run(options: argparse.Namespace) -> int:
    from noughts.files import check_writable
    from noughts.games import game

    if options.certificate is not None:
        check_writable(options.certificate)
    proved = str(game(options.game))
    _check_words(options, proved)
    if proved == "qubic":
        return _prove_qubic(options)
    from noughts.search.prove import prove, prove_with_certificate

    all_moves = options.moves != "one"
    with progress_bar() as bar:
        if options.certificate is None:
            proof = prove(options.game, all_moves, progress=bar)
        else:
            proof, certificate = prove_with_certificate(options.game, all_moves, progress=bar)
            certificate.save(options.certificate)
    if options.json:
        print_json(proof.to_dict())
        return 0
    result = "a draw" if proof.result == "draw" else f"{proof.result} wins"
    print(f"{proof.game}: {result}")
    if proof.winning_moves:
        print(f"winning first moves: {', '.join(map(str, proof.winning_moves))}")
    print(f"{proof.nodes:,} positions in {proof.seconds:.3f} s")
    return 0


def _check_words(options: argparse.Namespace, game: str) -> None:
    """Refuse an option that the search of this game does not have."""
    own = ("moves",) if game != "qubic" else ("first", "memory", "checkpoint")
    for name in ("moves", "first", "memory", "checkpoint"):
        if getattr(options, name) is not None and name not in own:
            allowed = ", ".join(f"--{word}" for word in own)
            raise NoughtsError(f"--{name} is not for {game}; allowed: {allowed}.")


def _prove_qubic(options: argparse.Namespace) -> int:
    from noughts.folders import data_folder
    from noughts.search.proof.search import prove_by_threats

    first, checkpoint = options.first or 0, options.checkpoint
    if checkpoint is None:
        checkpoint = data_folder() / "proofs" / f"qubic-{first}.noughts"
    with progress_bar() as bar:
        found = prove_by_threats(
            "qubic", first, options.memory or MEMORY, checkpoint=checkpoint, progress=bar
        )
    if options.certificate is not None:
        found.book.save(options.certificate)
    if options.json:
        print_json(found.to_dict())
        return 0
    print("qubic: X wins")
    print(f"winning first moves: {', '.join(map(str, found.first_cells))}")
    print(
        f"{found.expanded:,} positions expanded, {found.positions:,} stored, "
        f"{found.forced_positions:,} looked at for forced wins, in {found.seconds:.0f} s "
        f"({found.cpu_seconds:.0f} s of one core)"
    )
    print(f"the certificate lists {len(found.book):,} moves of X")
    return 0
