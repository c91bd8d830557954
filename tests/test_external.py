"""Programs as agents: both protocols from both ends, and programs that misbehave."""

import gc
import os
import select
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import noughts
from noughts.cli import main
from noughts.errors import IllegalMove, NoughtsError, ParseError
from noughts.search.external import program as programs
from noughts.search.external.program import Clock, Program

EXAMPLE = Path(__file__).parent.parent / "examples" / "bot.py"
PYTHON = f"cmd={sys.executable} -S -E"  # starts without looking for packages, so it starts fast
AGES = 600  # seconds that bound a hang and decide nothing
PATIENT = f"startup={AGES},timeout={AGES}"
ENGINE = f"external:{PATIENT},cmd={sys.executable} -m noughts.cli engine --agent"
GOMOCUP = f"external:{PATIENT},protocol=gomocup,cmd={sys.executable} -m noughts.cli gomocup --agent"

# A bot calls this when the test is to go on: at once for whoever watches, however late it started.
TELL = """
import sys

def tell():
    with open(__file__ + ".told", "w") as told:
        told.write("x")
"""
# What a bot does when it is asked for a move; {go} is that, the rest it does as it should.
BOT = """
import sys

def say(text):
    print(text, flush=True)

for line in sys.stdin:
    word = line.split()[0]
    if word == "noughts":
        say("noughts 1 test")
    elif word == "go":
        {go}
    elif word == "quit":
        break
    else:
        say("ok")
"""
HANG = "sys.stdin.read()"  # for ever: whoever asked keeps its end open


def write_bot(folder, text, options=PATIENT):
    """The spec of a bot with this source."""
    path = folder / "bot.py"
    path.write_text(TELL + text)
    with suppress(FileExistsError):
        os.mkfifo(f"{path}.told")
    return f"external:{PYTHON} {path},{options}"


def rng():
    return np.random.default_rng(1)


def play(game, x, o, seed=5):
    """The moves of a game; each choice draws from a generator of its own, as engines do."""
    position, dice = noughts.game(game).start(), np.random.default_rng(seed)
    seats, moves = {"X": x, "O": o}, []
    while position.result is None:
        move = seats[position.turn](position, dice)
        moves.append(move)
        _, position = position.sample(move, dice)
    return moves


def directly(spec):
    """The agent, asked with the seeds that a program would be sent."""
    agent = noughts.agent(spec)
    return lambda position, dice: agent.choose(
        position, np.random.default_rng(int(dice.integers(2**53)))
    )


class HeldClock(Clock):
    """Stands still until the bot in a folder tells; then all the time it was given has passed."""

    def __init__(self, folder):
        self.told = folder / "bot.py.told"
        self.ear = None
        self.time = 0.0
        self.waited = []  # the seconds of each wait that ended by the clock

    def now(self):
        return self.time

    def wait(self, selector, seconds):
        if self.ear is None and self.told.exists():
            # Open for writing too: a bot that has told and closed its end is not an end of file.
            self.ear = os.open(self.told, os.O_RDWR)
        watched = [selector.fileno(), *([] if self.ear is None else [self.ear])]
        ready, _, _ = select.select(watched, [], [], AGES)
        assert ready, "the bot neither said anything nor told that it would not"
        if self.ear in ready:
            os.read(self.ear, 1)
            self.time += seconds
            self.waited.append(seconds)
        return selector.fileno() in ready

    def close(self):
        if self.ear is not None:
            os.close(self.ear)


@pytest.fixture
def clock(tmp_path):
    """The clock of every program in a test that asks for it, or for `clean`."""
    held = HeldClock(tmp_path)
    yield held
    held.close()


@pytest.fixture
def clean(monkeypatch, clock):
    """Nothing is left of any program: no process, not even a zombie, and no pipe."""
    started = []

    class Recorded(Program):
        def __init__(self, *arguments):
            super().__init__(*arguments, clock)
            started.append(self)

    monkeypatch.setattr("noughts.search.external.agent.Program", Recorded)
    # Who is asked to leave leaves; how long it takes is the machine's affair.
    monkeypatch.setattr(programs, "SECONDS_TO_LEAVE", AGES)
    before = open_pipes()
    yield
    clock.close()
    clock.ear = None
    if not all(program.is_closed for program in started):
        gc.collect()  # an error that was caught keeps its agent for a while; this takes long
    for program in started:
        with pytest.raises(ChildProcessError):
            os.waitpid(program.pid, os.WNOHANG)
        assert program._selector.get_map() is None
    # Others may have closed theirs meanwhile; only what is new was left behind.
    assert open_pipes() - before == set()


def open_pipes():
    """The pipes that this process holds, by what the system calls them."""
    found = set()
    for place in Path("/dev/fd").iterdir():
        with suppress(OSError):  # the one that lists them is gone already
            status = os.fstat(int(place.name))
            if stat.S_ISFIFO(status.st_mode):
                found.add((status.st_dev, status.st_ino))
    return found


@pytest.fixture(scope="module")
def random_engine():
    """One program for all games that it is asked to play."""
    agent = noughts.agent(f"{ENGINE} random")
    yield agent
    agent.close()


GAMES = [
    "3x3",
    "15x15:k=5",
    "qubic",
    "ultimate",
    "ultimate:flip=0.2",
    "3x3:flip=0.2,fizzle=0.2",
    "3x3:fade=0.1",
    "3x3:hazard=0.2,limit=10,ticks=20",
]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_through_a_pipe_is_the_same_game(random_engine, game):
    random_engine.reset()
    through_pipe = play(game, random_engine.choose, random_engine.choose)
    assert through_pipe == play(game, directly("random"), directly("random"))


@pytest.mark.slow  # compiles the kernels of the search, which takes longer than all else here
def test_a_search_keeps_its_tree_through_a_pipe():
    """A mark that fizzles leaves no trace on the board; the tree is followed by the last move."""
    game, spec = "3x3:fizzle=0.3", "uct:simulations=60"
    piped, direct = noughts.agent(f"{ENGINE} {spec}"), noughts.agent(spec)
    moves = play(game, piped.choose, directly("random"))
    assert moves == play(game, directly(direct), directly("random"))
    assert (piped.last.value, piped.last.nodes) == (direct.last.value, direct.last.nodes)
    piped.close()


def test_gomocup_both_ways_is_the_same_game():
    game = noughts.game("15x15:k=5")
    engine = noughts.agent(f"{GOMOCUP} random --seed 3")
    through_pipe = []
    for _ in range(2):  # the second game goes on with the same process and its generator
        engine.reset()
        through_pipe.append(play(game, engine.choose, directly("random")))
    engine.close()
    direct, own = noughts.agent("random"), np.random.default_rng(3)

    def choose(position, dice):
        dice.integers(2**53)  # the seed that an engine of this protocol has no use for
        return direct.choose(position, own)

    assert through_pipe == [play(game, choose, directly("random")) for _ in range(2)]


def test_example_bot_plays_everything(clean):
    agent = noughts.agent(f"external:{PYTHON} {EXAMPLE}")
    for game in GAMES:
        agent.reset()
        assert play(game, agent.choose, agent.choose)
    agent.close()


MISBEHAVIOUR = {
    "crash": ("1 / 0", "ended with exit code 1: ZeroDivisionError"),
    "leave": ("sys.exit(3)", "ended with exit code 3."),
    "silence": (f"tell(); {HANG}", "did not answer within 20 seconds"),
    "chatter": ("tell()\n        while True: say('# hm')", "did not answer within 20 seconds"),
    "garbage": ("say('four')", "answered 'four' to 'go'"),
    "no number": ("say('move x')", "answered 'move x'"),
    "wild value": ("say('move 0 value 7')", "answered 'move 0 value 7'"),
    "not text": ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", "answered"),
    "endless": ("sys.stdout.write('x' * 200000); sys.stdout.flush(); " + HANG, "more than 65536"),
    "refusal": ("say('error I am tired')", "refused 'go': I am tired"),
    "closed": (f"import os; os.close(1); {HANG}", "closed its output"),
}


@pytest.mark.parametrize("fault", MISBEHAVIOUR)
def test_misbehaviour_is_one_clear_error(tmp_path, clean, clock, monkeypatch, fault):
    go, reason = MISBEHAVIOUR[fault]
    if fault == "closed":  # it stays for ever, so nothing is lost by not waiting
        monkeypatch.setattr(programs, "SECONDS_TO_LEAVE", 0.0)
    agent = noughts.agent(write_bot(tmp_path, BOT.format(go=go), "startup=5,timeout=20"))
    with pytest.raises(NoughtsError) as raised:
        agent.choose(noughts.game("3x3").start(), rng())
    assert clock.waited == ([20] if "within" in reason else [])
    assert reason in str(raised.value)
    assert "bot.py" in str(raised.value)
    assert "\n" not in str(raised.value)


STARTS = {
    "crash": ("import nothing_of_that_name", "No module named 'nothing_of_that_name'"),
    "silence": (f"tell(); {HANG}", "did not answer within 20 seconds"),
    "another version": ("input(); print('noughts 2 new')", "which takes 'noughts 1 NAME'"),
    "no game": (
        "input(); print('noughts 1 a', flush=True); input(); print('error too big')",
        "refused 'game': too big",
    ),
}


@pytest.mark.parametrize("fault", STARTS)
@pytest.mark.parametrize("protocol", ["noughts", "gomocup"])
def test_a_bad_start_is_one_clear_error(tmp_path, clean, clock, fault, protocol):
    source, reason = STARTS[fault]
    spec = write_bot(tmp_path, source, f"startup=20,timeout=5,protocol={protocol}")
    agent = noughts.agent(spec)
    with pytest.raises(NoughtsError) as raised:
        agent.choose(noughts.game("5x5").start(), rng())
    assert clock.waited == ([20] if fault == "silence" else [])
    if protocol == "noughts" or fault in ("crash", "silence"):
        assert reason in str(raised.value)
    else:
        assert "'START 5', which takes 'OK'" in str(raised.value)


def test_it_starts_anew_after_a_crash_and_keeps_going_otherwise(tmp_path, clean):
    count = tmp_path / "starts"
    counting = f"open({str(count)!r}, 'a').write('x')\n"
    go = "say('move 0') if '/8' in line and 'cells=0' in line else 1 / 0"
    agent = noughts.agent(write_bot(tmp_path, counting + BOT.format(go=go)))
    start = noughts.game("3x3").start()
    for _ in range(3):  # three games, one process
        agent.reset()
        assert agent.choose(start, rng()) == 0
    with pytest.raises(NoughtsError, match="ZeroDivisionError"):
        agent.choose(start.play(0), rng())
    agent.reset()
    assert agent.choose(start, rng()) == 0
    agent.close()
    agent.close()  # twice is as good as once
    assert count.read_text() == "xx"


def test_an_illegal_move_names_the_program_and_leaves_it_running(tmp_path, clean):
    agent = noughts.agent(write_bot(tmp_path, BOT.format(go="say('move 4')")))
    start = noughts.game("3x3").start()
    with pytest.raises(IllegalMove, match=r"bot\.py' played 4: Cell 4 holds X; open cells: 0, 1"):
        agent.choose(start.play(4), rng())
    assert agent.choose(start, rng()) == 4
    assert agent.last.value is None
    agent.close()


def test_speaking_out_of_turn_is_a_fault(tmp_path, clean):
    agent = noughts.agent(write_bot(tmp_path, BOT.format(go="say('move 0\\nmove 1')")))
    start = noughts.game("3x3").start()
    assert agent.choose(start, rng()) == 0
    with pytest.raises(NoughtsError, match="'move 1'"):
        agent.choose(start, rng())


def test_what_a_program_started_ends_with_it(tmp_path, clean):
    """A child of the bot holds the pipes open; it is killed with the bot, and nobody waits."""
    held = tmp_path / "held"
    os.mkfifo(held)
    go = (
        f"import os, subprocess; held = os.open({str(held)!r}, os.O_WRONLY); subprocess.Popen("
        "[sys.executable, '-S', '-c', 'import signal; signal.pause()'], pass_fds=[held]); "
        "tell(); os._exit(1)"
    )
    agent = noughts.agent(write_bot(tmp_path, BOT.format(go=go), "timeout=20"))
    reader = os.open(held, os.O_RDONLY | os.O_NONBLOCK)
    with pytest.raises(NoughtsError, match="within 20 seconds"):
        agent.choose(noughts.game("3x3").start(), rng())
    ready, _, _ = select.select([reader], [], [], AGES)  # at once when the last writer is gone
    os.close(reader)
    assert ready


def test_the_real_clock_runs_out(tmp_path):
    """However fast or slow the machine: a bot that never says anything does not answer in time."""
    agent = noughts.agent(write_bot(tmp_path, HANG, "startup=0.01"))
    with pytest.raises(NoughtsError, match=r"did not answer within 0\.01 seconds"):
        agent.choose(noughts.game("3x3").start(), rng())


@pytest.mark.parametrize("ending", ["", "del agent", "raise SystemExit"])
def test_the_interpreter_takes_its_programs_along(tmp_path, ending):
    """The bot writes when it is told to leave, so its end was asked for and waited for."""
    note = tmp_path / "note"
    polite = BOT.format(go="say('move 0')") + f"open({str(note)!r}, 'w').write(line)\n"
    spec = write_bot(tmp_path, polite)
    code = (
        "import noughts, numpy\n"
        "from noughts.search.external import program\n"
        f"program.SECONDS_TO_LEAVE = {AGES}\n"  # a busy machine may need long to say goodbye
        f"agent = noughts.agent({spec!r})\n"
        "agent.choose(noughts.game('3x3').start(), numpy.random.default_rng(0))\n" + ending
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
    assert note.read_text() == "quit\n"


def test_commands_are_split_into_words(tmp_path, clean):
    folder = tmp_path / "with space, and comma"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT.format(go="say('move ' + sys.argv[1])"))
    path = str(folder / "bot.py").replace(",", "%2C")
    agent = noughts.agent(f"external:{PYTHON} '{path}' 7")
    assert agent.choose(noughts.game("3x3").start(), rng()) == 7
    agent.close()
    assert str(noughts.agent(str(agent))) == str(agent)


@pytest.mark.parametrize(
    ("spec", "error", "reason"),
    [
        ("external", NoughtsError, "external needs a program"),
        ("external:cmd=./there-is-no-such-bot", NoughtsError, "cannot be started: No such file"),
        ("external:cmd='a", ParseError, "cannot be split into words"),
        ("external:cmd=a,protocol=uci", ParseError, "allowed: noughts, gomocup"),
        ("external:cmd=a,protocol=gomocup", NoughtsError, "such as 15x15:k=5, not 3x3"),
    ],
)
def test_bad_specs_are_refused(clean, spec, error, reason):
    with pytest.raises(error, match=reason):
        noughts.agent(spec).choose(noughts.game("3x3").start(), rng())


@pytest.mark.parametrize("command", ["match 3x3", "tournament 3x3", "play 3x3 --x"])
def test_a_program_that_is_not_there_is_missed_before_the_first_move(
    clean, tmp_path, monkeypatch, capsys, command
):
    monkeypatch.chdir(tmp_path)
    others = ["--o", "random"] if "play" in command else ["random"]
    assert main([*command.split(), "external:cmd=./no-such-bot", *others]) == 2
    assert "there is no program './no-such-bot' here" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# A Gomocup engine that somebody else wrote.

BRAIN = """
import sys

def say(text):
    sys.stdout.write(text + "\\r\\n")
    sys.stdout.flush()

log = open({log!r}, "a")
moves = iter({moves!r})
for line in sys.stdin:
    log.write(line.strip() + "\\n")
    log.flush()
    word = line.split()[0]
    if word in ("START", "RECTSTART"):
        say("MESSAGE hello\\r\\n\\r\\nOK - fine")
    elif word == "RESTART":
        say("UNKNOWN RESTART")
    elif word in ("BEGIN", "TURN", "DONE", "PLAY"):
        say("DEBUG thinking")
        say(next(moves))
    elif word == "END":
        break
"""


def write_brain(folder, moves):
    log = folder / "log"
    source = BRAIN.format(log=str(log), moves=moves)
    return noughts.agent(write_bot(folder, source, "protocol=gomocup,timeout=20")), log


def test_gomocup_driver_says_what_the_protocol_wants(tmp_path, clean):
    agent, log = write_brain(tmp_path, ["2,1", "SUGGEST 3,1", "3,1"])
    position = noughts.game("6x7:k=5").start()
    for reply in (0, 41):
        move = agent.choose(position, rng())
        position = position.play(move).play(reply)
    agent.reset()
    # O moves in another game; the engine cannot start over, so it is started again.
    jump = noughts.game("6x7:k=5").start().play(20).play(21).play(22)
    assert agent.choose(jump, rng()) == 9
    agent.close()
    said = log.read_text().splitlines()
    start = ["RECTSTART 7,6", "INFO rule 0", "INFO game_type 1", "INFO timeout_turn 20000"]
    start += ["INFO timeout_match 0", "INFO time_left 2147483647"]
    marks = ["6,2,2", "0,3,1", "1,3,2"]
    assert said == [
        *start, "BEGIN", "TURN 0,0", "PLAY 3,1",
        "RESTART", "END", *start, "BOARD", *marks, "DONE", "END",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("ERROR no idea", "refused 'BEGIN': ERROR no idea"),
        ("UNKNOWN command", "refused 'BEGIN': UNKNOWN"),
        ("here", "answered 'here' to 'BEGIN', which takes 'x,y'"),
        ("7,0", "chose 7,0, which is not on the board"),
    ],
)
def test_gomocup_driver_tells_what_went_wrong(tmp_path, clean, answer, reason):
    agent, _ = write_brain(tmp_path, [answer])
    with pytest.raises(NoughtsError, match=reason):
        agent.choose(noughts.game("6x7:k=5").start(), rng())
