"""What each contestant of `compare.py` does for a piece of work.

exact 3×3, plain     the value of the empty board. OpenSpiel's alpha-beta (Python, on its C++ game)
                     and easyAI's Negamax look at what they need; our sweep values all boards and
                     both turns.
exact risky 2×3      OpenSpiel's value iteration, on our game through our adapter; a larger board
                     takes it minutes.
exact risky 3×3      R1's stochastic world. QuantEcon solves Markov decision processes, and this is
                     a game: it gets X's best reply to a random O, once with transitions that were
                     made beforehand, once with the making of them, in Python, from our rules. We
                     find the same reply and its odds from the spec, on all boards.
playouts, UCT        as in `playouts.py` and `uct.py`; easyAI has neither; mctx searches with Pgx's
                     rules and a constant evaluation, in one batch of 32 searches.
env steps            random play, starting anew at the end of each game: PettingZoo's own
                     tic-tac-toe against our PettingZoo environment, without PettingZoo's
                     wrappers and with; Pgx's batch of 4,096 games against our vector environment
                     of as many.
"""

import contextlib
import io
import random
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import noughts

Run = Callable[[], float]
Runs = dict[str, Run]
BATCH = 4_096
SIMULATIONS = 1_000


def repeated(work: Callable[[], object], seconds: float) -> Run:
    """Seconds of one piece of work, from as many repetitions as fill the time."""

    def run() -> float:
        done, began = 0, time.process_time()
        while True:
            work()
            done += 1
            taken = time.process_time() - began
            if taken >= seconds:
                return taken / done

    return run


def rate(step: Callable[[], int], seconds: float, clock: Callable[[], float]) -> Run:
    """How much gets done in a second; `step` says how much it did."""

    def run() -> float:
        done, began = 0, clock()
        while (taken := clock() - began) < seconds or not done:
            done += step()
        return done / taken

    return run


def exact_plain(seconds: float) -> Runs:
    runs = {"noughts": repeated(lambda: noughts.solve("3x3", threads=1), seconds)}
    if find_spec("pyspiel"):
        import pyspiel
        from open_spiel.python.algorithms import minimax

        game = pyspiel.load_game("tic_tac_toe")
        runs["OpenSpiel"] = repeated(lambda: minimax.alpha_beta_search(game), seconds)
    if find_spec("easyAI"):
        runs["easyAI"] = repeated(easyai_solve, seconds)
    return runs


def easyai_solve() -> object:
    from easyAI import AI_Player, Negamax, TwoPlayerGame

    class TicTacToe(TwoPlayerGame):  # type: ignore[misc]
        """easyAI's interface: cells 1 to 9, scored for the player on turn."""

        lines = noughts.game("3x3").lines

        def __init__(self) -> None:
            self.board = [0] * 9
            self.players = [AI_Player(None), AI_Player(None)]
            self.current_player = 1

        def possible_moves(self) -> list[int]:
            return [cell for cell in range(9) if not self.board[cell]]

        def make_move(self, move: int) -> None:
            self.board[move] = self.current_player

        def unmake_move(self, move: int) -> None:
            self.board[move] = 0

        def has_lost(self) -> bool:
            other = self.opponent_index
            return any(all(self.board[c] == other for c in line) for line in self.lines)

        def is_over(self) -> bool:
            return not self.possible_moves() or self.has_lost()

        def scoring(self) -> int:
            return -100 if self.has_lost() else 0

    return Negamax(9)(TicTacToe())


def exact_reply(seconds: float) -> Runs:
    spec = "3x3:flip=stochastic"
    runs = {"noughts": repeated(lambda: noughts.best_response(spec, "random"), seconds)}
    if find_spec("quantecon"):
        from quantecon.markov import DiscreteDP

        process = DiscreteDP(*reply_process(spec))
        steps = noughts.game(spec).cells + 1
        value = process.solve("vi", max_iter=steps).v[0]
        exact = noughts.best_response(spec, "random").value
        if abs(value - exact) > 1e-6:
            raise SystemExit(f"QuantEcon says {value} and we say {exact}.")
        runs["QuantEcon"] = repeated(lambda: process.solve("vi", max_iter=steps), seconds)
        runs["QuantEcon, with its model"] = repeated(
            lambda: DiscreteDP(*reply_process(spec)).solve("vi", max_iter=steps), seconds
        )
    return runs


def reply_process(spec: str) -> tuple[Any, ...]:
    """X against a random O as QuantEcon takes it: state-action pairs, rewards, transitions."""
    from scipy.sparse import csr_matrix

    start = noughts.game(spec).start()
    numbers, order = {start: 0}, [start]
    states, actions, rewards = [], [], []
    rows, columns, chances = [], [], []
    index = 0
    while index < len(order):
        position = order[index]
        for move in position.moves:
            pair, reward = len(states), 0.0
            for chance, after in replies(position, move):
                if after.result is not None:
                    reward += chance * {"X": 1.0, "O": -1.0, "draw": 0.0}[after.result]
                    continue
                if after not in numbers:
                    numbers[after] = len(order)
                    order.append(after)
                rows.append(pair)
                columns.append(numbers[after])
                chances.append(chance)
            states.append(index)
            actions.append(move)
            rewards.append(reward)
        index += 1
    end = len(order)  # where finished games go, with what is missing to 1
    missing = 1.0 - np.bincount(rows, chances, len(states))
    rows += [*range(len(states)), len(states)]
    columns += [end] * (len(states) + 1)
    chances += [*missing.clip(0.0), 1.0]
    states.append(end)
    actions.append(0)
    rewards.append(0.0)
    transitions = csr_matrix((chances, (rows, columns)), (len(states), end + 1))
    almost_one = 1.0 - 1e-12  # QuantEcon's infinite horizon wants a discount
    return np.array(rewards), transitions, almost_one, np.array(states), np.array(actions)


def replies(position: Any, move: int) -> list[tuple[float, Any]]:
    """Where a move and a random answer to it lead."""
    found = []
    for chance, after in position.landings(move):
        if after.result is not None:
            found.append((chance, after))
            continue
        for answer in after.moves:
            share = chance / len(after.moves)
            found += [(share * odds, last) for odds, last in after.landings(answer)]
    return found


def exact_risky(seconds: float) -> Runs:
    spec = "2x3:flip=0.1/0.9/0.3/0.2/0.4/0.6"
    runs = {"noughts": repeated(lambda: noughts.solve(spec, threads=1), seconds)}
    if find_spec("pyspiel") and find_spec("cvxpy"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from open_spiel.python.algorithms import value_iteration

            from noughts.adapters import openspiel_game

        game = openspiel_game(spec)
        runs["OpenSpiel"] = repeated(
            lambda: value_iteration.value_iteration(game, -1, 1e-12, cyclic_game=True), seconds
        )
    return runs


def playouts(seconds: float) -> Runs:
    def ours() -> int:
        noughts.playouts("3x3", 20_000, threads=1)
        return 20_000

    runs = {"noughts": rate(ours, seconds, time.process_time)}
    if find_spec("pyspiel"):
        import pyspiel

        game = pyspiel.load_game("tic_tac_toe")
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1_000, seed=1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, 3, 100, False, 1, False)
        state = game.new_initial_state()

        def theirs() -> int:  # three leaves, each with a thousand games
            bot.step(state)
            return 3_000

        runs["OpenSpiel"] = rate(theirs, seconds, time.process_time)
    return runs


def uct(seconds: float) -> Runs:
    start = noughts.game("3x3").start()
    agent = noughts.agent(f"uct:simulations={SIMULATIONS}")
    rng = np.random.default_rng(1)

    def ours() -> int:
        agent.reset()
        agent.choose(start, rng)
        return agent.last.nodes if agent.last else 0

    runs = {"noughts": rate(ours, seconds, time.process_time)}
    if find_spec("pyspiel"):
        import pyspiel

        game = pyspiel.load_game("tic_tac_toe")
        state = game.new_initial_state()
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, SIMULATIONS, 1000, False, 1, False)
        runs["OpenSpiel"] = rate(
            lambda: bot.mcts_search(state).explore_count, seconds, time.process_time
        )
    if find_spec("mctx") and find_spec("pgx"):
        runs["mctx"] = rate(mctx_search(), seconds, time.perf_counter)
    return runs


def mctx_search(batch: int = 32, simulations: int = 100) -> Callable[[], int]:
    """MuZero's search over Pgx's rules, its evaluation a constant."""
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx

    env = pgx.make("tic_tac_toe")

    def recurrent(_: object, key: Any, action: Any, state: Any) -> Any:
        mover = state.current_player
        state = jax.vmap(env.step)(state, action)
        reward = jnp.take_along_axis(state.rewards, mover[:, None], 1)[:, 0]
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        discount = jnp.where(state.terminated, 0.0, -1.0)
        output = mctx.RecurrentFnOutput(
            reward=reward, discount=discount, prior_logits=logits, value=jnp.zeros(batch)
        )
        return output, state

    @jax.jit
    def search(key: Any) -> Any:
        state = jax.vmap(env.init)(jax.random.split(key, batch))
        root = mctx.RootFnOutput(
            prior_logits=jnp.zeros((batch, 9)), value=jnp.zeros(batch), embedding=state
        )
        found = mctx.muzero_policy(
            None, key, root, recurrent, simulations, invalid_actions=~state.legal_action_mask
        )
        return found.action

    key = jax.random.PRNGKey(0)

    def step() -> int:
        jax.block_until_ready(search(key))
        return batch * simulations

    return step


def env_steps(seconds: float, maker: str = "raw_env") -> Runs:
    """One game at a time, through the function of this name in both modules."""
    from noughts.adapters import aec

    ours = petting_steps(getattr(aec, maker)("3x3"))
    runs = {"noughts": rate(ours, seconds, time.process_time)}
    if find_spec("pygame"):
        theirs = petting_steps(getattr(pettingzoo_game(), maker)())
        runs["PettingZoo"] = rate(theirs, seconds, time.process_time)
    return runs


def wrapped_env_steps(seconds: float) -> Runs:
    return env_steps(seconds, "env")


def pettingzoo_game() -> Any:
    """PettingZoo's own tic-tac-toe, which greets on being loaded."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        from pettingzoo.classic.tictactoe import tictactoe

    return tictactoe


def petting_steps(env: Any) -> Callable[[], int]:
    """One game of random moves, and how many steps it took."""
    chooser = random.Random(1)

    def play() -> int:
        env.reset()
        steps = 0
        while True:
            seen, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return steps
            env.step(chooser.choice(np.flatnonzero(seen["action_mask"]).tolist()))
            steps += 1

    return play


def vector_steps(seconds: float) -> Runs:
    from noughts.adapters.vector import NoughtsVectorEnv

    envs = NoughtsVectorEnv("3x3", num_envs=BATCH, opponent="self")
    envs.reset(seed=1)
    batch = envs._batch

    def ours() -> int:
        envs.step(batch.choose())
        return BATCH

    runs = {"noughts": rate(ours, seconds, time.perf_counter)}
    if find_spec("pgx"):
        runs["Pgx"] = rate(pgx_steps(), seconds, time.perf_counter)
    return runs


def pgx_steps(steps: int = 50) -> Callable[[], int]:
    """Random play of a whole batch inside one compiled loop, as Pgx means to be used."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("tic_tac_toe")
    step_all = jax.vmap(auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> tuple[Any, None]:
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(key, logits, axis=-1)
        return step_all(state, action, jax.random.split(key, BATCH)), None

    @jax.jit
    def run(state: Any, key: Any) -> Any:
        return jax.lax.scan(one, state, jax.random.split(key, steps))[0]

    key = jax.random.PRNGKey(0)
    holder = [jax.jit(jax.vmap(env.init))(jax.random.split(key, BATCH))]

    def play() -> int:
        holder[0] = run(holder[0], key)
        jax.block_until_ready(holder[0].observation)
        return BATCH * steps

    return play


CONTESTS: tuple[tuple[str, str, Callable[[float], Runs]], ...] = (
    ("exact 3×3, plain", "s", exact_plain),
    ("exact risky 2×3, both players", "s", exact_risky),
    ("exact risky 3×3, reply to random", "s", exact_reply),
    ("playouts of 3×3", "games/s", playouts),
    ("UCT on 3×3", "simulations/s", uct),
    ("env steps, one game", "steps/s", env_steps),
    ("env steps, one game in wrappers", "steps/s", wrapped_env_steps),
    (f"env steps, {BATCH:,} games", "steps/s", vector_steps),
)
