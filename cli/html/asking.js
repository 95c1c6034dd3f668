// Going to events, searching for them, and asking for what to search.

let here = 0;
let before = null; // the previously shown event
let goal = null; // the last search: {words, meets}
let answer = null; // handles the answer to the pending question

/** Go to an event; returns whether it differs from the current one. */
function go(index, otherwise = "") {
  if (index === null || index === here) {
    say(otherwise);
    return false;
  }
  before = here;
  here = index;
  say("");
  show();
  return true;
}

function show() {
  const event = events[here];
  showOutline(here);
  showRules(here);
  showTable(event.state);
  showTimeline();
  showChanges(before, event.state);
  showNames(event);
  byId("where").textContent =
    phrase("decision {decision} of {decisions}, event {event} of {events}",
      { decision: event.ply, decisions: lastPly, event: event.number, events: count(event.ply) });
  byId("now").replaceChildren(inWords(event), made("span", "source", locationText(event)));
  document.body.dataset.at = called(here);
  if (location.hash !== `#${called(here)}`) history.replaceState(null, "", `#${called(here)}`);
}

function say(message) {
  byId("message").textContent = message;
}

/** The index of the event that `#12.7` or `12` denotes, or of the nearest one; null if the text has another form. */
function addressed(text) {
  const found = /^#?(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (!found) return null;
  const ply = Math.min(Number(found[1]), lastPly);
  return starts[ply] + Math.max(0, Math.min(Number(found[2] || 1), count(ply)) - 1);
}

// ---- searches

function run(found, back) {
  goal = found;
  const missing = back ? phrase("{goal}: not found before this event", { goal: found.words })
    : phrase("{goal}: not found after this event", { goal: found.words });
  go(find(here, found.meets, back), missing);
}

function again(back) {
  if (goal) run(goal, back);
  else say(phrase("nothing to repeat yet; search with / c d h l r"));
}

function runToLine(file, line, back) {
  run({ words: phrase("line {number}", { number: line }), meets: (event) => isOn(event, file, line) }, back);
}

function runToBreakpoint(back) {
  if (!breakpoints.size) {
    say(phrase("there is no breakpoint yet; click a line number to set one"));
    return;
  }
  const meets = (event) => event.place >= 0 && breakpoints.has(data.places[event.place].slice(0, 2).join(":"));
  run({ words: phrase("a breakpoint"), meets }, back);
}

const runs = {
  chance: () => run({ words: phrase("chance"), meets: (event) => event.kind === "chance" }, false),
  words: () => ask(phrase("an event with the text"), [], (text) => {
    const wanted = text.toLowerCase();
    run({ words: text, meets: (event) => event.text.toLowerCase().includes(wanted) }, false);
  }),
  change: () => ask(phrase("a change of"), changing(), (name) => {
    if (!changing().some((known) => isCalled(known, name))) say(phrase("nothing called {name} changes in this game", { name }));
    else run({ words: name, meets: (event) => event.what.some((what) => isCalled(what, name)) }, false);
  }),
  seat: () => ask(phrase("the next decision of"), data.players.map(([name]) => name), (name) => {
    const seat = data.players.findIndex(([known]) => known === name.trim());
    if (seat < 0) say(phrase("there is no seat {name}", { name }));
    else run({ words: phrase("a decision of {seat}", { seat: name }), meets: (event) => event.kind === "decision" && event.seat === seat }, false);
  }),
  decision: () => ask(phrase("decision, 0 to {number}", { number: lastPly }), [], (text) => {
    if (addressed(text) === null) say(phrase("{text} is not the number of a decision", { text }));
    else go(addressed(text));
  }),
};

/** The names of the zones and notes that change in this game, then those of each slot. */
function changing() {
  const slots = Array.from(new Set(events.flatMap((event) => event.what))).sort();
  return Array.from(new Set([...slots.map((name) => name.split("[")[0]), ...slots]));
}

// ---- asking for a line of text, or for one of a few answers

const FEW = 12; // up to this number, answers are offered as buttons

function ask(words, known, then) {
  answer = then;
  byId("request").textContent = words;
  byId("words").value = "";
  byId("known").replaceChildren(...known.map((name) => Object.assign(made("option"), { value: name })));
  byId("choices").replaceChildren(...(known.length <= FEW ? known : []).map((name) => {
    const button = made("button", "", name);
    button.type = "button";
    button.addEventListener("click", () => answered(name));
    return button;
  }));
  byId("ask").hidden = false;
  const touched = matchMedia("(pointer: coarse)").matches && byId("choices").firstChild; // an on-screen keyboard would cover the answers
  if (!touched) byId("words").focus();
}

function answered(text) {
  byId("ask").hidden = true;
  byId("words").blur();
  if (text.trim()) answer(text);
}

// ---- sheets: the events of a line, the help

function showSheet(...parts) {
  byId("contents").replaceChildren(...parts);
  if (!byId("sheet").open) byId("sheet").showModal();
}

const MOST = 300; // maximum number of events listed for a line

/** Say that a breakpoint was set or cleared. */
function sayBreakpoint(line, set) {
  say(set ? phrase("breakpoint on line {line} set; r runs to it", { line })
    : phrase("breakpoint on line {line} cleared", { line }));
}

function showLine(file, line) {
  const found = events.map((event, index) => index).filter((index) => isOn(events[index], file, line));
  const stop = made("button", "stop", breakpoints.has(`${file}:${line}`) ? phrase("clear the breakpoint") : phrase("set a breakpoint"));
  stop.addEventListener("click", () => {
    const set = toggleBreakpoint(file, line);
    byId("sheet").close();
    sayBreakpoint(line, set);
  });
  const rows = found.slice(0, MOST).map((index) => {
    const row = made("button", "event-of-line", made("span", "ply", called(index)), inWords(events[index]));
    row.addEventListener("click", () => {
      byId("sheet").close();
      go(index);
    });
    return row;
  });
  const many = found.length > MOST
    ? phrase("events: {number}, the first {shown} of them", { number: found.length, shown: MOST })
    : phrase("events: {number}", { number: found.length });
  showSheet(made("h2", "", `${data.files[file].name}:${line}`), made("p", "", many), stop, ...rows);
}
