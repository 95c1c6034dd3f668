// The page of one person at a table: it shows positions as they arrive, and sends what the person decides.

import { drawContents, setBoard } from "./board.js";
import { Connection } from "./connection.js";
import { clockOf, setClocks, tick } from "./clocks.js";
import { byId, element, phrase, speak } from "./elements.js";
import { cellContent, colourClass, tableOf } from "./pieces.js";
import { Asking } from "./question.js";

/** @typedef {import("./messages").Sent} Sent */
/** @typedef {import("./messages").Welcome} Welcome */
/** @typedef {import("./messages").Position} Position */
/** @typedef {import("./messages").LogLine} LogLine */
/** @typedef {import("./messages").ShownSeat} Seat */
/** @typedef {import("./pieces.js").Choosing} Choosing */
/** @typedef {import("./connection.js").Opener} Opener */
/**
 * @typedef {object} Place  where the table is, and who is at this page
 * @property {Opener} open
 * @property {string} token
 * @property {(title: string) => (Node | string)[]} afterwards  what can be done when the game is over
 */

const language = new URLSearchParams(location.search).get("language")?.replace(/^en$/, "") ?? "";

/** @type {Welcome | null} */
let welcome = null;
/** @type {Position | null} */
let position = null;
/** @type {LogLine[]} */
let log = [];
/** @type {Map<string, Seat>} */
let seats = new Map();
let wasMine = false;

/** @type {Place} */
let place;
/** @type {Connection} */
let connection;
/** @type {Asking} */
let asking;

/**
 * Show the table, as the person at this place sees it.
 * @param {Place} at
 */
export function sit(at) {
  place = at;
  connection = new Connection(at.open, { token: at.token, language }, hear, (state, seconds) => {
    const said = {
      open: "",
      waiting: phrase("Not connected. Trying again in {seconds} s …", { seconds }),
      refused: byId("connection").textContent || phrase("This link leads to no seat."),
    };
    byId("connection").textContent = said[state];
  });
  asking = new Asking(connection, drawDecision);
}

/** @param {Sent} message */
function hear(message) {
  if (message.kind === "welcome") {
    welcome = message;
    log = [];
    speak(message.phrases);
    seats = new Map(message.seats.map((seat) => [seat.seat, seat]));
    document.documentElement.lang = message.language;
    byId("title").textContent = message.title;
    drawTools();
  } else if (message.kind === "position") {
    position = message;
    log = [...log.slice(0, message.log.start), ...message.log.entries];
    if (message.board !== null) setBoard(message.board);
    setClocks(message.clocks, welcome?.seat ?? null);
    asking.begin(message.question, message.number);
    draw();
  } else if (message.kind === "note") {
    byId("connection").textContent = message.text;
  } else if (message.kind === "refused") {
    byId("connection").textContent = message.reason;
  }
}

function draw() {
  if (position === null || welcome === null) return;
  const { scene } = position, players = welcome.players;
  byId("seats").replaceChildren(...welcome.seats.map((seat) => {
    const classes = `${colourClass(seat.colour)}${scene.turn === seat.seat ? " turn" : ""}`;
    const mine = welcome?.seat === seat.seat ? ` (${phrase("you")})` : "";
    const who = players[seat.seat] ? element("small", {}, players[seat.seat]) : "";
    return element("li", { class: classes, ...(scene.turn === seat.seat ? { "aria-current": "true" } : {}) }, seat.name, mine, who, clockOf(seat.seat));
  }));
  drawLog();
  drawDecision();
  tick();
  const isMine = position.question !== null;
  document.title = `${isMine ? "● " : ""}${welcome.title}`;
  if (isMine && !wasMine) byId("asked").focus();
  wasMine = isMine;
}

function drawDecision() {
  if (position === null) return;
  const { scene } = position;
  byId("asked").textContent = scene.result?.text ?? position.question?.text ?? position.waiting;
  asking.draw();
  if (scene.result) byId("step").replaceChildren(ranking(scene.result));
  if (position.asks) byId("step").replaceChildren(consent(position.asks, { [phrase("Agree")]: true, [phrase("Refuse")]: false }));
  if (position.asked) byId("step").replaceChildren(consent(position.asked, { [phrase("Withdraw")]: false }));
  const possible = asking.possible;
  drawContents(scene.contents, new Set(position.moved), possible, (place) => asking.answer({ about: place }));
  /** @type {Choosing} */
  const choosing = (piece) =>
    !piece.back && [null, welcome?.seat].includes(piece.owner) && asking.offers(piece.text) ? (chosen) => asking.answer({ words: chosen.text }) : null;
  byId("tables").replaceChildren(...scene.tables.map((each) => tableOf(each, choosing, seats)));
  byId("own").replaceChildren(...scene.own.flatMap(({ heading, cell }) => [
    element("dt", {}, heading), element("dd", {}, cellContent(cell, choosing, seats)),
  ]));
}

/** @param {NonNullable<Position["scene"]["result"]>} result */
function ranking(result) {
  const rows = result.ranking.map(([seat, place, scores]) => element("tr", {},
    element("td", {}, `${place}.`), element("th", { scope: "row" }, seats.get(seat)?.name ?? seat),
    ...scores.map((score) => element("td", {}, `${score}`))));
  const table = element("table", { class: "ranking" }, element("tbody", {}, ...rows));
  return element("div", {}, table, ...place.afterwards(welcome?.title ?? "game"));
}

/**
 * @param {string} request
 * @param {Record<string, boolean>} answers  by their words
 */
function consent(request, answers) {
  return element("div", { role: "alert" }, element("p", {}, request), ...Object.entries(answers).flatMap(([words, agree]) =>
    [element("button", { type: "button", click: () => tell({ kind: "consent", agree }) }, words), " "]));
}

function drawLog() {
  byId("log-title").textContent = phrase("Log");
  const lines = log.map((line) => {
    const seat = line.seat === null ? undefined : seats.get(line.seat);
    const who = seat ? [element("span", { class: `seat ${colourClass(seat.colour)}` }, seat.name), " "] : [];
    const details = line.details.length ? [element("ul", {}, ...line.details.map((detail) => element("li", {}, detail)))] : [];
    return element("li", {}, ...who, line.text, ...details);
  });
  const entries = byId("entries");
  entries.replaceChildren(...lines);
  entries.scrollTop = entries.scrollHeight;
}

function drawTools() {
  const tool = (/** @type {string} */ text, /** @type {() => void} */ use) =>
    element("button", { type: "button", click: use }, text);
  const isSeated = welcome !== null && welcome.seat !== null;
  byId("tools").replaceChildren(
    tool(phrase("Rules"), () => tell({ kind: "rules" })),
    ...(isSeated ? [
      tool(phrase("Hint"), () => tell({ kind: "hint" })),
      tool(phrase("Know"), () => tell({ kind: "know" })),
      tool(phrase("Why?"), askWhy),
      tool(phrase("Undo"), () => tell({ kind: "undo" })),
    ] : []),
  );
  byId("tools").append(languages());
  byId("dialog-close").textContent = phrase("Close");
  const zoom = byId("zoom");
  zoom.textContent = phrase("Zoom");
  zoom.onclick = () => {
    const isLarge = byId("picture").classList.toggle("large");
    zoom.setAttribute("aria-pressed", `${isLarge}`);
  };
}

/** A choice of the language of this page; the others at the table keep theirs. */
function languages() {
  const names = new Intl.DisplayNames([document.documentElement.lang], { type: "language" });
  const choice = element("select", { "aria-label": phrase("Language") }, ...(welcome?.languages ?? []).map((code) =>
    element("option", { value: code, selected: code === welcome?.language }, names.of(code) ?? code)));
  choice.addEventListener("change", () => {
    const address = new URL(location.href);
    address.searchParams.set("language", /** @type {HTMLSelectElement} */ (choice).value);
    location.href = address.href;
  });
  return choice;
}

/** @param {Record<string, unknown>} request */
async function tell(request) {
  byId("connection").textContent = ["hint", "why", "know"].includes(String(request.kind)) ? phrase("Searching …") : "";
  const reply = await connection.ask(request);
  byId("connection").textContent = reply.kind === "refused" ? reply.reason : "";
  if (reply.kind === "told") show(reply);
}

/** @param {Extract<Sent, {kind: "told"}>} told */
function show({ title, lines, table }) {
  byId("dialog-title").textContent = title;
  byId("dialog-body").replaceChildren(
    ...(table === null ? [] : [tableOf({ ...table, title }, () => null, seats)]),
    ...lines.map(([depth, text]) => element("p", { class: `depth-${Math.min(depth, 4)}` }, text)),
  );
  open();
}

function askWhy() {
  const input = element("input", { id: "why", type: "text", maxlength: "400", autocomplete: "off" });
  const form = element("form", {
    submit: (event) => {
      event.preventDefault();
      byId("dialog").removeAttribute("open");
      /** @type {HTMLDialogElement} */ (byId("dialog")).close();
      tell({ kind: "why", text: /** @type {HTMLInputElement} */ (input).value });
    },
  }, element("label", { for: "why" }, phrase("A move, legal or not, or a value such as points(me):")), input,
  element("button", { type: "submit", class: "main" }, phrase("Ask")));
  byId("dialog-title").textContent = phrase("Why?");
  byId("dialog-body").replaceChildren(form);
  open();
}

function open() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  if (!dialog.open) dialog.showModal();
}
