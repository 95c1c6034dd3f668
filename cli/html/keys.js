// Keys and buttons with their actions; the help is derived from the same list.

function stepped(name) {
  return () => go(steps[name](here), ENDS[name]);
}

const GROUPS = [
  [phrase("step"), [
    { keys: ["i", " "], shown: phrase("i, space"), text: phrase("into: the next event"), does: stepped("into") },
    { keys: ["o"], shown: "o", text: phrase("over: skip the events nested in this one"), does: stepped("over") },
    { keys: ["u"], shown: "u", text: phrase("out: leave the enclosing event"), does: stepped("out") },
    { keys: ["-", "Backspace"], shown: "-, Backspace", text: phrase("back: the previous event"), does: stepped("back") },
    { keys: ["."], shown: ".", text: phrase("the next decision"), does: stepped("next") },
    { keys: [","], shown: ",", text: phrase("the previous decision"), does: stepped("previous") },
    { keys: ["g"], shown: "g", text: phrase("go to a decision by number"), does: runs.decision },
    { keys: ["Home"], shown: "Home", text: phrase("the beginning"), does: stepped("first") },
    { keys: ["End"], shown: "End", text: phrase("the end"), does: stepped("last") },
    { keys: ["p"], shown: "p", text: phrase("play from decision to decision, or pause"), does: play },
  ]],
  [phrase("run to"), [
    { keys: ["/"], shown: "/", text: phrase("an event that contains some text"), does: runs.words },
    { keys: ["c"], shown: "c", text: phrase("a change of a place or note"), does: runs.change },
    { keys: ["d"], shown: "d", text: phrase("the next decision of a seat"), does: runs.seat },
    { keys: ["h"], shown: "h", text: phrase("the next shuffle, roll or pick"), does: runs.chance },
    { keys: ["l"], shown: "l, L", text: phrase("an event on the cursor's line, forward or back (in the rules: Enter)"),
      does: () => runToLine(cursor.file, cursor.line, false) },
    { keys: ["L"], does: () => runToLine(cursor.file, cursor.line, true) },
    { keys: ["b"], shown: "b", text: phrase("set or clear a breakpoint on the cursor's line"), does: () => {
      sayBreakpoint(cursor.line, toggleBreakpoint(cursor.file, cursor.line));
    } },
    { keys: ["r"], shown: "r, R", text: phrase("the nearest breakpoint, forward or back"), does: () => runToBreakpoint(false) },
    { keys: ["R"], does: () => runToBreakpoint(true) },
    { keys: ["n"], shown: "n, N", text: phrase("repeat the last search, forward or back"), does: () => again(false) },
    { keys: ["N"], does: () => again(true) },
  ]],
  [phrase("panes"), [
    { keys: ["1"], shown: "1 … 5", text: phrase("rules, events, table, changes, names"), does: () => pane(0) },
    ...[1, 2, 3, 4].map((number) => ({ keys: [String(number + 1)], does: () => pane(number) })),
    { keys: ["f"], shown: "f", text: phrase("fold or unfold the event (in the events: ← → Enter)"),
      does: () => fold(here) },
    { keys: ["ArrowLeft"], does: () => (hasInside(here) && !folded.has(here) ? fold(here) : stepped("out")()) },
    { keys: ["ArrowRight"], does: () => (folded.has(here) ? fold(here) : stepped("into")()) },
    { keys: ["Enter"], does: () => (inRules() ? runToLine(cursor.file, cursor.line, false) : fold(here)) },
    { keys: ["ArrowUp"], shown: "↑ ↓", text: phrase("the row before or after; in the rules: the cursor"), does: () => row(-1) },
    { keys: ["ArrowDown"], does: () => row(1) },
  ]],
  [phrase("other"), [
    { keys: ["?"], shown: "?", text: phrase("this help"), does: help },
    { keys: ["Escape"], shown: "Esc", text: phrase("close a dialog"), does: () => answered("") },
  ]],
];
const KEYS = new Map(GROUPS.flatMap(([, keys]) => keys).flatMap((key) => key.keys.map((name) => [name, key.does])));
const BUTTONS = [
  ["‹‹", phrase("the previous decision"), ","],
  [`‹ ${phrase("back")}`, phrase("the previous event"), "-"],
  [`${phrase("into")} ›`, phrase("the next event"), "i"],
  [phrase("over"), phrase("skip the events nested in this one"), "o"],
  [phrase("out"), phrase("leave the enclosing event"), "u"],
  ["››", phrase("the next decision"), "."],
  [phrase("search"), phrase("an event that contains some text"), "/"],
  [phrase("change"), phrase("a change of a place or note"), "c"],
  [phrase("seat"), phrase("the next decision of a seat"), "d"],
  [phrase("chance"), phrase("the next shuffle, roll or pick"), "h"],
  [phrase("go to"), phrase("the decision with a number"), "g"],
  [phrase("help"), phrase("keys, and about this page"), "?"],
];
const PANES = ["rules", "events", "table", "changes", "values"];

/** Switch to a pane; on a small screen it takes the lower half. */
function pane(number) {
  if (number) {
    document.body.dataset.lower = PANES[number];
    document.querySelectorAll("#tabs button").forEach((tab, place) => {
      tab.classList.toggle("chosen", place + 1 === number);
      tab.setAttribute("aria-selected", String(place + 1 === number));
    });
  }
  const body = byId(PANES[number]).querySelector(".body");
  (number === 1 ? rowFor(here) : body).focus({ preventScroll: true });
  refit();
}

function inRules() {
  return document.activeElement === byId("source");
}

function row(by) {
  if (inRules()) {
    moveCursor(cursor.file, cursor.line + by);
    reveal(byId("source"), rowOf(cursor), false);
  } else go(eventBelow(here, by));
}

function refit() {
  showTable(events[here].state);
  reveal(byId("outline"), rowFor(here), false);
  reveal(byId("source"), rowOf(shown), true);
}

function help() {
  const lists = GROUPS.flatMap(([heading, keys]) => [
    made("h3", "", heading),
    made("dl", "", ...keys.filter((key) => key.text).flatMap((key) => [made("dt", "", key.shown), made("dd", "", key.text)])),
  ]);
  const points = [
    phrase("Everything that happened in a game, rule by rule. Click an event to go there; click a line number to list the events on that line. The address of the page, with its #, leads back to this event."),
    data.level === "everything" ? "" : phrase("This page shows the level “{level}”.", { level: data.level }),
  ];
  showSheet(made("h2", "", data.title), made("p", "", `${data.players.map(([name]) => name).join(", ")}; ${data.about}`),
    ...points.filter(Boolean).map((text) => made("p", "", text)), ...lists);
}

// ---- start-up

byId("title").textContent = data.title;
byId("about").append(...data.players.flatMap(([name, style]) => [made("span", `s${style}`, name), " "]), data.about);
byId("buttons").append(...BUTTONS.map(([text, title, key]) => {
  const button = made("button", "", text);
  button.type = "button";
  button.title = `${title} (${key})`;
  button.addEventListener("click", (event) => {
    if (event.detail) button.blur(); // after a click with a pointer, keys act on the page again
    KEYS.get(key)();
  });
  return button;
}));
byId("tabs").append(...PANES.slice(1).map((name, place) => {
  const tab = made("button", place ? "" : "chosen", byId(name).querySelector("h2").firstChild.textContent.trim());
  tab.type = "button";
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-selected", String(!place));
  tab.setAttribute("aria-controls", name);
  tab.addEventListener("click", () => pane(place + 1));
  return tab;
}));
byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  answered(byId("words").value);
});
byId("cancel").addEventListener("click", () => answered(""));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || byId("sheet").open) return;
  const sliding = event.target === byId("slider") && /^(Arrow|Home|End|Page)/.test(event.key);
  const typing = event.target === byId("words") || sliding, pressing = event.target.closest("button, summary") && [" ", "Enter"].includes(event.key);
  const aside = ["ArrowLeft", "ArrowRight"].includes(event.key) && inRules();
  const rolling = aside || (event.key.startsWith("Arrow") && event.target.closest("#drawing, #differences, #names"));
  if (pressing || rolling || (typing && event.key !== "Escape") || !KEYS.has(event.key)) return;
  event.preventDefault();
  KEYS.get(event.key)();
});
addEventListener("hashchange", () => {
  const index = addressed(location.hash);
  if (index !== null) go(index);
});
addEventListener("resize", refit);

begin();
beginTimeline();
document.body.dataset.lower = "events";
here = addressed(location.hash) ?? starts[data.start];
show();
