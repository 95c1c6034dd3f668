// The lobby: choose a game, its options and its players; get a link for each seat.

import { drawContents, setBoard } from "./board.js";
import { chosenClock, clockFields } from "./clocks.js";
import { byId, element, phrase, speak } from "./elements.js";
import { language, languageChoice } from "./settings.js";

/** @typedef {{name: string, title: string, sentence: string, counts: number[], facts: string, family: string}} Listed */
/** @typedef {{name: string, words: string, sentence: string, values: string[], texts: Record<string, string>, default: string}} Option */
/** @typedef {{name: string, title: string, sentence: string}} Variant */
/** @typedef {{board: import("./messages").ShownBoard, contents: Record<string, import("./messages").Content[]>, colours: Record<string, string>}} Preview */
/**
 * @typedef {object} Details
 * @property {string} name
 * @property {string} title
 * @property {string} sentence
 * @property {string[]} seats
 * @property {Record<string, string>} words  what the seats are called
 * @property {number[]} counts  of players
 * @property {Option[]} options
 * @property {Variant[]} variants
 * @property {{name: string, title: string}[]} boards  empty if there is no choice
 * @property {string[]} bots
 * @property {Preview | null} preview
 */

const PERSON = "human", KEPT = "regelwerk tables", PRESET_BOT = "normal", MOST_KEPT = 50, MOST_SHOWN = 3;

/** @type {Details | null} */
let chosen = null;
/** @type {Listed[]} */
let games = [];
/** How often a game was chosen or left; an answer to an earlier choice must not lead back to it. */
let choiceNumber = 0;

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
    byId("problem").textContent = phrase("The server does not answer.");
  }
  byId("problem").scrollIntoView({ block: "nearest" });
  return null;
}

async function begin() {
  const wanted = encodeURIComponent(language());
  const [words, listed] = await Promise.all([asked(`/api/lobby?language=${wanted}`), asked(`/api/games?language=${wanted}`)]);
  if (words === null || listed === null) return;
  speak(words.phrases);
  document.documentElement.lang = words.language;
  document.title = `Regelwerk: ${phrase("a new table")}`;
  byId("languages").replaceChildren(languageChoice(words.languages, words.language));
  games = listed;
  const most = Math.max(...games.flatMap((game) => game.counts));
  const numbers = Array.from({ length: most }, (_, index) => `${index + 1}`);
  const families = [...new Set(games.map(({ family }) => family))];
  byId("few").replaceChildren(...choices(["", ...numbers], "", (number) => number || phrase("any")));
  byId("kind").replaceChildren(...choices(["", ...families.filter(Boolean)], "", (family) => family || phrase("any")));
  byId("filter").addEventListener("input", drawGames);
  byId("other").addEventListener("click", () => {
    location.hash = "";
  });
  addEventListener("hashchange", followAddress);
  drawGames();
  drawMine();
  followAddress();
}

/** Show the game that the address names, or else all games: so the browser leads back, and a link to a game. */
function followAddress() {
  const name = new URLSearchParams(location.hash.slice(1)).get("game");
  if (name) {
    choose(name);
    return;
  }
  choiceNumber += 1;
  if (byId("choice").hidden) show("choice");
}

/** @param {"choice" | "setup" | "links"} part */
function show(part) {
  for (const each of ["choice", "setup", "links"]) byId(each).hidden = each !== part;
  byId("mine").hidden = part !== "choice" || kept().length === 0;
  const left = part === "choice" && chosen ? document.getElementById(`game-${chosen.name}`) : null;
  (left ?? byId(part === "choice" ? "games-title" : `${part}-title`)).focus();
  if (left) left.scrollIntoView({ block: "center" }); // where somebody has left off reading
  else scrollTo(0, 0);
}

function drawGames() {
  const number = Number(value("few")), kind = value("kind"), searched = value("search").split(/\s+/).map(letters);
  const fitting = games.filter(({ name, title, counts, family, sentence }) => (!number || counts.includes(number)) && (!kind || family === kind)
    && searched.every((word) => [title, name, family, ...(word.length > 3 ? [sentence] : [])].some((text) => letters(text).includes(word))));
  const families = [...new Set(fitting.map(({ family }) => family))];
  byId("fitting").textContent = phrase("{number} of {total} games", { number: fitting.length, total: games.length });
  byId("games").replaceChildren(...families.map((family) => element("section", {},
    families.length > 1 ? element("h3", {}, family || phrase("other games")) : "",
    element("ul", {}, ...fitting.filter((game) => game.family === family).map(card)))));
}

/**
 * The letters and digits of a text, small and without accents: however somebody spells a name, they find it.
 * @param {string} text
 */
function letters(text) {
  return text.toLowerCase().normalize("NFD").replace(/[^\p{L}\p{N}]/gu, "");
}

/** @param {Listed} game */
function card(game) {
  const go = () => {
    const address = `#${new URLSearchParams({ game: game.name })}`;
    if (location.hash === address) followAddress(); // once more, as the server has not answered
    else location.hash = address;
  };
  return element("li", {}, element("button", { type: "button", id: `game-${game.name}`, click: go },
    element("b", {}, game.title), element("small", {}, game.facts), element("span", {}, game.sentence)));
}

/**
 * @param {string} name
 * @param {string[]} variants
 */
async function choose(name, variants = []) {
  const query = new URLSearchParams([["language", language()], ...variants.map((variant) => ["variant", variant])]);
  choiceNumber += 1;
  const thisChoice = choiceNumber;
  /** @type {Details | null} */
  const details = await asked(`/api/games/${encodeURIComponent(name)}?${query}`);
  if (details === null || thisChoice !== choiceNumber) return;
  const isOther = chosen?.name !== name || byId("setup").hidden;
  const number = isOther ? details.counts.find((each) => each >= Number(value("few"))) ?? details.counts[0] : count(details);
  chosen = details;
  byId("setup-title").textContent = chosen.title;
  byId("sentence").textContent = chosen.sentence;
  drawPlayers(chosen, number);
  drawVariants(chosen, new Set(variants));
  drawOptions(chosen);
  byId("clock").replaceWith(clockFields(chosen.bots));
  drawPreview(chosen);
  if (isOther) show("setup");
}

/** @param {Details} game */
function drawPreview(game) {
  byId("board").hidden = game.preview === null;
  if (game.preview === null) return;
  setBoard(game.preview.board, new Map(Object.entries(game.preview.colours)));
  const none = { possible: new Set(), chosen: new Set(), moved: new Set(), choose: () => {}, why: null };
  drawContents(game.preview.contents, /** @type {import("./board.js").Marks} */ (none), false);
}

/**
 * @param {Details} game
 * @param {Set<string>} ticked
 */
function drawVariants(game, ticked) {
  byId("variants").hidden = game.variants.length === 0;
  byId("variants").replaceChildren(element("legend", {}, phrase("Variants")), ...game.variants.map((variant) => {
    const box = element("input", { type: "checkbox", id: `variant-${variant.name}`, checked: ticked.has(variant.name) });
    box.addEventListener("change", async () => { // a variant may have options of its own
      await choose(game.name, chosenVariants());
      document.getElementById(box.id)?.focus();
    });
    return element("p", { class: "setting" }, box, element("label", { for: `variant-${variant.name}` },
      element("b", {}, variant.title), element("small", {}, variant.sentence)));
  }));
}

/** @returns {string[]} */
function chosenVariants() {
  return [.../** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("#variants input:checked"))]
    .map((box) => box.id.replace("variant-", ""));
}

/** @param {Details} game */
function drawOptions(game) {
  byId("more").hidden = game.options.length + game.boards.length === 0;
  const boards = Object.fromEntries(game.boards.map(({ name, title }) => [name, title]));
  byId("options").replaceChildren(
    ...(game.boards.length ? [field("board-choice", phrase("Board"), select("board-choice", Object.keys(boards), "", (name) => boards[name]))] : []),
    ...game.options.map((option) => element("div", { class: "option" },
      field(`option-${option.name}`, option.words, select(`option-${option.name}`, option.values, option.default, (value) => option.texts[value])),
      ...(option.sentence ? [element("small", {}, option.sentence)] : []))),
  );
}

/**
 * @param {Details} game
 * @param {number} number
 */
function drawPlayers(game, number) {
  const numbers = game.counts;
  const many = select("number", numbers.map(String), `${number}`, (number) => number);
  const players = byId("players"), before = new Map([...players.querySelectorAll("input, select")].map((field) => [field.id, value(field.id)]));
  many.addEventListener("change", () => {
    drawPlayers(game, Number(value("number")));
    byId("number").focus();
  });
  const seats = game.seats.slice(0, number).map((seat, index) => element("div", { class: "player" },
    field(`kind-${seat}`, game.words[seat], select(`kind-${seat}`, [PERSON, ...game.bots], index === 0 ? PERSON : PRESET_BOT, kindWords)),
    field(`name-${seat}`, phrase("name"), element("input", { id: `name-${seat}`, maxlength: "30", autocomplete: "off" }))));
  players.replaceChildren(element("legend", {}, phrase("Who plays")),
    ...(numbers.length > 1 ? [field("number", phrase("Number of players"), many)] : []), ...seats);
  for (const field of players.querySelectorAll(".player input, .player select")) {
    const kept = before.get(field.id);
    if (kept !== undefined) /** @type {HTMLInputElement | HTMLSelectElement} */ (field).value = kept;
  }
  players.onchange = nameOnlyPeople;
  nameOnlyPeople();
}

/** Let only people be given names: a bot has one. */
function nameOnlyPeople() {
  for (const player of byId("players").querySelectorAll(".player")) {
    const [kind, name] = /** @type {NodeListOf<HTMLElement>} */ (player.querySelectorAll(".field"));
    name.hidden = kind.querySelector("select")?.value !== PERSON;
  }
}

/** @param {string} kind */
function kindWords(kind) {
  return kind === PERSON ? phrase("a person, by link") : phrase("bot: {kind}", { kind });
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
 * @param {(value: string) => string} words
 */
function select(id, values, preset, words) {
  return element("select", { id }, ...choices(values, preset, words));
}

/**
 * @param {string[]} values
 * @param {string} preset
 * @param {(value: string) => string} words
 */
function choices(values, preset, words) {
  return values.map((value) => element("option", { value, selected: value === preset }, words(value)));
}

/** @param {string} id */
function value(id) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(id)).value;
}

/** @param {Details} game */
function count(game) {
  return game.counts.length === 1 ? game.counts[0] : Number(value("number"));
}

/** @param {Event} event */
async function openTable(event) {
  event.preventDefault();
  const game = chosen;
  if (game === null) return;
  const seats = game.seats.slice(0, count(game));
  const wanted = {
    game: game.name,
    seats: Object.fromEntries(seats.map((seat) => [seat, value(`kind-${seat}`)])),
    names: Object.fromEntries(seats.map((seat) => [seat, value(`name-${seat}`)]).filter(([, name]) => name)),
    options: Object.fromEntries(game.options.map((option) => [option.name, value(`option-${option.name}`)])),
    variants: chosenVariants(),
    board: game.boards.length ? value("board-choice") : "",
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
  const isKept = keep(game.title, links.map(([seat, path]) => [game.words[seat] ?? seat, path]));
  if (isKept && people.size === 2) { // one person and spectators: there is nobody to wait for
    location.assign(links[0][1]);
    return;
  }
  byId("of-seats").replaceChildren(...links.flatMap(([seat, path]) => {
    const address = new URL(path, location.href).href;
    // A browser lets pages copy only over TLS and on this machine.
    const copy = navigator.clipboard ? [element("button", { type: "button", click: () => navigator.clipboard.writeText(address) }, phrase("Copy"))] : [];
    const name = seat === "spectator" ? phrase("spectators") : game.words[seat];
    const go = seat === "spectator" ? phrase("Watch") : phrase("Play as {seat}", { seat: name });
    return [element("dt", {}, name), element("dd", {}, element("a", { href: path, class: "button", "data-seat": seat }, go), " ", ...copy, element("small", {}, address))];
  }));
  show("links");
}

/**
 * @param {string} title
 * @param {[string, string][]} links  by the names of the seats
 * @returns {boolean} whether this browser keeps them
 */
function keep(title, links) {
  const tables = kept();
  tables.unshift({ title, links, at: new Date().toISOString() });
  try {
    localStorage.setItem(KEPT, JSON.stringify(tables.slice(0, MOST_KEPT)));
  } catch {
    return false; // the links are on the page all the same
  }
  drawMine();
  return true;
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
  const times = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  byId("mine").hidden = tables.length === 0;
  const lines = tables.map((table) => element("li", {}, `${table.title}, ${times.format(new Date(table.at))}: `,
    ...table.links.flatMap(([seat, path]) => [element("a", { href: path }, seat === "spectator" ? phrase("spectators") : seat), " "])));
  const older = lines.slice(MOST_SHOWN); // the games below stay in sight
  byId("tables").replaceChildren(...lines.slice(0, MOST_SHOWN), ...(older.length ? [element("li", {}, element("details", {},
    element("summary", {}, phrase("… {number} more", { number: older.length })), element("ul", {}, ...older)))] : []));
}

byId("form").addEventListener("submit", openTable);
begin();
