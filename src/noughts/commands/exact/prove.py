"""`noughts prove GAME`: the value of a game by search, with a certificate."""

import argparse
from typing import TYPE_CHECKING

from noughts.commands.terminal.arguments import Subparsers, print_json
from noughts.commands.terminal.progress import progress_bar
from noughts.commands.work.jobs import add_job, read_job
from noughts.jobs import Prove

if TYPE_CHECKING:
    from noughts.prove.search import ThreatProof
    from noughts.prove.who_wins import Proof


def add(commands: Subparsers) -> argparse.ArgumentParser:
    return add_job(commands, Prove)


def run(options: argparse.Namespace) -> int:
    ready = read_job(Prove, options).prepare()
    with progress_bar() as bar:
        found = ready.carry_out(None, bar)
    if options.json:
        print_json(found.to_dict())
    elif ready.job.is_qubic:
        _print_qubic(found)
    else:
        _print_proof(found)
    return 0


def _print_proof(proof: "Proof") -> None:
    result = "a draw" if proof.result == "draw" else f"{proof.result} wins"
    print(f"{proof.game}: {result}")
    if proof.winning_moves:
        print(f"winning first moves: {', '.join(map(str, proof.winning_moves))}")
    print(f"{proof.nodes:,} positions in {proof.seconds:.3f} s")


def _print_qubic(found: "ThreatProof") -> None:
    print("qubic: X wins")
    print(f"winning first moves: {', '.join(map(str, found.first_cells))}")
    print(
        f"{found.expanded:,} positions expanded, {found.positions:,} stored, "
        f"{found.forced_positions:,} looked at for forced wins, in {found.seconds:.0f} s "
        f"({found.cpu_seconds:.0f} s of one core)"
    )
    print(f"the certificate lists {len(found.book):,} moves of X")
