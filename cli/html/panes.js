// The contents of the panes at one event. Anything from the data is inserted as text, never as markup.

function byId(id) {
  return document.getElementById(id);
}

function made(tag, className, ...inside) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...inside);
  return element;
}

/** Runs of [text, style, …] as elements; the characters from `from` to `to` are underlined. */
function inked(runs, from = 0, to = 0) {
  const parts = [];
  let at = 0;
  for (let place = 0; place < runs.length; place += 2) {
    const letters = Array.from(runs[place]), style = runs[place + 1];
    const cuts = [0, from - at, to - at, letters.length].map((cut) => Math.min(Math.max(cut, 0), letters.length));
    for (let piece = 0; piece < 3; piece++) {
      const text = letters.slice(cuts[piece], cuts[piece + 1]).join("");
      if (text) parts.push(made("span", (style ? `s${style}` : "") + (piece === 1 ? " cause" : ""), text));
    }
    at += letters.length;
  }
  return parts;
}

function seatNamed(text, seat) {
  const name = seat >= 0 ? data.players[seat][0] : "", at = name ? text.indexOf(name) : -1;
  if (at < 0) return [text];
  return [text.slice(0, at), made("span", `s${data.players[seat][1]}`, name), text.slice(at + name.length)];
}

/** An event as one line: whether its condition holds, its text, its values. */
function inWords(event) {
  const line = made("span", `event ${event.kind}`);
  if (event.verdict) line.append(made("span", event.verdict === 1 ? "holds" : "fails", event.verdict === 1 ? "+ " : "- "));
  line.append(made("span", "text", ...seatNamed(event.text, event.seat)));
  const shown = event.values.map(([name, value]) => `${name} = ${value}`).filter((pair) => !event.text.includes(pair));
  if (shown.length) line.append(made("span", "quiet", `   ${shown.join(", ")}`));
  return line;
}

function locationText(event) {
  if (event.place < 0) return "";
  const { file, line } = lineOf(event);
  return `${data.files[file].name}:${line}` + (event.cites.length ? ` [${event.cites.join(" ")}]` : "");
}

// ---- scrolling inside a pane, never the page

function reveal(pane, element, centre) {
  const top = element.offsetTop, bottom = top + element.offsetHeight, high = pane.clientHeight;
  if (centre) pane.scrollTop = top - (high - element.offsetHeight) / 2;
  else if (top < pane.scrollTop + 24 || bottom > pane.scrollTop + high - 24) pane.scrollTop = top - high / 3;
}

// ---- the rules

const sources = []; // the element and rows of each file, made when it is first shown
const shown = { file: 0, line: 1 }; // the line that caused the current event
const cursor = { file: 0, line: 1 };
const breakpoints = new Set(); // "file:line"

function sourceOf(file) {
  if (!sources[file]) {
    const rows = data.files[file].lines.map((runs, place) => {
      const number = made("button", "number", String(place + 1));
      number.type = "button";
      number.tabIndex = -1;
      number.setAttribute("aria-label", phrase("events on line {number}", { number: place + 1 }));
      number.title = phrase("events on this line");
      return made("div", "line", number, made("code", "", ...inked(runs)));
    });
    const box = made("div", "file", ...rows);
    box.addEventListener("click", (event) => {
      const row = event.target.closest(".line");
      if (!row) return;
      moveCursor(file, rows.indexOf(row) + 1);
      if (event.target.closest(".number")) showLine(file, cursor.line);
    });
    sources[file] = { box, rows };
  }
  return sources[file];
}

function rowOf(place) {
  return sourceOf(place.file).rows[place.line - 1];
}

function showRules(index) {
  const event = nearestLocated(index), place = event ? lineOf(event) : { file: 0, line: 1, from: 0, to: 0 };
  const old = rowOf(shown);
  old.classList.remove("here");
  old.querySelector("code").replaceChildren(...inked(data.files[shown.file].lines[shown.line - 1]));
  if (byId("source").firstChild !== sourceOf(place.file).box) byId("source").replaceChildren(sourceOf(place.file).box);
  Object.assign(shown, { file: place.file, line: place.line });
  const row = rowOf(place);
  row.classList.add("here");
  row.querySelector("code").replaceChildren(...inked(data.files[place.file].lines[place.line - 1], place.from, place.to));
  byId("place").textContent = `${data.files[place.file].name}:${place.line}`;
  moveCursor(place.file, place.line);
  reveal(byId("source"), row, true);
}

function moveCursor(file, line) {
  rowOf(cursor).classList.remove("cursor");
  rowOf(cursor).querySelector(".number").tabIndex = -1;
  Object.assign(cursor, { file, line: Math.max(1, Math.min(line, data.files[file].lines.length)) });
  rowOf(cursor).classList.add("cursor");
  rowOf(cursor).querySelector(".number").tabIndex = 0;
}

function toggleBreakpoint(file, line) {
  const name = `${file}:${line}`, set = !breakpoints.delete(name);
  if (set) breakpoints.add(name);
  rowOf({ file, line }).classList.toggle("stop", set);
  return set;
}

// ---- the table, what changed, names

const HEAD = 0, TITLE = 1, HEADINGS = 2, SINGLE = 4; // kinds of rows; any other is the cells of a table

function textOf(line) {
  return data.lines[line].filter((_, place) => place % 2 === 0).join("");
}

function showTable(state) {
  const pane = byId("drawing"), { scrollTop, scrollLeft } = pane, parts = [];
  let body = null;
  for (const number of tableRows(state)) {
    const [kind, ...lines] = data.tables.rows[number];
    const cells = (tag) => lines.map((line) => made(tag, "", ...inked(data.lines[line])));
    if (kind === HEAD) parts.push(made("p", "phase", ...inked(data.lines[lines[0]])));
    else if (kind === TITLE) {
      body = made("tbody");
      parts.push(made("table", "", made("caption", "", ...inked(data.lines[lines[0]])), made("thead"), body));
    } else if (kind === HEADINGS) {
      const row = made("tr", "", ...cells("th"));
      row.querySelectorAll("th").forEach((cell) => { cell.scope = "col"; });
      parts[parts.length - 1].querySelector("thead").append(row);
    } else if (kind === SINGLE) {
      parts.push(made("p", "single", made("b", "", ...inked(data.lines[lines[0]])), ": ", ...inked(data.lines[lines[1]])));
    } else body.append(made("tr", "", ...cells("td")));
  }
  byId("tables").replaceChildren(...parts);
  showBoard(state);
  Object.assign(pane, { scrollTop, scrollLeft });
}

function showChanges(before, state) {
  const since = before === null ? "" : phrase("since {event}", { event: called(before) });
  byId("since").textContent = since;
  const found = before === null ? [] : differences(events[before].state, state);
  byId("differences").replaceChildren(
    ...found.map(([name, old, now]) =>
      made("div", "difference", made("b", "", name), made("span", "old", old), made("span", "new", `→ ${now}`))),
    ...(found.length ? [] : [made("i", "", since ? phrase("nothing changed") : phrase("nothing yet; take a step"))]),
  );
}

function showNames(event) {
  byId("names").replaceChildren(
    ...event.names.map(([name, value]) => made("div", "", made("b", "", name), ` = ${value}`)),
    ...(event.names.length ? [] : [made("i", "", phrase("none here"))]),
  );
}

/** The name of an event, as in links: `12.7`. */
function called(index) {
  return `${events[index].ply}.${events[index].number}`;
}
