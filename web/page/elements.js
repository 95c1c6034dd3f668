// Making elements: texts are only ever set as text, so that no name and no rule can become markup.

/**
 * @param {string} name
 * @param {Record<string, string | boolean | ((event: Event) => void)>} attributes  a function is a listener
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  set(made, attributes);
  made.append(...children);
  return made;
}

/**
 * @param {string} name
 * @param {Record<string, string | boolean | ((event: Event) => void)>} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(made, attributes);
  made.append(...children);
  return made;
}

/**
 * @param {Element} made
 * @param {Record<string, string | boolean | ((event: Event) => void)>} attributes
 */
function set(made, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false) made.setAttribute(key, value);
  }
}

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const there = document.getElementById(id);
  if (there === null) throw new Error(`the page has no element ${id}`);
  return there;
}

/** @type {Record<string, string>} */
let translations = {};

/**
 * Say everything in a language from now on, what the page says already as well.
 * @param {Record<string, string>} phrases  by the English ones
 */
export function speak(phrases) {
  translations = phrases;
  for (const said of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-phrase]"))) {
    said.dataset.phrase ||= said.textContent ?? "";
    said.textContent = phrase(said.dataset.phrase);
  }
}

/**
 * A text of the page in the language of its reader.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function phrase(text, values = {}) {
  return (translations[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
