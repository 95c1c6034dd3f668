// What is known about the rules, below the editor: problems, examples, and the trace of the game.

import { byId, element, phrase } from "../../page/elements.js";

/** @typedef {import("./messages").ShownDiagnostic} Diagnostic */
/** @typedef {import("./messages").ShownExample} Example */
/** @typedef {import("./messages").ShownEvent} Event */
/** @typedef {import("./messages").ShownFix} Fix */
/**
 * @typedef {object} Uses
 * @property {(file: string, position: number) => void} goTo
 * @property {(file: string, line: number) => void} goToLine
 * @property {(fix: Fix) => void} fix
 * @property {(file: string) => string} textOf
 */

/**
 * @param {Diagnostic[]} diagnostics
 * @param {Uses} uses
 */
export function drawProblems(diagnostics, uses) {
  const number = diagnostics.length;
  byId("tab-problems").textContent = number ? phrase("Problems ({number})", { number }) : phrase("Problems");
  byId("tab-problems").classList.toggle("wrong", diagnostics.some(({ severity }) => severity === "error"));
  byId("problems").replaceChildren(...(number ? [element("ul", { class: "list" }, ...diagnostics.map((diagnostic) => {
    const { range, code, severity } = diagnostic, [message, ...helps] = diagnostic.message.split("\n"), text = uses.textOf(range.file);
    const line = text.slice(0, range.start).split("\n").length;
    const at = element("button", { type: "button", class: "at", click: () => uses.goTo(range.file, range.start) }, `${range.file}:${line}`);
    const related = diagnostic.related.map((other) => element("p", {}, element("button", {
      type: "button", class: "at", click: () => uses.goTo(other.range.file, other.range.start),
    }, `${other.range.file}:${uses.textOf(other.range.file).slice(0, other.range.start).split("\n").length}`), ` ${other.text}`));
    const fixes = diagnostic.fixes.map((fix) => element("button", { type: "button", class: "fix", click: () => uses.fix(fix) }, fix.title));
    return element("li", {}, at, " ", element("b", { class: severity }, `${severity === "error" ? phrase("error") : phrase("warning")} ${code}`), ` ${message}`,
      ...helps.map((help) => element("p", { class: "help" }, help)), ...related, ...fixes);
  }))] : [element("p", { class: "nothing" }, phrase("No problems."))]));
}

/**
 * @param {Example[] | null} examples  null while they have not been run
 * @param {Uses} uses
 */
export function drawExamples(examples, uses) {
  const passed = examples?.filter((example) => example.passed).length ?? 0;
  byId("tab-examples").textContent = examples === null ? phrase("Examples") : phrase("Examples ({passed}/{all})", { passed, all: examples.length });
  byId("tab-examples").classList.toggle("wrong", examples !== null && passed < examples.length);
  const sorted = [...(examples ?? [])].sort((first, second) => Number(first.passed) - Number(second.passed));
  byId("examples").replaceChildren(...(examples === null ? [element("p", { class: "nothing" }, phrase("Ctrl-S runs the examples."))]
    : [element("ul", { class: "list" }, ...sorted.map((example) => element("li", {},
      element("button", { type: "button", class: "at", click: () => uses.goToLine(example.file, example.line) }, `${example.file}:${example.line}`), " ",
      element("b", { class: example.passed ? "passes" : "error" }, example.passed ? `✓ ${phrase("passes")}` : `✗ ${phrase("fails")}`), ` ${example.title}`,
      ...example.failures.map((failure) => element("pre", {}, failure)))))]));
}

/**
 * @param {Event[]} events
 * @param {Uses} uses
 */
export function drawTrace(events, uses) {
  const lines = events.map((event) => {
    const text = element("span", { class: `event ${event.event}` },
      event.verdict === null ? "" : event.verdict ? "✓ " : "✗ ", event.text);
    const values = event.values.map(([name, value]) => element("small", {}, `${name} = ${value}`));
    const at = event.line ? [element("button", { type: "button", class: "at", click: () => uses.goToLine(event.file, event.line) }, `${event.line}`)] : [];
    return element("li", { class: `depth-${Math.min(event.depth, 6)}` }, text, " ", ...at, ...values.flatMap((value) => [" ", value]));
  });
  byId("events").replaceChildren(...lines);
  byId("events").scrollTop = byId("events").scrollHeight;
}

/** Tabs, each of which shows its panel; arrow keys move between them, as everywhere. */
export class Tabs {
  /**
   * @param {HTMLElement} list
   * @param {(panel: string) => void} chosen
   */
  constructor(list, chosen) {
    this.list = list;
    this.chosen = chosen;
    list.addEventListener("keydown", (event) => {
      const tabs = this.#tabs(), at = tabs.findIndex((tab) => tab === event.target);
      const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (at < 0 || next === undefined) return;
      event.preventDefault();
      const tab = tabs[(next + tabs.length) % tabs.length];
      this.choose(tab.dataset.panel ?? "");
      tab.focus();
    });
    list.addEventListener("click", (event) => {
      const tab = /** @type {HTMLElement} */ (event.target).closest("[role=tab]");
      if (tab instanceof HTMLElement) this.choose(tab.dataset.panel ?? "");
    });
  }

  /** @returns {HTMLElement[]} */
  #tabs() {
    return [...this.list.querySelectorAll("[role=tab]")].filter((tab) => tab instanceof HTMLElement);
  }

  /** @param {string} panel */
  choose(panel) {
    this.mark(panel);
    this.chosen(panel);
  }

  /** @param {string} panel */
  mark(panel) {
    for (const tab of this.#tabs()) {
      const isChosen = tab.dataset.panel === panel;
      tab.setAttribute("aria-selected", `${isChosen}`);
      tab.tabIndex = isChosen ? 0 : -1;
      if (isChosen) tab.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }
}
