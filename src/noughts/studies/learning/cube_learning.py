"""Learning 3×3×3: a published experiment repeated, and what features and longer training give.

Without risk the cube cannot be drawn and the first player wins by taking the centre. Learners play
themselves, then so many games against the random player in both seats; in the risk-free world and
in one whose flip risks are drawn. Everything is decided by the seed; no clock is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from noughts.agents import Agent
from noughts.agents import agent as read_agent
from noughts.games.game import Game, Position
from noughts.games.registry import game as read_game
from noughts.learn.frame.learner import SELF
from noughts.learn.frame.play_one import play_one
from noughts.learn.frame.registry import learner as read_learner
from noughts.options import whole
from noughts.report import Answer, Block, Figure, Heading, Report, Table, Text, Unit, draw_figure
from noughts.report.charts import in_percent, legend_below
from noughts.report.figure import DASHES, PALETTE, outcome_bars
from noughts.stats.shares import share_interval
from noughts.studies.study import Results, Study, StudyParameters

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

PUBLISHED = "td-quadratic"
BEST = "td-quadratic:preset=tuned"
LEARNERS = {
    "TD quadratic, as published": PUBLISHED,
    "the same, weighing landings": "td-quadratic:lookahead=expect",
    "the same, a tenth of the rate": "td-quadratic:lookahead=expect,rate=0.000001",
    "Q quadratic": "q-quadratic",
    "Q network": "q-net:features=raw",
    "Q network, lines": "q-net:features=lines,symmetric=yes",
    "TD quadratic, marks": "td-quadratic:lookahead=expect,features=cells,step=scaled,rate=0.02",
    "TD quadratic, lines, tuned": BEST,
}
CENTRE = 13
SEARCHER = "uct:simulations=200"
LOOKED_AT = 100  # games in each seat in which wins at hand are counted

Found = dict[str, Any]


@dataclass
class Parameters(StudyParameters):
    games: int = whole(10_000, 1, 10**9, "Games each learner learns from.")
    long: int = whole(100_000, 1, 10**9, "Games of the long training of the best one.")
    judged: int = whole(1000, 1, 10**6, "Games against random in each seat.")
    networks: int = whole(2, 0, 2, "How many of the Q networks are trained: raw, then lines.")
    duels: int = whole(100, 1, 10**6, "Games in each seat against the published learner and UCT.")


def worlds(parameters: Parameters) -> dict[str, str]:
    """The risk-free cube, and one with random flips."""
    return {"risk-free": "3x3x3", "random": f"3x3x3:flip=random,seed={parameters.seed}"}


def plan_units(parameters: Parameters) -> list[Unit]:
    units = []
    for world, game in worlds(parameters).items():
        for label, spec in LEARNERS.items():
            if label in left_out(parameters):
                continue
            told = {"game": game, "learner": spec, "games": parameters.games}
            judged = {"judged": parameters.judged, "seed": parameters.seed}
            units.append(Unit(f"{world}: {label}", judge_learner, told | judged))
        long = {"game": game, "games": parameters.long, "judged": parameters.judged}
        more = {"published": parameters.games, "duels": parameters.duels, "seed": parameters.seed}
        units.append(Unit(f"{world}: long", judge_longer, long | more))
    return units


def left_out(parameters: Parameters) -> list[str]:
    """Networks that were not asked for, or cannot be trained here."""
    has_jax = find_spec("jax") is not None and find_spec("optax") is not None
    networks = [label for label, spec in LEARNERS.items() if spec.startswith("q-net")]
    return networks[parameters.networks :] if has_jax else networks


def judge_learner(game: str, learner: str, games: int, judged: int, seed: int) -> Found:
    """Train one learner by self-play; its games against random."""
    return judge(read_game(game), _taught(game, learner, games, seed), judged, seed)


def _taught(game: str, learner: str, games: int, seed: int) -> Agent:
    made = read_learner(learner)
    made.begin(read_game(game), SELF, seed)
    made.learn(games)
    return made.player()


def judge(game: Game, player: Agent, games: int, seed: int) -> Found:
    """Wins, draws and losses against random in each seat; the first cell; wins it let go."""
    random = read_agent("random")
    found: Found = {"x": [0, 0, 0], "o": [0, 0, 0]}
    looked_at = 0 if game.risk.is_risky else LOOKED_AT
    chances = [0, 0]  # moves that would win for certain, and how often one was played
    for index in range(games):
        for seat in ("x", "o"):
            agents = (player, random) if seat == "x" else (random, player)
            rng = np.random.default_rng([seed, index, "xo".index(seat)])
            played = play_one(game, *agents, rng=rng)
            mark = "X" if seat == "x" else "O"
            place = 1 if played.result == "draw" else 0 if played.result == mark else 2
            found[seat][place] += 1
            for position, move, _ in played.steps if index < looked_at else ():
                if position.turn == mark:
                    wins = _winning(position)
                    chances[0] += bool(wins)
                    chances[1] += move in wins
    found["first"] = game.cell_of(player.choose(game.start(), np.random.default_rng(seed)))
    found["chances"] = chances
    return found


def _winning(position: Position) -> list[int]:
    return [move for move in position.moves if position.play(move).result == position.turn]


def judge_longer(
    game: str, games: int, judged: int, published: int, duels: int, seed: int
) -> Found:
    """The best learner on its way through a long training; then against others."""
    rules = read_game(game)
    made = read_learner(BEST)
    made.begin(rules, SELF, seed)
    curve, played = [], 0
    for goal in milestones(games):
        made.learn(goal - played)
        played = goal
        curve.append({"games": played, **judge(rules, made.player(), judged // 2 or 1, seed)})
    player = made.player()
    others = {
        "published": _taught(game, PUBLISHED, published, seed),
        SEARCHER: read_agent(SEARCHER),
    }
    found = {name: duel(rules, player, other, duels, seed) for name, other in others.items()}
    return {"curve": curve, "final": judge(rules, player, judged, seed), "duels": found}


def milestones(games: int) -> list[int]:
    """Some numbers of games at equal ratios, the last being all."""
    return sorted({max(1, games >> shift) for shift in range(8)})


def duel(game: Game, player: Agent, other: Agent, games: int, seed: int) -> dict[str, list[int]]:
    """Wins, draws and losses of the player in each seat."""
    found = {"x": [0, 0, 0], "o": [0, 0, 0]}
    for index in range(games):
        for seat in ("x", "o"):
            agents = (player, other) if seat == "x" else (other, player)
            rng = np.random.default_rng([seed, index, 2 + "xo".index(seat)])
            result = play_one(game, *agents, rng=rng).result
            mark = "X" if seat == "x" else "O"
            found[seat][1 if result == "draw" else 0 if result == mark else 2] += 1
    return found


def make_report(parameters: Parameters, results: Results) -> Report:
    blocks: list[Block] = [Answer(_answer(parameters, results))]
    for world, game in worlds(parameters).items():
        found = {
            label: results[f"{world}: {label}"]
            for label in LEARNERS
            if f"{world}: {label}" in results
        }
        longer = results[f"{world}: long"]
        found[f"TD quadratic, lines, {parameters.long:,} games"] = longer["final"]
        blocks += [
            Heading(f"{world.capitalize()} world"),
            Text(f"`{game}`, every learner after {parameters.games:,} games against itself."),
            results_figure(world, found),
            _table(world, found),
            _duel_table(world, longer["duels"]),
        ]
        if world == "risk-free":
            blocks.append(Text(_wins_let_go(found)))
    curves = {world: results[f"{world}: long"]["curve"] for world in worlds(parameters)}
    blocks += [Heading("Longer training"), curves_figure(curves), _options_table()]
    if left_out(parameters):
        names = " and ".join(left_out(parameters))
        blocks.append(Text(f"Not trained: {names}; the networks need JAX and optax."))
    return Report(
        "Learning the cube",
        "3×3×3 has 3²⁷ boards, too many to solve. Learners that know nothing but the rules play "
        "themselves; then they meet the random player, the published learner and UCT.",
        blocks,
    )


def _answer(parameters: Parameters, results: Results) -> str:
    calm, risky = results["risk-free: long"], results["random: long"]
    first = "the centre" if calm["final"]["first"] == CENTRE else f"cell {calm['final']['first']}"
    duels, uct = calm["duels"]["published"], risky["duels"][SEARCHER]
    return (
        f"**After {parameters.long:,} games against itself the quadratic value of lines opens in "
        f"{first} and wins {_share(calm['final']['x'])} as X and {_share(calm['final']['o'])} as O "
        f"against random.** It {_outcome(duels)} the published learner {_score(duels)} and, in the "
        f"random world, {_outcome(uct)} `{SEARCHER}` {_score(uct)} (wins–draws–losses over both "
        "seats)."
    )


def _share(counts: Sequence[int]) -> str:
    low, high = share_interval(counts[0], sum(counts))
    return f"{counts[0] / sum(counts):.1%} ({low:.1%}–{high:.1%})"


def _outcome(seats: dict[str, list[int]]) -> str:
    """What the games of both seats came to, as a verb."""
    margin = sum(counts[0] - counts[2] for counts in seats.values())
    return "beats" if margin > 0 else "ties with" if margin == 0 else "loses to"


def _score(seats: dict[str, list[int]]) -> str:
    return "–".join(str(a + b) for a, b in zip(seats["x"], seats["o"], strict=True))


def _wins_let_go(found: dict[str, Found]) -> str:
    told = [
        f"{label} {played / seen:.0%}" for label, one in found.items()
        for seen, played in [one["chances"]] if seen
    ]  # fmt: skip
    return (
        f"How often a win at hand was taken: {'; '.join(told)}. Nothing keeps a quadratic form "
        "below 1, which is all that a win pays: a learner that values running games higher plays "
        "on in place of winning."
    )


def _table(world: str, found: dict[str, Found]) -> Table:
    rows: list[list[Any]] = []
    for label, one in found.items():
        row: list[Any] = [label, one["first"]]
        for seat in ("x", "o"):
            won, drawn, lost = one[seat]
            low, high = share_interval(won, won + drawn + lost)
            row += [won / (won + drawn + lost), low, high]
        rows.append(row)
    columns = ["learner", "first cell", "as X", "X from", "X to", "as O", "O from", "O to"]
    formats = dict.fromkeys(columns[2:], ".1%")
    caption = "Share of games won against random, with 95% intervals."
    return Table(f"{world}-results", columns, rows, formats, caption)


def _duel_table(world: str, duels: dict[str, dict[str, list[int]]]) -> Table:
    rows: list[list[Any]] = [
        [other, seat.upper(), *seats[seat], seats[seat][0] / sum(seats[seat])]
        for other, seats in duels.items()
        for seat in ("x", "o")
    ]
    columns = ["opponent", "seat", "won", "drawn", "lost", "share won"]
    caption = "The best learner after its long training, in each seat."
    return Table(f"{world}-duels", columns, rows, {"share won": ".1%"}, caption)


def _options_table() -> Table:
    rows = [[label, spec] for label, spec in LEARNERS.items()]
    return Table("learners", ["learner", "spec"], rows, {}, "What each learner is.")


def results_figure(world: str, found: dict[str, dict[str, Any]]) -> Figure:
    """Two rows of bars: every learner as X and as O against random."""

    def draw(canvas: "Canvas") -> None:
        left, right = canvas.subplots(1, 2, sharey=True)
        labels = list(found)
        for axes, seat, title in ((left, "x", "learner as X"), (right, "o", "learner as O")):
            odds = []
            for label in labels:
                won, drawn, lost = found[label][seat]
                shares = [n / (won + drawn + lost) for n in (won, drawn, lost)]
                odds.append(tuple(shares if seat == "x" else shares[::-1]))
            outcome_bars(axes, labels, odds, title)
        legend_below(canvas, left, 3)

    caption = f"Games against random in the {world} world: X wins, draws, O wins."
    return draw_figure(f"{world}-results", caption, draw, width=9, height=4.2)


def curves_figure(curves: dict[str, list[dict[str, Any]]]) -> Figure:
    """Games lost to random against games of training, in each world and seat."""

    def draw(canvas: "Canvas") -> None:
        axes = canvas.subplots()
        for i, (world, points) in enumerate(curves.items()):
            for j, seat in enumerate(("x", "o")):
                lost = [1 - point[seat][0] / sum(point[seat]) for point in points]
                games = [point["games"] for point in points]
                axes.plot(
                    games, lost, label=f"{world}, as {seat.upper()}", color=PALETTE[j],
                    linestyle=DASHES[i], marker="o" if i == 0 else "s", markersize=4,
                )  # fmt: skip
        axes.set_xscale("log")
        axes.set_ylim(bottom=-0.01)
        in_percent(axes.yaxis)
        axes.set_xlabel("games of training (tuned TD on lines)")
        axes.set_ylabel("games not won against random")
        axes.legend()

    caption = "The tuned learner on its way: what it does not win against random."
    return draw_figure("curves", caption, draw, width=8, height=4)


STUDY = Study(
    Parameters,
    quick={"games": 600, "long": 1200, "judged": 40, "duels": 4, "networks": 1},
    units=plan_units,
    report=make_report,
)
