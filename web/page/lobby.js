// The lobby: choose a game, its options and its players; get a link for each seat.

import { chosenClock, clockFields } from "./clocks.js";
import { byId, element } from "./elements.js";

/** @typedef {{name: string, title: string, sentence: string, fewest: number, most: number, minutes: [number, number] | null}} Listed */
/** @typedef {{name: string, values: string[], default: string}} Option */
/** @typedef {{name: string, title: string, seats: string[], fewest: number, most: number, options: Option[], bots: string[]}} Details */

const PERSON = "human", KEPT = "regelwerk tables";

/** @type {Details | null} */
let chosen = null;

/**
 * What the server answers; null if it does not, or refuses, which is then said.
 * @param {string} path
 * @param {RequestInit} request
 * @returns {Promise<any>}
 */
async function asked(path, request = {}) {
  byId("problem").textContent = "";
  try {
    const response = await fetch(path, request), answer = await response.json();
    if (response.ok) return answer;
    byId("problem").textContent = answer.reason;
  } catch {
    byId("problem").textContent = "The server does not answer.";
  }
  byId("problem").scrollIntoView({ block: "nearest" });
  return null;
}

async function begin() {
  drawMine();
  /** @type {Listed[] | null} */
  const games = await asked("/api/games");
  if (games === null) return;
  byId("games").replaceChildren(...games.map((game) => {
    const time = game.minutes ? `, ${range(...game.minutes)} minutes` : "";
    return element("li", {}, element("button", { type: "button", click: () => choose(game.name) },
      element("b", {}, game.title), element("small", {}, `${range(game.fewest, game.most)} players${time}`), element("span", {}, game.sentence)));
  }));
}

/**
 * @param {number} least
 * @param {number} most
 */
function range(least, most) {
  return least === most ? `${most}` : `${least}–${most}`;
}

/** @param {string} name */
async function choose(name) {
  /** @type {Details | null} */
  const details = await asked(`/api/games/${encodeURIComponent(name)}`);
  if (details === null) return;
  chosen = details;
  byId("setup").hidden = false;
  byId("links").hidden = true;
  byId("setup-title").textContent = chosen.title;
  drawPlayers(chosen, chosen.fewest);
  byId("options").hidden = chosen.options.length === 0;
  byId("options").replaceChildren(element("legend", {}, "Options"), ...chosen.options.map((option) =>
    field(`option-${option.name}`, words(option.name), select(`option-${option.name}`, option.values, option.default))));
  byId("clock").replaceWith(clockFields(chosen.bots));
  byId("setup-title").focus();
  byId("setup").scrollIntoView();
}

/**
 * @param {Details} game
 * @param {number} number
 */
function drawPlayers(game, number) {
  const numbers = Array.from({ length: game.most - game.fewest + 1 }, (_, index) => `${game.fewest + index}`);
  const many = select("number", numbers, `${number}`);
  many.addEventListener("change", () => {
    const players = byId("players"), before = new Map([...players.querySelectorAll("input, select")].map((field) => [field.id, value(field.id)]));
    drawPlayers(game, Number(value("number")));
    for (const field of players.querySelectorAll("input, select")) {
      const kept = before.get(field.id);
      if (kept !== undefined) /** @type {HTMLInputElement | HTMLSelectElement} */ (field).value = kept;
    }
    byId("number").focus();
  });
  const seats = game.seats.slice(0, number).map((seat, index) => element("div", { class: "player" },
    field(`kind-${seat}`, seat, select(`kind-${seat}`, [PERSON, ...game.bots], index === 0 ? PERSON : "normal", kindWords)),
    field(`name-${seat}`, "name", element("input", { id: `name-${seat}`, maxlength: "30", autocomplete: "off" }))));
  byId("players").replaceChildren(
    element("legend", {}, "Who plays"), ...(numbers.length > 1 ? [field("number", "Number of players", many)] : []), ...seats,
  );
}

/** @param {string} kind */
function kindWords(kind) {
  return kind === PERSON ? "a person, by link" : `bot: ${kind}`;
}

/** @param {string} name */
function words(name) {
  return name.replaceAll("_", " ");
}

/**
 * @param {string} id
 * @param {string} text
 * @param {HTMLElement} control
 */
function field(id, text, control) {
  return element("p", { class: "field" }, element("label", { for: id }, text), control);
}

/**
 * @param {string} id
 * @param {string[]} values
 * @param {string} preset
 */
function select(id, values, preset, shown = words) {
  return element("select", { id }, ...values.map((each) =>
    element("option", { value: each, selected: each === preset }, shown(each))));
}

/** @param {string} id */
function value(id) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(id)).value;
}

/** @param {Event} event */
async function openTable(event) {
  event.preventDefault();
  if (chosen === null) return;
  const number = chosen.fewest === chosen.most ? chosen.most : Number(value("number"));
  const seats = chosen.seats.slice(0, number);
  const wanted = {
    game: chosen.name,
    seats: Object.fromEntries(seats.map((seat) => [seat, value(`kind-${seat}`)])),
    names: Object.fromEntries(seats.map((seat) => [seat, value(`name-${seat}`)]).filter(([, name]) => name)),
    options: Object.fromEntries(chosen.options.map((option) => [option.name, value(`option-${option.name}`)])),
    clock: chosenClock(),
  };
  const submit = /** @type {HTMLButtonElement} */ (byId("submit"));
  submit.disabled = true; // a second click would add a second table
  const answer = await asked("/api/tables", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wanted),
  });
  submit.disabled = false;
  if (answer === null) return;
  const people = new Set([...seats.filter((seat) => wanted.seats[seat] === PERSON), "spectator"]);
  /** @type {[string, string][]} */
  const links = Object.entries(/** @type {Record<string, string>} */ (answer.links)).filter(([seat]) => people.has(seat));
  keep(chosen.title, links);
  byId("of-seats").replaceChildren(...links.flatMap(([seat, path]) => {
    const address = new URL(path, location.href).href;
    // A browser lets pages copy only over TLS and on this machine.
    const copy = navigator.clipboard ? [element("button", { type: "button", click: () => navigator.clipboard.writeText(address) }, "Copy")] : [];
    return [element("dt", {}, seat), element("dd", {}, element("a", { href: path, "data-seat": seat }, address), " ", ...copy)];
  }));
  byId("links").hidden = false;
  byId("links-title").focus();
  byId("links").scrollIntoView();
}

/**
 * @param {string} title
 * @param {[string, string][]} links
 */
function keep(title, links) {
  const tables = kept();
  tables.unshift({ title, links, at: new Date().toISOString().slice(0, 16).replace("T", " ") });
  try {
    localStorage.setItem(KEPT, JSON.stringify(tables.slice(0, 50)));
  } catch {
    return; // this browser keeps nothing: the links are on the page all the same
  }
  drawMine();
}

/** @returns {{title: string, links: [string, string][], at: string}[]} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

function drawMine() {
  const tables = kept();
  byId("mine").hidden = tables.length === 0;
  byId("tables").replaceChildren(...tables.map((table) => element("li", {}, `${table.title}, ${table.at}: `,
    ...table.links.flatMap(([seat, path]) => [element("a", { href: path }, seat), " "]))));
}

byId("form").addEventListener("submit", openTable);
begin();
