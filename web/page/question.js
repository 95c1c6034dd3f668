// The question, answered step by step: by its list, by the board, or by a card.

import { byId, element, phrase } from "./elements.js";

/** @typedef {import("./messages").Step} Step */
/** @typedef {import("./messages").Question} Question */
/** @typedef {import("./connection.js").Connection} Connection */
/** @typedef {{take: number} | {about: string} | {words: string}} Answer */

export class Asking {
  /** @type {Question | null} */
  question = null;
  /** @type {Step | null} */
  step = null;
  /** @type {Answer[]} */
  path = [];
  number = 0;
  refusal = "";
  isBusy = false;

  /**
   * @param {Connection} connection
   * @param {() => void} changed  the step has changed: what can be chosen is to be drawn anew
   */
  constructor(connection, changed) {
    this.connection = connection;
    this.changed = changed;
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * @param {Question | null} question
   * @param {number} number
   */
  begin(question, number) {
    const isSame = this.question !== null && question !== null && this.number === number
      && JSON.stringify(question) === JSON.stringify(this.question);
    this.question = question;
    this.number = number;
    if (isSame) return;
    this.step = question?.step ?? null;
    this.path = [];
    this.refusal = "";
    this.isBusy = false;
    byId("question").scrollTop = 0;
  }

  /** The names of the places and other values that an answer may be about. */
  get possible() {
    return new Set(this.step?.candidates.flatMap((candidate) => candidate.names) ?? []);
  }

  /** The names of the places and other values that the move is about which is about to be made. */
  get chosen() {
    return new Set(this.step?.move?.names ?? []);
  }

  /**
   * True if the words of a card below a heading are among those of an answer.
   *
   * An answer that says where the card lies, `take red from the display`, is about no other place where one of these
   * words lies.
   * @param {string} words
   * @param {string} heading
   * @param {Map<string, Set<string>>} wordsByHeading  the words of all cards in sight, by the headings above them
   */
  offers(words, heading, wordsByHeading) {
    if (words === "") return false;
    return this.step?.candidates.some((candidate) => {
      if (!within(words, candidate.words)) return false;
      const said = [...wordsByHeading].filter(([other, cards]) =>
        other && cards.has(words) && within(other.toLowerCase(), candidate.words.toLowerCase()));
      return said.length === 0 || said.some(([other]) => other === heading);
    }) ?? false;
  }

  /** @param {Answer} answer */
  async answer(answer) {
    await this.#go([...this.path, answer]);
  }

  async back() {
    if (this.path.length) await this.#go(this.path.slice(0, -1));
  }

  /** @param {Answer[]} path */
  async #go(path) {
    if (this.isBusy) return;
    this.isBusy = true;
    const reply = await this.connection.ask({ kind: "ask", number: this.number, path });
    this.isBusy = false;
    if (reply.kind === "asked") {
      this.step = reply.step;
      this.path = path;
      this.refusal = "";
    } else if (reply.kind === "refused") {
      this.refusal = reply.reason;
    }
    this.changed();
    const step = byId("step"); // not `Back`, which is the first button: Enter goes on
    /** @type {HTMLElement | null} */
    const next = step.querySelector("button.main, .candidates button") ?? step.querySelector("button");
    next?.focus();
  }

  async play() {
    const move = this.step?.move;
    if (!move || this.isBusy) return;
    this.isBusy = true;
    const reply = await this.connection.ask({ kind: "play", number: this.number, notation: move.notation });
    this.isBusy = false;
    if (reply.kind === "refused") {
      this.refusal = reply.reason;
      this.changed();
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (typing || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" || event.key === "Backspace") this.back();
    const number = Number(event.key);
    if (number >= 1 && this.step && number <= this.step.candidates.length) this.answer({ take: number - 1 });
  }

  draw() {
    const step = this.step, body = byId("step");
    if (step === null) {
      body.replaceChildren();
      return;
    }
    const parts = [];
    if (this.path.length) {
      const trail = step.answers.map((answer) => element("li", {}, answer));
      parts.push(element("div", { class: "trail" },
        element("button", { type: "button", class: "back", click: () => this.back() }, phrase("Back")),
        element("ol", { "aria-label": phrase("answers so far") }, ...trail)));
    }
    const hasWords = step.label.some((part, index) => index !== step.part && part?.trim());
    if (step.asked === "value" && step.move === null && hasWords) {
      parts.push(element("p", { class: "template" }, ...step.label.map((part, index) =>
        index === step.part ? element("b", {}, "[ ? ]") : part ?? "…")));
    }
    if (step.candidates.some((candidate) => candidate.names.length) && step.move === null && document.querySelector("#board:not([hidden])")) {
      parts.push(element("p", { class: "quiet on-board" }, phrase("You can also choose a marked place of the board.")));
    }
    if (step.move !== null) {
      parts.push(element("p", { class: "move" }, step.move.label));
      if (step.move.effects.length) {
        parts.push(element("ul", { class: "effects", "aria-label": phrase("what it changes") },
          ...step.move.effects.map((effect) => element("li", {}, effect))));
      }
      parts.push(element("button", { type: "button", class: "main", click: () => this.play() }, phrase("Play this")));
    } else {
      parts.push(element("ol", { class: "candidates" }, ...step.candidates.map((candidate, index) => {
        const more = candidate.moves > 1 ? [element("small", {}, phrase("{number} moves", { number: candidate.moves }))] : [];
        const chosen = () => this.answer({ take: index });
        const button = { type: "button", click: chosen, "aria-keyshortcuts": index < 9 && `${index + 1}` };
        return element("li", {}, element("button", button, candidate.words, ...more));
      })));
    }
    if (this.refusal) parts.push(element("p", { class: "refusal", role: "alert" }, this.refusal));
    body.replaceChildren(...parts);
  }
}

/**
 * True if words occur in a text as whole words.
 * @param {string} words
 * @param {string} text
 */
function within(words, text) {
  const at = text.indexOf(words);
  if (at < 0) return false;
  const isLetter = (/** @type {string | undefined} */ character) => /[\p{L}\p{N}]/u.test(character ?? "");
  return !isLetter(text[at - 1]) && !isLetter(text[at + words.length]);
}
