// Watches the page from inside, for first_minute.py: what each click showed, and how soon.
// A watch begins with the next click and ends when its test finds something true on the page.

(() => {
  const PERIOD = 15; // ms between two looks
  const MOST_LINES = 500;
  const WITH_SECONDS = /\d+(\.\d+)?\s*(s|seconds?)\b/;
  const SAYS_NOTHING = /Loading|Working it out|is thinking/;
  const SPOKEN = "#play-status, #values-source, #learn-status, #lab-form, [data-preparing]";
  const ASKED = /api\/(move|values)(\/stream)?$/;

  const one = (selector) => document.querySelector(selector);
  const cells = (view) => document.querySelectorAll(`#view-${view} .board-frame [data-cell]`).length;
  const ply = () => Number(one("#play-status")?.dataset.ply ?? -1);
  const isPressed = (selector) => one(selector)?.getAttribute("aria-pressed") === "true";
  const isShown = (view) => one(`#view-${view}`)?.hidden === false;
  const seen = (kind, text = "") => ({ kind, text });

  /** An honest line: it says what is being prepared, with seconds. */
  function line(selector) {
    for (const element of document.querySelectorAll(`${selector}, [data-preparing]`)) {
      const text = element.textContent.trim();
      if (element.getClientRects().length && WITH_SECONDS.test(text) && !SAYS_NOTHING.test(text)) return seen("line", text);
    }
    return null;
  }

  function values() {
    const found = [...document.querySelectorAll("#view-play .board-frame .value-text")];
    if (!found.length) return line("#values-source");
    const isEstimate = found.every((text) => text.classList.contains("estimate"));
    return seen(isEstimate ? "≈" : "exact", found[0].textContent);
  }

  function learnView() {
    if (cells("learn")) return seen("board");
    return one("#learn-strength table") ? seen("table") : line("#learn-status");
  }

  // What answers a click, and what shows that it was felt at all (the same, unless named).
  const TESTS = {
    page: () => ({ answer: cells("play") && one(".card") && seen("board") }),
    card: (spec) => ({ answer: cells("play") && ply() === 0 && isPressed(`.card[data-spec="${spec}"]`) && seen("board") }),
    values: () => ({ answer: values(), felt: isPressed("#values") }),
    mark: (cell) => ({ answer: one(`#view-play .board-frame [data-cell="${cell}"] .mark`) && seen("mark") }),
    reply: (before) => ({ answer: ply() >= before + 2 ? seen("move", one(".moves li:last-child")?.textContent) : line("#play-status"), felt: ply() > before }),
    undo: (before) => ({ answer: ply() >= 0 && ply() < before && seen("board") }),
    lab: () => ({ answer: one("#lab-form form #lab-start") && seen("form"), felt: isShown("lab") }),
    learn: () => ({ answer: learnView(), felt: isShown("learn") }),
    link: (moves) => ({ answer: cells("play") && ply() === moves && seen("board") }),
  };

  let watches = [];
  const answers = []; // of the server, to what the page asked of an engine
  const lines = []; // every line with seconds that stood on the page
  const empty = {}; // how long each line that says nothing stood there, ms
  const notices = new Set(); // of failures; they go away by themselves
  let [looked, armed] = [performance.now(), []];

  const withWord = (element) => (element.closest("[hidden]") ? null : element.textContent.match(SAYS_NOTHING)?.[0]);

  function noteWords(now) {
    for (const element of document.querySelectorAll(SPOKEN)) {
      const word = withWord(element);
      if (word) empty[word] = (empty[word] ?? 0) + now - looked;
      const text = element.textContent.trim();
      const isNew = lines.findLast((told) => told.where === element.id)?.text !== text;
      if (isNew && !word && element.id !== "lab-form" && WITH_SECONDS.test(text) && lines.length < MOST_LINES) lines.push({ at: now, where: element.id, text });
    }
  }

  function look() {
    const now = performance.now();
    for (const watch of watches) {
      if (watch.answer || watch.isDropped) continue;
      const { answer, felt = Boolean(answer) } = TESTS[watch.test](watch.detail);
      if (felt) watch.felt ??= now;
      if (answer) Object.assign(watch, { answer, answered: now });
    }
    noteWords(now);
    for (const told of document.querySelectorAll(".notice.error")) notices.add(told.textContent);
    looked = now;
  }

  addEventListener("click", (event) => {
    for (const watch of armed) watch.since = event.timeStamp;
    armed = [];
  }, true);

  /** Every line of an answer as it comes; an answer in one piece is a single line. */
  async function readLines(answer, onLine) {
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      const lines = (text + (done ? "\n" : value)).split("\n");
      text = lines.pop();
      lines.filter(Boolean).forEach(onLine);
      if (done) return;
    }
  }

  const { fetch } = window;
  window.fetch = async (address, init) => {
    const asked = performance.now();
    const answer = await fetch(address, init);
    const path = String(address).match(ASKED)?.[1];
    if (path) {
      const { game } = JSON.parse(init.body);
      const push = (told) => answers.push({ path, game, asked, at: performance.now(), status: answer.status, compiled: told.compiled ?? true });
      readLines(answer.clone(), (line) => push(JSON.parse(line))).catch(() => {});
    }
    return answer;
  };

  /** The middle of an element, once it is in view; null where there is none. */
  function middle(element) {
    if (!element) return null;
    element.scrollIntoView({ block: "nearest" });
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }

  /** An empty cell that a click would reach: one that may be played, else any. */
  function freeCell() {
    const all = [...document.querySelectorAll("#view-play .board-frame .cell.empty")];
    const isReached = (cell) => {
      const at = middle(cell.querySelector(".hit"));
      return document.elementFromPoint(...at)?.closest(".cell") === cell;
    };
    const found = all.find((cell) => cell.classList.contains("open") && isReached(cell)) ?? all.find(isReached);
    if (!found) return null;
    return { cell: Number(found.dataset.cell), isOpen: found.classList.contains("open"), at: middle(found.querySelector(".hit")), ply: ply() };
  }

  window.firstMinute = {
    watch(name, test, detail, since = null) {
      const watch = { name, test, detail, since: since ?? performance.now(), felt: null, answered: null, answer: null, isDropped: false };
      watches.push(watch);
      if (since === null) armed.push(watch);
    },
    forget(name) {
      watches = watches.filter((watch) => watch.name !== name);
    },
    drop: (name) => watches.filter((watch) => watch.name === name).forEach((watch) => { watch.isDropped = !watch.answer; }),
    isAnswered: (name) => watches.some((watch) => watch.name === name && watch.answer),
    isSettled: () => watches.every((watch) => watch.answer || watch.isDropped),
    state: () => ({ state: one("#play-status")?.dataset.state ?? null, ply: ply() }),
    now: () => performance.now(),
    middle: (selector) => middle(one(selector)),
    isPressed,
    freeCell,
    report: () => ({ watches, answers, lines, empty, notices: [...notices] }),
  };
  setInterval(look, PERIOD);
})();
