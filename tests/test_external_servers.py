"""Our agents as programs, line by line: what they are sent, and what they answer."""

from dataclasses import dataclass

import numpy as np
import pytest

import noughts
from noughts.agents import Agent
from noughts.cli import main
from noughts.errors import NoughtsError
from noughts.options import number
from noughts.search.external.serve_gomocup import GomocupServer
from noughts.search.external.serve_noughts import NoughtsServer

# Our own protocol, line by line.


def say_all(server, lines):
    return [answer for line in lines for answer in server.answer(line)]


def test_noughts_server_line_by_line():
    server = NoughtsServer(noughts.agent("optimal"))
    said = say_all(
        server,
        [
            "noughts 1",
            "game 3x3",
            "position XX./OO./... X to move",
            "go seed=1 time=5 colour=green",  # what is not known is not minded
            "",
            "quit",
        ],
    )
    assert said[:3] == ["noughts 1 optimal", "ok", "ok"]
    assert said[3].startswith("move 2 value 1.0")
    assert len(said) == 4
    assert server.is_over


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["noughts 2"], "error This engine speaks version 1, not '2'."),
        (["hello"], "error 'hello' is not a message; messages: noughts, game, position, go, quit."),
        (["position ... X to move"], "error There is no game yet; send 'game SPEC' first."),
        (["game 3x3", "go"], "error There is no position yet; send 'position TEXT' first."),
        (["game 3x3", "position X"], "error The board has 1 cells; 3x3 has 9."),
        (["game 3"], "error '3' is not a game"),
        (["game 3x3", "position .........", "go seed=-1"], "error seed=-1 is not a whole number"),
        (["game 3x3", "position .........", "go last=9"], "error last=9 is not a whole number"),
    ],
)
def test_noughts_server_says_what_is_wrong(lines, error):
    said = say_all(NoughtsServer(noughts.agent("optimal")), lines)
    assert said[-1].startswith(error)
    assert len(said) == len(lines)


@dataclass(eq=False, repr=False)
class Watcher(Agent):
    """Plays the first legal move, and remembers what it was asked."""

    name = "watcher"
    time: float | None = number(None, 0.001, 100, "Seconds for a move.")

    def choose(self, position, rng):
        self.seen = position
        self.thinking = self.time
        return position.moves[0]


def test_noughts_server_remembers_the_last_move():
    agent = Watcher()
    position = noughts.game("3x3:fizzle=0.5").start().play(4, noughts.Landing(None))
    lines = [f"game {position.game}", f"position {position.to_text()}", "go last=4"]
    assert say_all(NoughtsServer(agent), lines) == ["ok", "ok", "move 0"]
    assert (agent.seen, agent.seen.last) == (position, 4)


def test_noughts_server_says_at_once_what_the_agent_cannot_play():
    class Refuser(Watcher):
        def choose(self, position, rng):
            raise NoughtsError(f"watcher cannot play {position.game}.")

    said = say_all(NoughtsServer(Refuser()), ["game qubic"])
    assert said == ["error watcher cannot play qubic."]


def test_noughts_server_asks_before_the_first_move_what_can_be_played():
    said = say_all(NoughtsServer(noughts.agent("minimax")), ["game 4x4", "game 3x3"])
    assert said[0].startswith("error minimax would look at")
    assert said[1] == "ok"


def test_noughts_server_cuts_a_long_time_and_no_other():
    agent = Watcher(time=50)
    server = NoughtsServer(agent)
    for seconds, thinking in ((10, 9.0), (0.5, 0.4), (1000, 50)):
        say_all(server, ["game 3x3", "position .........", f"go time={seconds}"])
        assert agent.thinking == pytest.approx(thinking)
    free = Watcher()
    say_all(NoughtsServer(free), ["game 3x3", "position .........", "go time=10"])
    assert free.thinking is None


# Gomocup, line by line.


def gomocup(spec="random"):
    return GomocupServer(noughts.agent(spec), np.random.default_rng(1), "1.0")


def test_gomocup_server_sees_the_board_as_the_manager_does():
    watcher = Watcher()
    server = gomocup(watcher)
    said = say_all(server, ["RECTSTART 6,5", "BOARD", "0,0,1", "1,0,1", "5,2,2", "4,4,2", "DONE"])
    assert said == ["OK", "2,0"]  # x is the column
    game = noughts.game("5x6:k=5")
    assert game == noughts.game("5x6")
    assert watcher.seen == game.parse("XX..../....../.....O/....../....O. X to move")
    said = say_all(server, ["TAKEBACK 2,0", "TAKEBACK 0,0", "TURN 0,1"])
    assert said == ["OK", "OK", "0,0"]
    assert watcher.seen == game.parse(".O..../X...../.....X/....../....X. O to move")


def test_gomocup_server_about_restart_end():
    server = gomocup()
    assert server.answer("about") == ['name="noughts random", version="1.0"']
    said = say_all(server, ["START 20\r\n", "BEGIN", "RESTART", "BEGIN", "", "INFO folder x"])
    assert said[0] == said[2] == "OK"
    assert len(said) == 4
    assert not server.is_over
    assert server.answer("END") == []
    assert server.is_over


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["SWIM"], "UNKNOWN SWIM"),
        (["BEGIN"], "ERROR There is no board yet; send START first."),
        (["START 4"], "ERROR Size 4,4 is out of range; 5 to 20."),
        (["START 21"], "ERROR Size 21,21 is out of range; 5 to 20."),
        (["START big"], "ERROR 'big,big' is not 2 numbers with commas between them."),
        (["START 5", "TURN 5,0"], "ERROR 5,0 is not on the board."),
        (["START 5", "TURN 1"], "ERROR '1' is not 2 numbers with commas between them."),
        (["START 5", "TAKEBACK 1,1"], "ERROR 1,1 is empty."),
        (["START 5", "TURN 1,1", "TURN 1,1"], "ERROR 1,1 is taken."),
        (["START 5", "TURN 1,1", "BEGIN"], "ERROR BEGIN is for an empty board"),
        (["START 5", "INFO rule 1", "BEGIN"], "ERROR Rule 1 is not known; only freestyle"),
        (["START 5", "BOARD", "1,1,3", "DONE"], "ERROR '1,1,3' is taken already, or its field"),
        (["BOARD", "1,1,1", "DONE"], "ERROR There is no board yet; send START first."),
        (["START 5", "BOARD", *(f"{x},0,1" for x in range(5)), "DONE"], "ERROR The game is over"),
    ],
)
def test_gomocup_server_says_what_is_wrong(lines, said):
    assert say_all(gomocup(), lines)[-1].startswith(said)


def test_gomocup_refuses_at_start_who_cannot_play(capsys):
    assert say_all(gomocup("minimax"), ["START 5"])[0].startswith("ERROR minimax would look at")
    assert main(["gomocup", "--agent", "minimax"]) == 2
    assert "minimax would look at" in capsys.readouterr().err


def test_gomocup_server_thinks_no_longer_than_it_may():
    watcher = Watcher()
    server = gomocup(watcher)
    say_all(server, ["START 5", "BEGIN"])
    assert watcher.thinking is None
    say_all(server, ["START 5", "INFO timeout_turn 10000", "BEGIN"])
    assert watcher.thinking == pytest.approx(9.0)
    say_all(server, ["RESTART", "INFO time_left 40000", "BEGIN"])
    assert watcher.thinking == pytest.approx(2.0)
    say_all(server, ["RESTART", "INFO timeout_turn 0", "BEGIN"])
    assert watcher.thinking == 0.001
