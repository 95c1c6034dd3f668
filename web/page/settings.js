// What a person has set for their own pages, kept by the browser if it keeps anything.

import { element, phrase } from "./elements.js";

/** @typedef {{animations: boolean, details: boolean, language: string}} Settings */

const KEPT = "regelwerk settings";
/** @type {Settings} */
const DEFAULTS = { animations: true, details: true, language: "" };

/** @returns {Settings} */
export function settings() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
  } catch {
    return DEFAULTS; // this browser keeps nothing
  }
}

/** @param {Partial<Settings>} changed */
export function set(changed) {
  try {
    localStorage.setItem(KEPT, JSON.stringify({ ...settings(), ...changed }));
  } catch {
    return;
  }
}

/** True if pieces may be seen to move: the person wants it here, and no less movement on their whole device. */
export function isAnimated() {
  return settings().animations && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** The language that the person would like best: that of this page's address, the one chosen before, the browser's. */
export function language() {
  const wanted = new URLSearchParams(location.search).get("language") || settings().language || navigator.language;
  return wanted.split("-")[0].toLowerCase();
}

/**
 * A choice of the language of these pages; the others at the table keep theirs.
 * @param {readonly string[]} languages
 * @param {string} now
 * @param {Window} page  the page whose address says in which language it is
 */
export function languageChoice(languages, now, page = window) {
  const names = new Intl.DisplayNames([now], { type: "language" });
  const choice = element("select", { id: "language", "aria-label": phrase("Language") }, ...languages.map((code) =>
    element("option", { value: code, selected: code === now }, names.of(code) ?? code)));
  choice.addEventListener("change", () => {
    const chosen = /** @type {HTMLSelectElement} */ (choice).value, address = new URL(page.location.href);
    set({ language: chosen });
    address.searchParams.set("language", chosen);
    page.location.href = address.href;
  });
  return choice;
}

/**
 * A box that sets something.
 * @param {"animations" | "details"} name
 * @param {string} words
 * @param {() => void} changed
 */
export function settingBox(name, words, changed) {
  const box = element("input", { type: "checkbox", id: `set-${name}`, checked: settings()[name] });
  box.addEventListener("change", () => {
    set({ [name]: /** @type {HTMLInputElement} */ (box).checked });
    changed();
  });
  return element("p", { class: "setting" }, box, element("label", { for: `set-${name}` }, words));
}
