"""`make run`: a short guided tour in the terminal."""

import time

import numpy as np

from noughts import game, perft, playouts


def main() -> None:
    """Show what a game, a risky move and a million random games look like."""
    print("Noughts: the whole tic-tac-toe family, stated exactly.\n")
    _show_game()
    _show_risk()
    _show_other_boards()
    _show_speed()
    print("Next: 'noughts --help' for the commands, README.md for the rest.")


def _show_game() -> None:
    print("A game is a spec, a position is text, and both read back:\n")
    position = game("3x3").start().play(4).play(0).play(8)
    print(f"{position}\n\n{position!r}\n")


def _show_risk() -> None:
    risky = game("3x3:flip=stochastic")
    print(f"On {risky} your mark may land as your opponent's. Choosing the centre:\n")
    for probability, position in risky.start().landings(4):
        print(f"  {probability:.2f}  {position.board[4]} lands in the centre")
    print("\nOne game by two players who choose at random (seed 7):\n")
    rng = np.random.default_rng(7)
    position = risky.start()
    while position.result is None:
        move = int(rng.choice(position.moves))
        turn = position.turn
        landing, position = position.sample(move, rng)
        print(f"  {turn} chooses {move}: {'as meant' if landing.mark == turn else 'it flips!'}")
    print(f"\n{position}\n")


def _show_other_boards() -> None:
    print("The cube and Ultimate speak the same language:\n")
    print(game("3x3x3").start().play(13).play(0), end="\n\n")
    print(game("ultimate").start().play(40).play(36), end="\n\n")


def _show_speed() -> None:
    print("Compiling the kernels (once) and playing at random:\n")
    for spec in ("3x3", "3x3x3", "qubic", "ultimate"):
        playouts(spec, 1)
        began = time.perf_counter()
        tally = playouts(spec, 200_000, seed=1)
        rate = tally.games / (time.perf_counter() - began)
        print(
            f"  {spec:9} X {tally.x / tally.games:.3f}  O {tally.o / tally.games:.3f}  "
            f"draw {tally.draws / tally.games:.3f}   {rate:>10,.0f} games/s"
        )
    print(f"\n  {perft('3x3', 9):,} games of 3x3 go on until the board is full.\n")


if __name__ == "__main__":
    main()
