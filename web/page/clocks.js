// The clocks of a table: what the session has said last, and the time that has passed since. And what of them can be
// chosen for a new table.

import { byId, element, phrase } from "./elements.js";

/** @typedef {import("./messages").ShownClock} ShownClock */

const SHORT = 15; // seconds that are left when a person is told
const MINUTE = 60;

/** @type {ShownClock[]} */
let clocks = [];
let heardAt = 0, ticking = 0;
/** @type {string | null} */
let own = null;

/**
 * @param {ShownClock[]} shown
 * @param {string | null} seat  that of the person
 */
export function setClocks(shown, seat) {
  clocks = shown;
  own = seat;
  heardAt = performance.now();
  if (clocks.length && !ticking) ticking = setInterval(tick, 500);
}

/** @param {ShownClock} clock */
function left(clock) {
  return Math.max(0, clock.seconds - (clock.runs ? (performance.now() - heardAt) / 1000 : 0));
}

/**
 * The clock of a seat; nothing if it has none.
 * @param {string} seat
 */
export function clockOf(seat) {
  const clock = clocks.find((each) => each.seat === seat);
  if (clock === undefined) return "";
  return element("span", { class: "clock", role: "timer", "data-clock": seat, "aria-label": phrase("time left") }, words(left(clock)));
}

/** @param {number} seconds */
function words(seconds) {
  const whole = Math.ceil(seconds), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / MINUTE) % 60;
  const two = (/** @type {number} */ number) => `${number}`.padStart(2, "0");
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(whole % MINUTE)}`;
}

/** Let the clocks of the page go on. */
export function tick() {
  for (const clock of clocks) {
    const shown = document.querySelector(`[data-clock="${CSS.escape(clock.seat)}"]`);
    if (shown !== null && shown.textContent !== words(left(clock))) shown.textContent = words(left(clock));
  }
  const mine = clocks.find((clock) => clock.seat === own && clock.runs && left(clock) <= SHORT);
  const said = mine ? phrase("Your time is nearly up.") : "", time = document.getElementById("time");
  if (time !== null && time.textContent !== said) time.textContent = said; // a page without clocks has no such line
}

// ---- a new table

/**
 * What can be chosen of the clocks of a new table.
 * @param {string[]} bots
 */
export function clockFields(bots) {
  /** @param {string} id @param {string} text @param {HTMLElement} control */
  const field = (id, text, control) => element("p", { class: "field" }, element("label", { for: id }, text), control);
  /** @param {string} id @param {Record<string, string>} choices @param {string} preset */
  const select = (id, choices, preset = "") => element("select", { id }, ...Object.entries(choices).map(([value, text]) =>
    element("option", { value, selected: value === preset }, text)));
  /** @param {string} id @param {number} least @param {number} most @param {number} preset */
  const number = (id, least, most, preset) =>
    element("input", { id, type: "number", min: `${least}`, max: `${most}`, value: `${preset}`, required: true });
  const per = select("clock-per", { "": phrase("no clock"), move: phrase("time for each move"), game: phrase("time for the whole game") });
  const details = element("div", { hidden: true });
  per.addEventListener("change", () => {
    const chosen = value("clock-per"), ofGame = chosen === "game";
    details.hidden = chosen === "";
    details.replaceChildren(...(chosen === "" ? [] : [
      ofGame ? field("clock-time", phrase("minutes for each player"), number("clock-time", 1, 1440, 15))
        : field("clock-time", phrase("seconds for each move"), number("clock-time", 5, 86400, 60)),
      ...(ofGame ? [field("clock-increment", phrase("seconds more after each move"), number("clock-increment", 0, 3600, 10))] : []),
      field("clock-stand-in", phrase("when time is up"), select("clock-stand-in", Object.fromEntries(["", "rest "].flatMap((rest) => bots.map((bot) =>
        [`${rest}${bot}`, rest ? phrase("the bot {bot} plays on", { bot }) : phrase("the bot {bot} makes that move", { bot })]))), "normal")),
    ]));
  });
  return element("fieldset", { id: "clock" }, element("legend", {}, phrase("Clock")), field("clock-per", phrase("time to decide"), per), details);
}

/** The clock that was chosen, as the server expects it; null for none. */
export function chosenClock() {
  const per = value("clock-per");
  if (per === "") return null;
  const time = Number(value("clock-time")), standIn = value("clock-stand-in");
  return {
    per, seconds: per === "game" ? time * MINUTE : time, increment: per === "game" ? Number(value("clock-increment")) : 0,
    stand_in: standIn.replace("rest ", ""), hands_over: standIn.startsWith("rest "),
  };
}

/** @param {string} id */
function value(id) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (byId(id)).value;
}
