// Who plays at the table, and with which options and variants.

import { byId, element, phrase } from "../../page/elements.js";

/** @typedef {import("./messages").Playable} Playable */

const PERSON = "human", PRESET = "random";

/** @type {Playable | null} */
let drawn = null;

/**
 * Offer what can be chosen; what was chosen before stays, where it can.
 * @param {Playable} game
 * @param {string[]} variants  paths
 * @param {string[]} active
 * @param {(path: string, isActive: boolean) => void} toggle
 */
export function drawSetup(game, variants, active, toggle) {
  const before = chosen();
  const numbers = game.counts;
  const number = numbers.includes(Object.keys(before.kinds).length) ? Object.keys(before.kinds).length : game.counts[0];
  drawn = game;
  const many = select("number", numbers.map(String), `${number}`);
  many.addEventListener("change", () => drawSeats(game, Number(many.value), chosen().kinds));
  byId("choices").replaceChildren(
    ...(numbers.length > 1 ? [field("number", phrase("Players"), many)] : []), element("span", { id: "seat-choices" }),
    ...game.options.map((option) => {
      const value = before.options[option.name] ?? "";
      return field(`option-${option.name}`, words(option.name), select(`option-${option.name}`, option.values, option.values.includes(value) ? value : option.default));
    }),
    ...variants.map((path) => element("label", { class: "choice" }, element("input", {
      type: "checkbox", checked: active.includes(path), change: (event) => toggle(path, /** @type {HTMLInputElement} */ (event.target).checked),
    }), ` ${words(path.replace(/^variants\//, "").replace(/\.rules$/, ""))}`)),
  );
  drawSeats(game, number, before.kinds);
}

/**
 * @param {Playable} game
 * @param {number} number
 * @param {Record<string, string>} before
 */
function drawSeats(game, number, before) {
  byId("seat-choices").replaceChildren(...game.seats.slice(0, number).map((seat, index) =>
    field(`kind-${seat}`, words(seat), select(`kind-${seat}`, [PERSON, ...game.bots], before[seat] ?? (index ? PRESET : PERSON), kindWords))));
}

/** What is chosen now. */
export function chosen() {
  /** @type {{kinds: Record<string, string>, options: Record<string, string>}} */
  const choice = { kinds: {}, options: {} };
  for (const control of byId("choices").querySelectorAll("select")) {
    const [kind, ...name] = control.id.split("-");
    if (kind === "kind") choice.kinds[name.join("-")] = control.value;
    if (kind === "option") choice.options[name.join("-")] = control.value;
  }
  return choice;
}

/**
 * True if some of those who play think about what to do, which takes time.
 * @param {Record<string, string>} kinds
 */
export function doThink(kinds) {
  return Object.values(kinds).some((kind) => ![PERSON, PRESET].includes(kind));
}

/** True if there is a game whose table can be set up. */
export function isOffered() {
  return drawn !== null;
}

/** @param {string} kind */
function kindWords(kind) {
  return kind === PERSON ? phrase("you") : phrase("bot: {bot}", { bot: kind });
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
  return element("span", { class: "choice" }, element("label", { for: id }, text), " ", control);
}

/**
 * @param {string} id
 * @param {string[]} values
 * @param {string} preset
 */
function select(id, values, preset, shown = words) {
  const made = /** @type {HTMLSelectElement} */ (element("select", { id }));
  made.append(...values.map((value) => element("option", { value, selected: value === preset }, shown(value))));
  return made;
}
