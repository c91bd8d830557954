"""Damage to files, drawn from a seed, and the kinds of files that Noughts reads.

After any damage a reader must either raise NoughtsError, or give back what was written: there is no
other exception and no wrong answer.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import noughts
from noughts.arena.replay import read_records, replay
from noughts.errors import NoughtsError
from noughts.learn.frame.checkpoint import load_checkpoint, save_checkpoint
from noughts.learn.frame.runs import TrainingLog, load_learner
from noughts.learn.frame.safetensors import load_tensors
from noughts.learn.table.taught.files import table_path
from noughts.learn.table.taught.named import NamedTable
from noughts.learn.zero.batched.networks import load_network, network_for, save_network
from noughts.learn.zero.folded.files import load_weights, save_folded
from noughts.learn.zero.folded.network import Sizes, new_weights
from noughts.prove.book import Book
from noughts.prove.certificate import Certificate
from noughts.prove.search import ThreatSearch
from noughts.report.run import Run, Unit

CONFIG = {"study": "fuzz", "worlds": [0.1, 0.2], "seed": 3}


@dataclass(frozen=True)
class Kind:
    """A kind of file: how to make a good one, and what a reader makes of it."""

    name: str
    make: Callable[[Path], Path]  # writes into a folder; the file to damage
    read: Callable[[Path], Any]  # something that can be compared


def unit_of_work(number: int) -> dict[str, Any]:
    """What a study would find."""
    return {"number": number, "values": [number / 7, 1 / 3], "text": "drawn ×"}


def make_run(folder: Path) -> Path:
    run = Run(folder / "run", CONFIG)
    units = [Unit(f"unit {n}", unit_of_work, {"number": n}) for n in range(6)]
    run.results(units)
    return folder / "run"


def read_run(path: Path) -> Any:
    """What a resumed run would report: a lost last line is worked on again, alike."""
    run = Run(path.parent, CONFIG)
    units = [Unit(f"unit {n}", unit_of_work, {"number": n}) for n in range(6)]
    return run.results(units)


def make_solution(folder: Path) -> Path:
    noughts.solve("2x3:flip=0.1").save(folder / "solution")
    return folder / "solution"


def read_solution(path: Path) -> Any:
    solution = noughts.Solution.load(path)
    return str(solution.game), solution.method, np.asarray(solution.table).tobytes()


def make_games(folder: Path) -> Path:
    noughts.match("3x3:flip=0.2", "random", "optimal", games=6, seed=2, folder=folder / "games")
    return folder / "games" / "log.jsonl"


def read_games(path: Path) -> Any:
    """Every record and its replay; the seconds of a move are nobody's claim, and not checked."""
    records = read_records(path)
    told = []
    for record in records:
        data = record.to_dict()
        del data["seconds"]
        told.append((json.dumps(data), [str(position) for position in replay(record)]))
    return told


def make_certificate(folder: Path) -> Path:
    from noughts.prove.certificate import Strategy

    strategy = Strategy("X", "win", {"....": 0, "X.O.": 1})
    Certificate("2x2", "X", (strategy,)).save(folder / "proof.json")
    return folder / "proof.json"


def make_book(folder: Path) -> Path:
    words = np.array([1, 2, 3], np.uint64)
    Book("qubic", words, words + np.uint64(8), np.array([1, 2, 3], np.uint8)).save(folder / "book")
    return folder / "book"


def read_book(path: Path) -> Any:
    book = Book.load(path)
    return book.game, book.x.tobytes(), book.o.tobytes(), book.move.tobytes()


def make_checkpoint(folder: Path) -> Path:
    path = folder / "000000000010.safetensors"
    arrays = {"values": np.linspace(0.0, 1.0, 50), "counts": np.arange(7, dtype=np.int32)}
    save_checkpoint(path, "3x3", "table", "self", 1, 10, arrays)
    return path


def read_checkpoint(path: Path) -> Any:
    found = load_checkpoint(path)
    tensors = load_tensors(path)[1]
    return (
        (found.game, found.learner, found.opponent, found.seed, found.games),
        {name: (str(a.dtype), a.shape, a.tobytes()) for name, a in sorted(tensors.items())},
    )


def make_player(folder: Path) -> Path:
    from noughts.learn.frame.checkpoint import checkpoints_in
    from noughts.learn.frame.training import make_plan, run_plan

    plan = make_plan("2x2", "td-table", games=8, seed=1, checkpoints=1)
    run_plan(plan, folder / "trained")
    return checkpoints_in(folder / "trained")[-1][1]


def read_player(path: Path) -> Any:
    player = load_learner(path.parent.parent).player()
    start = noughts.game("2x2").start()
    return {move: player.choose(start.play(move), np.random.default_rng(0)) for move in start.moves}


def make_training_log(folder: Path) -> Path:
    return make_player(folder).parent.parent / "log.jsonl"


def run_digest(folder: Path) -> str:
    return str(json.loads((folder / "config.json").read_text())["identity"])


def read_training_log(path: Path) -> Any:
    lines = TrainingLog(path.parent, run_digest(path.parent)).lines
    return [line["result"] for line in lines]


def make_search(folder: Path) -> Path:
    ThreatSearch("4x4", megabytes=16).save(folder / "search")
    return folder / "search"


def read_search(path: Path) -> Any:
    search = ThreatSearch("4x4", megabytes=16)
    search.resume(path)
    graph = search.graph
    return [array.tobytes() for array in (graph.x, graph.o, graph.proof, graph.child, graph.facts)]


def make_folded(folder: Path) -> Path:
    weights = new_weights(1, Sizes(hidden=4, code=4))
    save_folded(folder / "net.safetensors", weights, "noughts train ultimate zero")
    return folder / "net.safetensors"


def read_folded(path: Path) -> Any:
    return {name: array.tobytes() for name, array in load_weights(path).items()}


def make_batched(folder: Path) -> Path:
    game = noughts.game("2x2")
    network = network_for(game, hidden=4)
    path = folder / "net.safetensors"
    save_network(path, game, network, network.initial(1), "noughts train 2x2 zero")
    return path


def read_batched(path: Path) -> Any:
    network, weights = load_network(path, noughts.game("2x2"))
    return network.name, {name: array.tobytes() for name, array in weights.items()}


def make_page_table(folder: Path) -> Path:
    NamedTable.begin("fuzz", noughts.game("2x2"), "constant")
    return table_path("fuzz")


def read_page_table(path: Path) -> Any:
    return NamedTable.load(path.stem).data()


KINDS = (
    Kind("solution", make_solution, read_solution),
    Kind("games of a match", make_games, read_games),
    Kind("log of a run", lambda f: make_run(f) / "log.jsonl", read_run),
    Kind("config of a run", lambda f: make_run(f) / "config.json", read_run),
    Kind("certificate", make_certificate, Certificate.load),
    Kind("book of a proof", make_book, read_book),
    Kind("checkpoint", make_checkpoint, read_checkpoint),
    Kind("learned player", make_player, read_player),
    Kind("log of a training", make_training_log, read_training_log),
    Kind("search for a proof", make_search, read_search),
    Kind("network of Ultimate", make_folded, read_folded),
    Kind("network of another game", make_batched, read_batched),
    Kind("table of the page", make_page_table, read_page_table),
)


WAYS = ["bit", "byte", "burst", "cut", "hole", "zeros", "twice", "swap", "more", "digit"]


def damaged(content: bytes, rng: random.Random) -> tuple[str, bytes]:
    """What was done, and the bytes after it."""
    size = len(content)
    place, other = sorted((rng.randrange(size), rng.randrange(size)))
    data = bytearray(content)
    way = rng.choice(WAYS)
    if way == "bit":
        data[place] ^= 1 << rng.randrange(8)
    elif way == "byte":
        data[place] = rng.randrange(256)
    elif way == "burst":
        data[place : place + 16] = rng.randbytes(16)
    elif way == "cut":
        del data[place:]
    elif way == "hole":
        del data[place:other]
    elif way == "zeros":
        data[place:other] = bytes(other - place)
    elif way == "twice":
        data[place:place] = data[place:other]
    elif way == "swap":
        data = data[other:] + data[place:other] + data[:place]
    elif way == "more":
        data += rng.randbytes(rng.randrange(1, 40))
    else:  # the damage that looks most like the truth: one digit for another
        digits = [i for i in range(size) if 48 <= data[i] <= 57]
        data[rng.choice(digits)] = 48 + rng.randrange(10)
    return way, bytes(data)


@dataclass
class Score:
    """How readers took the damage."""

    refused: int = 0
    harmless: int = 0  # what was written came back
    shortened: int = 0  # a log lost its last lines, which is what a cut looks like
    crashed: int = 0
    wrong: int = 0
    first: str = ""  # the first crash or wrong answer, in words

    @property
    def total(self) -> int:
        return self.refused + self.harmless + self.shortened + self.crashed + self.wrong


def torture(kind: Kind, folder: Path, damages: int, seed: int) -> Score:
    """Damage one good file again and again, and read it each time."""
    path = kind.make(folder)
    good = path.read_bytes()
    expected = kind.read(path)
    rng, score = random.Random(seed), Score()
    for number in range(damages):
        way, content = damaged(good, rng)
        path.write_bytes(content)
        told = f"{kind.name}, damage {number} ({way})"
        try:
            found = kind.read(path)
        except NoughtsError:
            score.refused += 1
            continue
        except Exception as error:  # any other is what is looked for
            score.crashed += 1
            score.first = score.first or f"{told}: {type(error).__name__}: {error}"
            continue
        if found == expected:
            score.harmless += 1
        elif is_shorter(found, expected):
            score.shortened += 1
        else:
            score.wrong += 1
            score.first = score.first or f"{told}: another answer"
    path.write_bytes(good)
    return score


def is_shorter(found: Any, expected: Any) -> bool:
    """Whether a list of lines is the beginning of the true one."""
    return isinstance(found, list) and found == expected[: len(found)]
