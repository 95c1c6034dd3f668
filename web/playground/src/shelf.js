// What authors have written, kept in the browser: an entry for each game of their own or that they have changed. Nothing
// else overwrites an entry: neither another game, nor a link, nor another page on which the same entry is changed.

import { checked } from "./project.js";

/** @typedef {import("./project.js").Project} Project */
/** @typedef {{id: string, title: string, changed: number}} Listed  an entry; `changed` in milliseconds */

const LAST = "regelwerk playground", ENTRY = `${LAST}/`;
const TITLE = /^[ \t]*game[ \t]+"([^"\n]+)"/m, MAX_TITLE = 60;

/** @type {string | null} the entry of the project at hand; null as long as nothing of it is the author's */
let at = null;
/** The entry as this page knows it. */
let known = "";

/** The entries, the one last changed first. */
export function entries() {
  /** @type {Listed[]} */
  const listed = [];
  for (const key of keys()) {
    const { title, changed } = parsed(text(key));
    if (typeof title === "string" && typeof changed === "number") listed.push({ id: key.slice(ENTRY.length), title, changed });
  }
  return listed.sort((first, second) => second.changed - first.changed);
}

/** The entry that is at hand. */
export function opened() {
  return at;
}

/**
 * What an entry contains; null if it cannot be read.
 * @param {string} id
 */
export function read(id) {
  return checked(parsed(text(ENTRY + id)));
}

/**
 * Work at an entry from now on. False if it is not there.
 * @param {string} id
 */
export function open(id) {
  const entry = text(ENTRY + id);
  if (!entry) return false;
  at = id;
  known = entry;
  remember({ entry: id });
  return true;
}

/**
 * Work at something else, which gets an entry of its own once the author changes it.
 * @param {string} origin  the name of a shipped game, opened when the page is loaded again; empty for a link
 */
export function begin(origin) {
  at = null;
  known = "";
  if (origin) remember({ origin });
}

/**
 * Keep what an author has changed. False if there is no room for it.
 * @param {Project} project  its files are those that differ from the shipped game
 * @param {string} rules  the rules, which say what the game is called
 */
export function keep(project, rules) {
  // Another page has changed the entry: both go on, each with its own.
  if (at !== null && text(ENTRY + at) !== known && text(ENTRY + at) !== "") at = null;
  at ??= newId();
  const title = (rules.match(TITLE)?.[1] ?? project.rules).slice(0, MAX_TITLE), entry = JSON.stringify({ ...project, title, changed: Date.now() });
  try {
    localStorage.setItem(ENTRY + at, entry);
  } catch {
    return false;
  }
  known = entry;
  remember({ entry: at });
  return true;
}

/** Leave the entry at hand as it is: what changes from now on is kept in another one. */
export function branch() {
  at = null;
}

/**
 * Forget the entry at hand: what is left is a shipped game as it is.
 * @param {string} origin  its name, if it is one
 */
export function forget(origin) {
  if (at !== null && text(ENTRY + at) === known) localStorage.removeItem(ENTRY + at); // another page may go on with it
  begin(origin);
  return true;
}

/** What this page, or else any other one, last had open, if it is still there. */
export function last() {
  const { entry, origin } = recall();
  return typeof entry === "string" && text(ENTRY + entry) ? { entry } : { origin: typeof origin === "string" ? origin : "" };
}

/** Keep what earlier versions of this page have kept, which was one project. */
export function moveEarlier() {
  const earlier = checked(parsed(text(LAST)));
  if (earlier !== null) keep(earlier, earlier.files[earlier.rules] ?? "");
}

// ---------------------------------------------------------------- what the browser keeps

/** @returns {string[]} */
function keys() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(ENTRY));
  } catch {
    return []; // this browser keeps nothing
  }
}

/** @param {string} key */
function text(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {string} json
 * @returns {Record<string, unknown>}
 */
function parsed(json) {
  try {
    return { ...JSON.parse(json) };
  } catch {
    return {};
  }
}

/** @param {{entry: string} | {origin: string}} last */
function remember(last) {
  const pointer = JSON.stringify(last);
  try {
    sessionStorage.setItem(LAST, pointer); // two pages may work at different things
    localStorage.setItem(LAST, pointer);
  } catch {
    return;
  }
}

function recall() {
  try {
    return parsed(sessionStorage.getItem(LAST) ?? text(LAST));
  } catch {
    return {};
  }
}

/** An identifier that no entry has. */
function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
