"""The first minute of a new user: a real browser, a fresh server, nothing compiled yet.

    python benchmarks/first_minute.py                     this checkout
    python benchmarks/first_minute.py --busy              beside two busy loops
    python benchmarks/first_minute.py --before CHECKOUT   and how soon compiled answers came there
    python benchmarks/first_minute.py --cards 3x3 qubic   only these cards

Every card of the page has two fresh starts, each with an empty home and an empty cache.

- **The clicks.** The card is the first thing that is clicked; then values, a move, undo, another
  move, the Lab, Learn, and a friend's link in another tab. Nobody waits long: what has not come in
  three seconds is left to come while the next thing is clicked. Of each click it is told how many
  seconds it took until something true was there: the board, the mark, a value (≈ or exact), the
  opponent's move, a form, or a line that says what is being prepared, with seconds. "Loading …",
  "Working it out …" and "is thinking" are no answers. A click that nothing ever came of is lost.
- **The first compiled answer.** The card, a move, and another one whenever it is the person's turn,
  until the server says that an answer to this card came from a compiled kernel. A server that does
  not say so has no others. Meanwhile `/api/status` is read: preparations that it announces must
  count down, and take between half and twice the seconds that were announced first. Beside the
  clock stands the processor's time of the whole server until then, which other work on the machine
  changes little. With --rounds there are several such starts, and the table shows medians.

Times are taken inside the page (`first_minute.js`), from the click's own timestamp, so that the
machinery of this script is not in them. Honest lines are looked for in the status line of the view
and beside the values (`#play-status`, `#values-source`, `#learn-status`) and in whatever carries
`data-preparing`. The limits are printed, not asserted.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from checkouts import HERE, Checkout, checkout, clean_up_when_stopped
from first_minute_tables import (
    BUSY_LIMIT,
    LONGEST,
    PATIENCE,
    QUIET_LIMIT,
    STATUS_LOOK,
    Answer,
    Card,
    Start,
    clicks_table,
    compiled_table,
    preparations,
    remarks,
    save,
)
from playwright.sync_api import Browser, Error, Page

sys.path.append(str(HERE / "tests" / "browser"))

from chromium import find, running

PROBE = (Path(__file__).parent / "first_minute.js").read_text("utf-8")
CARDS = ("3x3", "4x4:flip=0.1", "4x4", "3x3x3", "qubic", "ultimate", "3x3:misere")
LINK, LINK_MOVES = "#/play?game=4x4&x=you&o=you&moves=5.6.10", 3
THINKING = 1.0  # of a person whose turn it is
LOOK = 0.05  # between two looks of this script at the page


@contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Processes that do nothing but take a core each; they end with this script, too."""
    code = "import os; p = os.getppid()\nwhile os.getppid() == p: sum(range(100_000))"
    loops = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@dataclass(frozen=True)
class Server:
    """A server that answers; it leads the session that all its workers are in."""

    address: str
    leader: int

    def cpu_seconds(self) -> float | None:
        """What all its processes have taken so far, those that are gone included."""
        ticks = 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                words = path.read_text().rpartition(")")[2].split()
                if int(words[3]) == self.leader:
                    ticks += sum(map(int, words[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK") if ticks else None


@contextmanager
def fresh_server(place: Checkout) -> Iterator[Server]:
    """`noughts serve` as a new user starts it."""
    with tempfile.TemporaryDirectory(prefix="noughts-first-", ignore_cleanup_errors=True) as home:
        command = [place.interpreter, "-m", "noughts.cli", "serve", "--no-browser", "--port", "0"]
        server = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=home,
            env=place.environment(Path(home), is_new_user=True),
            start_new_session=True,
        )
        try:
            assert server.stdout is not None
            address = re.findall(r"http://[^ ]+/", server.stdout.readline())[0]
            yield Server(address, server.pid)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGKILL)
            server.wait()


@contextmanager
def fresh_page(browser: Browser, address: str, problems: list[str]) -> Iterator[Page]:
    """The page as a new visitor sees it, as soon as it has a board and cards."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(1000 * LONGEST)
    context.add_init_script(PROBE)
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(f"a script failed: {error}"))
        page.goto(address, wait_until="commit")
        tell(page, "watch('page', 'page', null, 0)")
        wait_until(page, "isAnswered('page')", LONGEST)
        yield page
    finally:
        with suppress(Error):  # a browser that was stopped has closed it
            context.close()


def tell(page: Page, call: str) -> Any:
    """Call the probe in the page."""
    return page.evaluate(f"() => window.firstMinute.{call}")


def wait_until(page: Page, condition: str, seconds: float) -> bool:
    """Look until the probe says so; False when the time is over."""
    end = time.monotonic() + seconds
    while not tell(page, condition):
        if time.monotonic() > end:
            return False
        page.wait_for_timeout(1000 * LOOK)
    return True


def click(page: Page, selector: str) -> None:
    """Press the mouse where something is, whether it listens or not: as a person does."""
    at = tell(page, f"middle({json.dumps(selector)})")
    if at is not None:
        page.mouse.click(*at)


def watch(page: Page, name: str, test: str, detail: object = None) -> None:
    tell(page, f"watch({json.dumps(name)}, {json.dumps(test)}, {json.dumps(detail)})")


def click_and_wait(page: Page, name: str, selector: str, detail: object = None) -> None:
    """One click, and a moment for its answer."""
    watch(page, name, name, detail)
    click(page, selector)
    wait_until(page, f"isAnswered({json.dumps(name)})", PATIENCE)


def card_selector(spec: str) -> str:
    return f'.card[data-spec="{spec}"]'


def click_card(page: Page, spec: str) -> None:
    """The first click, until its board is there: before that nobody can play on it.

    Some cards turn on values by themselves, so those are watched for from here.
    """
    watch(page, "values", "values")
    watch(page, "card", "card", spec)
    click(page, card_selector(spec))
    wait_until(page, "isAnswered('card')", LONGEST)


def click_cell(page: Page, suffix: str = "") -> int:
    """Play somewhere; the ply before."""
    wait_until(page, "freeCell() !== null", PATIENCE)
    free = tell(page, "freeCell()")
    if free is None:
        return 0
    watch(page, f"mark{suffix}", "mark", free["cell"])
    watch(page, f"reply{suffix}", "reply", free["ply"])
    page.mouse.click(*free["at"])
    wait_until(page, f"isAnswered('mark{suffix}')", PATIENCE)
    return int(free["ply"])


def click_through(page: Page, spec: str, address: str) -> list[dict[str, Any]]:
    """Every click of the first minute, none waiting long for the one before; all watches."""
    click_card(page, spec)
    if not wait_until(page, "isPressed('#values')", 2 * LOOK):
        tell(page, "forget('values')")
        click_and_wait(page, "values", "#values")
    wait_until(page, "isAnswered('values')", PATIENCE)
    before = click_cell(page)
    wait_until(page, "isAnswered('reply')", PATIENCE)
    tell(page, "drop('reply')")
    click_and_wait(page, "undo", "#undo", before + 1)
    click_cell(page, " 2")
    click_and_wait(page, "lab", "#to-lab")
    click_and_wait(page, "learn", "#to-learn")
    friend = open_link(page, address)
    click(page, "#to-play")
    wait_until(page, "isSettled()", LONGEST)
    wait_until(friend, "isSettled()", LONGEST)
    return [*tell(page, "report().watches"), tell(friend, "report().watches")[0]]


def open_link(page: Page, address: str) -> Page:
    """A link with a game in it, in another tab, timed from when the browser sets out for it."""
    friend = page.context.new_page()
    friend.goto(address + LINK, wait_until="commit")
    tell(friend, f"watch('link', 'link', {LINK_MOVES}, 0)")
    wait_until(friend, "isAnswered('link')", PATIENCE)
    return friend


def read_answer(told: Mapping[str, Any]) -> Answer:
    """A watch of the probe, in seconds."""
    is_answered = told["answer"] is not None
    return Answer(
        action=told["name"],
        seconds=max(told["answered"] - told["since"], 0.0) / 1000 if is_answered else None,
        kind=told["answer"]["kind"] if is_answered else "",
        text=(told["answer"]["text"] or "") if is_answered else "",
        is_lost=not is_answered and told["felt"] is None and not told["isDropped"],
        is_abandoned=told["isDropped"],
    )


def measure_clicks(browser: Browser, place: Checkout, card: Card) -> None:
    """The first fresh start of a card."""
    with (
        fresh_server(place) as server,
        fresh_page(browser, server.address, card.problems) as page,
    ):
        told = click_through(page, card.spec, server.address)
        card.answers = [read_answer(watch) for watch in told]
        report = tell(page, "report()")
    card.empty_words = {word: spent / 1000 for word, spent in report["empty"].items()}
    card.lines = report["lines"]
    card.problems += report["notices"]


class StatusReader:
    """Reads in the background what the server says that it prepares."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.looks: list[tuple[float, dict[str, float]]] = []  # when, and the seconds left of what
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._read, daemon=True)

    def __enter__(self) -> "StatusReader":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _read(self) -> None:
        while not self._is_over.wait(STATUS_LOOK):
            with suppress(OSError, ValueError):
                with urlopen(self.address + "api/status", timeout=10) as answer:
                    status = json.load(answer)
                told = status.get("preparing") or ()
                left = {row["what"]: float(row["seconds"]) for row in told}
                self.looks.append((time.monotonic(), left))


def measure_compiled(browser: Browser, place: Checkout, card: Card) -> Start:
    """The second fresh start: from the click on the card to a compiled answer."""
    with (
        fresh_server(place) as server,
        fresh_page(browser, server.address, card.problems) as page,
        StatusReader(server.address) as reader,
    ):
        click_card(page, card.spec)
        compiled = play_until_compiled(page, card.spec)
        cpu = None if compiled is None else server.cpu_seconds()
        page.wait_for_timeout(3000 * STATUS_LOOK)  # so that an end of preparations is seen
        card.preparations += preparations(reader.looks)
        report = tell(page, "report()")
    began = next(told["since"] for told in report["watches"] if told["name"] == "card")
    first = min((told["at"] for told in answers_to(report, card.spec)), default=None)
    return Start(*((at - began) / 1000 if at else None for at in (first, compiled)), cpu)


def answers_to(report: Mapping[str, Any], spec: str) -> list[dict[str, Any]]:
    """What the server's engines answered on a card."""
    answers: list[dict[str, Any]] = report["answers"]
    return [told for told in answers if told["game"] == spec and told["status"] == 200]


def play_until_compiled(page: Page, spec: str) -> float | None:
    """Play on at a person's pace; when the first compiled answer came, by the page's clock."""
    began = time.monotonic()
    turn = began - THINKING  # since when it is the person's; the first move needs no thought
    while (now := time.monotonic()) < began + LONGEST:
        compiled = [
            told["at"] for told in answers_to(tell(page, "report()"), spec) if told["compiled"]
        ]
        if compiled:
            return float(min(compiled))
        state = tell(page, "state()")["state"]
        if state not in ("yours", "over"):
            turn = now
        elif now - turn >= THINKING:
            turn = now
            if state == "over":
                click(page, "#restart")
            elif free := tell(page, "freeCell()"):
                page.mouse.click(*free["at"])
        page.wait_for_timeout(1000 * LOOK)
    return None


def measure(
    browser: Browser,
    specs: Sequence[str],
    place: Checkout,
    before: Checkout | None,
    rounds: int,
) -> Iterator[Card]:
    """All cards, one after the other; the checkouts take turns on each."""
    for spec in specs:
        card = Card(spec)
        for _ in range(rounds):
            if before is not None:
                card.starts_before.append(measure_compiled(browser, before, Card(spec)))
            card.starts.append(measure_compiled(browser, place, card))
        measure_clicks(browser, place, card)
        print(f"  {spec} done", file=sys.stderr, flush=True)
        yield card


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkout", default=str(HERE), help="what is looked at (this one)")
    parser.add_argument("--before", metavar="CHECKOUT", help="to compare compiled answers with")
    parser.add_argument("--busy", action="store_true", help="beside two busy loops")
    parser.add_argument("--cards", nargs="+", choices=CARDS, default=CARDS, metavar="SPEC")
    parser.add_argument("--rounds", type=int, default=1, help="starts to a compiled answer (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything, too")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1.")
    chromium = find()
    if chromium is None:
        parser.error("No chromium is installed.")
    try:
        place = checkout(options.checkout)
        before = checkout(options.before) if options.before else None
    except ValueError as error:
        parser.error(str(error))
    limit = BUSY_LIMIT if options.busy else QUIET_LIMIT
    about = {"commit": place.commit, "before": before and before.commit, "busy": options.busy}
    about["load"] = round(os.getloadavg()[0], 2)
    for one in (place, before):
        if one is not None:
            one.write_bytecode()
    clean_up_when_stopped()
    with ExitStack() as stack:
        browser = stack.enter_context(running(chromium))
        stack.enter_context(busy_loops(2 if options.busy else 0))
        cards = []
        for card in measure(browser, options.cards, place, before, options.rounds):
            cards.append(card)
            if options.json:  # a run that is stopped keeps what it has
                save(options.json, cards, about)
    print("  ".join(f"{name} {word}" for name, word in about.items() if word is not None))
    print(f"Seconds from a click to something true; ! is later than {limit:g} s.\n")
    print(clicks_table(cards, limit))
    print("\nSeconds from the click on a card.\n")
    print(compiled_table(cards))
    print("".join(f"\n{remark}" for remark in remarks(cards)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
