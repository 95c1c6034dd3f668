// The workshop, from the page: requests to the worker and what it says by itself.

import Worker from "./worker.js?worker";

/** @typedef {import("./messages").AuthorSent} AuthorSent */
/** @typedef {AuthorSent["kind"]} Kind */

const PATIENCE = 8_000; // milliseconds after which Python is said to be busy, and can be stopped
const BETWEEN = 1_000; // milliseconds from an answer to the next question whether the worker still hears

export class Workshop {
  #asked = 0;
  #lines = 0;
  /** @type {Map<string, (answer: any) => void>} */
  #pending = new Map();
  /** @type {Worker} */
  #worker;
  #isBusy = false;
  #timer = 0;

  /**
   * @param {(message: AuthorSent) => void} told  what is no answer
   * @param {(state: "starting" | "ready" | "busy" | "failed", detail: string) => void} changed
   */
  constructor(told, changed) {
    this.told = told;
    this.changed = changed;
    this.#worker = this.#start();
  }

  #start() {
    this.changed("starting", "");
    const worker = new Worker();
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = (event) => this.changed("failed", event.message);
    worker.postMessage({ folder: new URL("python/", document.baseURI).href });
    return worker;
  }

  /** End Python with whatever it does, and start it again: nothing that it knew is left. */
  restart() {
    this.#worker.terminate();
    this.#isBusy = false;
    clearTimeout(this.#timer);
    this.#refuse();
    this.#worker = this.#start();
  }

  /** Refuse all that is asked for: nobody will answer it any more. */
  #refuse() {
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [id, answer] of pending) answer({ kind: "refused", id, reason: "" });
  }

  /** @param {any} data */
  #hear(data) {
    if ("started" in data) {
      performance.measure("python", { start: 0, detail: data.started });
      this.changed("ready", "");
      this.#ping();
    } else if ("fault" in data) {
      this.changed("failed", data.fault);
      this.#refuse(); // or the page would wait for ever, with all that is to be done after
    } else if ("heard" in data) {
      clearTimeout(this.#timer);
      if (this.#isBusy) this.changed("ready", "");
      this.#isBusy = false;
      this.#timer = setTimeout(() => this.#ping(), BETWEEN);
    } else {
      const message = JSON.parse(data.text), answer = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      if (answer) answer(message);
      else this.told(message);
    }
  }

  /** Ask whether the worker hears: it does not while Python does something long. */
  #ping() {
    this.#timer = setTimeout(() => {
      this.#isBusy = true;
      this.changed("busy", "");
    }, PATIENCE);
    this.#worker.postMessage({ ping: true });
  }

  /**
   * The answer to a request; `refused` if it cannot be met.
   * @template {Kind} K
   * @param {K} _  the kind of the answer
   * @param {Record<string, unknown>} request  without its identifier
   * @returns {Promise<Extract<AuthorSent, {kind: K}> | Extract<AuthorSent, {kind: "refused"}>>}
   */
  ask(_, request) {
    const id = `${++this.#asked}`;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#worker.postMessage({ text: JSON.stringify({ ...request, id }) });
    });
  }

  /** A line to the table for a page: its number, and the port for the page. */
  line() {
    const line = ++this.#lines, { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ line, port: port1 }, [port1]);
    return { line, port: port2 };
  }

  /** @param {number} line */
  leave(line) {
    this.#worker.postMessage({ left: line });
  }
}
