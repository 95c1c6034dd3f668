// The page of one person at a table: it shows positions as they arrive, and sends what the person decides.

import { drawContents, setBoard, zoomButtons } from "./board.js";
import { Connection } from "./connection.js";
import { clockOf, setClocks, tick } from "./clocks.js";
import { byId, element, phrase, speak } from "./elements.js";
import { cellContent, colourClass, foldTables, tableOf } from "./pieces.js";
import { Asking } from "./question.js";
import { isAnimated, language, languageChoice, settingBox, settings } from "./settings.js";

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
 * @property {Window} page  the page that the table is in
 * @property {(() => Promise<Node[]>) | null} tracePage  what leads to the page of the trace, if there is one
 * @property {(welcome: Welcome) => (Node | string)[]} afterwards  what can be done when the game is over
 */

const MAX_NEWS = 20;

/** @type {Welcome | null} */
let welcome = null;
/** @type {Position | null} */
let position = null;
/** @type {LogLine[]} */
let log = [];
/** @type {Map<string, Seat>} */
let seats = new Map();
let wasMine = false;
/** @type {[number, number] | null} the decision whose trace is shown, and how many there were */
let traced = null;
/** @type {Position | null} what this person saw when they last decided: what has changed since then stands out */
let before = null;
/** @type {Set<string>} the places of the board whose contents have changed since */
let moved = new Set();

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
  connection = new Connection(at.open, { token: at.token, language: language() }, hear, (state, seconds) => {
    const said = {
      open: "",
      waiting: phrase("Not connected. Trying again in {seconds} s …", { seconds }),
      refused: byId("connection").textContent || phrase("This link leads to no seat."),
    };
    byId("connection").textContent = said[state];
  });
  asking = new Asking(connection, drawDecision);
  addEventListener("resize", foldTables);
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
    notice(message);
    tellNews(message);
    position = message;
    log = [...log.slice(0, message.log.start), ...message.log.entries];
    if (message.board !== null) setBoard(message.board, new Map(welcome?.seats.map((seat) => [seat.seat, seat.colour])));
    setClocks(message.clocks, welcome?.seat ?? null);
    asking.begin(message.question, message.number);
    draw();
    const isTracing = traced !== null && /** @type {HTMLDialogElement} */ (byId("dialog")).open;
    if (isTracing && traced !== null && traced[0] === traced[1]) tell({ kind: "trace" }); // who looks at the last one goes on with the game
    if (message.scene.result !== null) drawTools();
  } else if (message.kind === "note") {
    byId("connection").textContent = message.text;
  } else if (message.kind === "refused") {
    byId("connection").textContent = message.reason;
  }
}

/**
 * Remember what has changed since this person has last decided, for spectators since the last move.
 * @param {Position} next
 */
function notice(next) {
  if (position === null || position.question !== null || welcome?.seat === null) {
    if (position !== null && position.number === next.number) return; // only somebody asks, or a clock was wound up
    before = position;
    moved = new Set();
  }
  for (const place of next.moved) moved.add(place);
}

/**
 * Have it read aloud, to those who do not see the page, what has happened since the position before, and what is asked
 * now: the heading that says so may have the focus already. Where the log is out of sight, its last line is seen here.
 * @param {Position} next
 */
function tellNews(next) {
  if (position === null || next.log.entries.length === 0) return;
  const news = byId("news"), asked = next.scene.result?.text ?? next.question?.text;
  news.append(...next.log.entries.map((line) => element("p", {}, inWords(line))), ...(asked ? [element("p", { class: "asked" }, asked)] : []));
  while (news.childElementCount > MAX_NEWS) news.firstChild?.remove();
}

/** @param {LogLine} line */
function inWords({ seat, text, details }) {
  const who = seat === null ? "" : `${seats.get(seat)?.name ?? seat}: `;
  return [`${who}${text}`, ...(settings().details ? details : [])].join("; ");
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
  drawDecision(isAnimated());
  tick();
  const isMine = position.question !== null;
  document.title = `${isMine ? "● " : ""}${welcome.title}`;
  // Inside another page, the focus is not taken from somebody who writes there: their keys would answer the question.
  if (isMine && !wasMine && (window.parent === window || document.hasFocus())) byId("asked").focus({ preventScroll: true }); // it is in sight, and so is what has happened, above it
  wasMine = isMine;
}

function drawDecision(moving = false) {
  if (position === null) return;
  const { scene } = position, isMine = asking.step !== null, hasFocus = document.activeElement !== document.body;
  byId("asked").textContent = scene.result?.text ?? position.question?.text ?? position.waiting;
  asking.draw();
  if (scene.result) byId("step").replaceChildren(ranking(scene.result));
  if (position.asks) byId("step").replaceChildren(consent(position.asks, { [phrase("Agree")]: true, [phrase("Refuse")]: false }));
  if (position.asked) byId("step").replaceChildren(consent(position.asked, { [phrase("Withdraw")]: false }));
  drawContents(scene.contents, {
    possible: asking.possible, chosen: asking.chosen, moved,
    choose: (place) => asking.answer({ about: place }), why: isMine ? (place) => whyNot(place) : null,
  }, moving);
  const wordsByHeading = headings(scene);
  /** @type {Choosing} */
  const choosing = (piece, heading) => {
    const isOwn = [null, welcome?.seat].includes(piece.owner);
    if (piece.back || !isOwn || !asking.offers(piece.text, heading, wordsByHeading)) return null;
    return { use: () => asking.answer({ words: piece.text }), isBarred: false };
  };
  // Only a question about some of one's own cards makes others stand out as those that cannot be chosen.
  const isAboutOwn = asking.step?.asked === "move" && asking.step.move === null && scene.own.some(({ heading, cell }) =>
    cell.kind === "pieces" && cell.pieces.some((piece) => asking.offers(piece.text, heading, wordsByHeading)));
  /** @type {Choosing} */
  const ofOwn = (piece, heading) => {
    const isAsked = isMine && isAboutOwn && piece.name !== "";
    return choosing(piece, heading) ?? (isAsked ? { use: () => whyNot(piece.name), isBarred: true } : null);
  };
  const earlier = new Map(before?.scene.tables.map((each) => [each.title, each]));
  const isOwn = (/** @type {Position["scene"]["tables"][number]} */ { rows, headings }) => // shown with the question
    rows.length === 1 && headings.length === 1 && scene.own.some(({ heading, cell }) =>
      heading.toLowerCase() === headings[0].toLowerCase() && JSON.stringify(cell) === JSON.stringify(rows[0][0]));
  byId("tables").replaceChildren(...scene.tables.filter((each) => !isOwn(each)).map((each) => tableOf(each, choosing, seats, earlier.get(each.title))));
  foldTables();
  byId("own").replaceChildren(...scene.own.flatMap(({ heading, cell }) => [
    element("dt", {}, heading), element("dd", {}, cellContent(cell, heading, ofOwn, seats)),
  ]));
  // Whoever has used a button that is gone goes on from the next question, not from the beginning of the page.
  if (hasFocus && document.activeElement === document.body && document.hasFocus()) byId("asked").focus({ preventScroll: true });
}

/**
 * The words of the cards in sight, by the headings above them.
 * @param {Position["scene"]} scene
 */
function headings(scene) {
  /** @type {Map<string, Set<string>>} */
  const words = new Map();
  const add = (/** @type {string} */ heading, /** @type {Position["scene"]["own"][number]["cell"]} */ cell) => {
    const pieces = cell.kind === "pieces" ? cell.pieces : [];
    words.set(heading, new Set([...words.get(heading) ?? [], ...pieces.map((piece) => piece.text)]));
  };
  for (const { heading, cell } of scene.own) add(heading, cell);
  for (const each of scene.tables) for (const row of each.rows) row.forEach((cell, index) => add(each.headings[index], cell));
  return words;
}

/** @param {string} thing  the name of a piece or a place in the rules */
function whyNot(thing) {
  tell({ kind: "why", text: thing, about: true });
}

/** @param {NonNullable<Position["scene"]["result"]>} result */
function ranking(result) {
  const rows = result.ranking.map(([seat, place, scores]) => element("tr", {},
    element("td", {}, `${place}.`), element("th", { scope: "row" }, seats.get(seat)?.name ?? seat),
    ...scores.map((score) => element("td", {}, `${score}`))));
  const table = element("table", { class: "ranking" }, element("tbody", {}, ...rows));
  return element("div", {}, table, ...(welcome === null ? [] : place.afterwards(welcome)));
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
  byId("log").classList.toggle("brief", !settings().details);
  const lines = log.map((line) => {
    const seat = line.seat === null ? undefined : seats.get(line.seat);
    const who = seat ? [element("span", { class: `seat ${colourClass(seat.colour)}` }, seat.name), ": "] : [];
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
  const isSeated = welcome !== null && welcome.seat !== null, isOver = position !== null && position.scene.result !== null;
  byId("tools").replaceChildren(
    tool(phrase("Rules"), () => tell({ kind: "rules" })),
    ...(isSeated ? [
      tool(phrase("Hint"), () => tell({ kind: "hint" })),
      tool(phrase("Know"), () => tell({ kind: "know" })),
      tool(phrase("Why?"), askWhy),
      tool(phrase("Undo"), () => tell({ kind: "undo" })),
    ] : []),
    ...(isSeated || isOver ? [tool(phrase("Trace"), () => tell({ kind: "trace" }))] : []),
  );
  byId("tools").append(tool(phrase("Settings"), showSettings));
  byId("dialog-close").textContent = phrase("Close");
  for (const [id, words] of [["seats", phrase("players")], ["tools", phrase("tools")], ["board", phrase("board")]]) {
    byId(id).setAttribute("aria-label", words);
  }
  byId("zoom").replaceChildren(...zoomButtons());
}

function showSettings() {
  traced = null;
  byId("dialog-title").textContent = phrase("Settings");
  byId("dialog-body").replaceChildren(
    element("p", { class: "setting" }, element("label", { for: "language" }, phrase("Language")),
      languageChoice(welcome?.languages ?? [], welcome?.language ?? "en", place.page)),
    settingBox("animations", phrase("Show how pieces move"), () => {}),
    settingBox("details", phrase("Show in the log what each move has changed"), drawLog),
  );
  open();
}

/** @param {Record<string, unknown>} request */
async function tell(request) {
  byId("connection").textContent = ["hint", "why", "know", "trace"].includes(String(request.kind)) ? phrase("Searching …") : "";
  const reply = await connection.ask(request);
  byId("connection").textContent = reply.kind === "refused" ? reply.reason : "";
  if (reply.kind !== "told") return;
  show(reply);
  if (!reply.estimate) return;
  const estimate = byId("dialog-body").firstChild;
  const better = await connection.ask({ ...request, thorough: true });
  const isShown = /** @type {HTMLDialogElement} */ (byId("dialog")).open && byId("dialog-body").firstChild === estimate;
  if (isShown && better.kind === "told") show(better);
}

/**
 * Ways from a decision to those beside it.
 * @param {number} ply
 * @param {number} plies
 */
function steps(ply, plies) {
  const step = (/** @type {string} */ sign, /** @type {string} */ words, /** @type {number} */ to) => element("button", {
    type: "button", "aria-label": words, title: words, disabled: to < 0 || to > plies || to === ply, click: () => tell({ kind: "trace", ply: to }),
  }, sign);
  return element("p", { class: "steps" }, step("⇤", phrase("to the beginning"), 0), step("←", phrase("one decision back"), ply - 1),
    element("span", {}, phrase("decision {number} of {all}", { number: ply, all: plies })),
    step("→", phrase("one decision on"), ply + 1), step("⇥", phrase("to the last decision"), plies));
}

/** @param {Extract<Sent, {kind: "told"}>} told */
function show({ title, lines, table, decision }) {
  byId("dialog-title").textContent = title;
  traced = decision;
  const beside = decision === null ? null : steps(...decision);
  byId("dialog-body").replaceChildren(
    ...(beside === null ? [] : [beside]),
    ...(table === null ? [] : [tableOf({ ...table, title }, () => null, seats)]),
    ...lines.map(([depth, text]) => element("p", { class: `depth-${Math.min(depth, 4)}` }, text)),
  );
  if (beside !== null && place.tracePage !== null) place.tracePage().then((link) => beside.append(" ", ...link));
  open();
}

function askWhy() {
  traced = null;
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
  foldTables();
}
