// The workshop, from the page: requests to Python in workers, what it says by itself, and its end if it does not answer.

import Worker from "./worker.js?worker";

/** @typedef {import("./messages").AuthorSent} AuthorSent */
/** @typedef {AuthorSent["kind"]} Kind */
/** @typedef {"starting" | "ready" | "busy" | "stopped" | "failed"} State  `stopped`: it was ended, and starts again */

const BUSY_AFTER = 4_000; // milliseconds after which Python is said to be busy, and can be stopped
const STOPPED_AFTER = 15_000; // without any sign of Python, which stops rules itself as long as it can
const BETWEEN = 1_000; // milliseconds from an answer to the next question whether the worker still hears
const OF_READER = new Set(["check", "complete", "hover", "test"]);

/** Python in a worker, with the files that it knows. */
class Python {
  #asked = 0;
  #lines = 0;
  /** @type {Map<string, (answer: any) => void>} */
  #pending = new Map();
  /** @type {Record<string, string>} */
  #written = {};
  /** @type {Worker} */
  #worker;
  /** @type {State} */
  #state = "starting";
  #timer = 0;

  /**
   * @param {(message: AuthorSent) => void} told  what is no answer
   * @param {(state: State, detail: string) => void} changed
   */
  constructor(told, changed) {
    this.told = told;
    this.changed = changed;
    this.#worker = this.#start();
  }

  get isReady() {
    return this.#state === "ready";
  }

  #start() {
    const worker = new Worker();
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = (event) => this.#become("failed", event.message);
    worker.postMessage({ folder: new URL("python/", document.baseURI).href });
    return worker;
  }

  /**
   * @param {State} state
   * @param {string} detail
   */
  #become(state, detail = "") {
    this.#state = state;
    this.changed(state, detail);
  }

  /** End Python with whatever it does, and start it again: nothing that it knew is left. */
  restart() {
    this.end();
    this.#written = {};
    this.#worker = this.#start();
    this.#become("stopped");
  }

  end() {
    clearTimeout(this.#timer);
    this.#worker.terminate();
    this.#refuse();
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
      this.#become("ready");
      this.#ping();
    } else if ("fault" in data) {
      this.#become("failed", data.fault);
      this.#refuse(); // or the page would wait for ever, with all that is to be done after
    } else if ("alive" in data) {
      if (this.#state === "busy") this.#stopLater();
    } else if ("heard" in data) {
      clearTimeout(this.#timer);
      if (this.#state === "busy") this.#become("ready");
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
      this.#become("busy");
      this.#stopLater();
    }, BUSY_AFTER);
    this.#worker.postMessage({ ping: true });
  }

  #stopLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.restart(), STOPPED_AFTER);
  }

  /**
   * The answer to a request, for which Python is told first what has changed in the files.
   * @param {Record<string, unknown>} request
   * @param {Record<string, string>} files
   */
  async ask(request, files) {
    const paths = new Set([...Object.keys(this.#written), ...Object.keys(files)]);
    const changed = [...paths].filter((path) => this.#written[path] !== files[path]);
    this.#written = { ...files };
    const written = changed.length ? this.#send({ kind: "write", files: Object.fromEntries(changed.map((path) => [path, files[path] ?? null])) }) : null;
    const answered = this.#send(request), refused = await written;
    if (refused?.kind !== "refused") return answered;
    this.#written = {}; // nobody knows which of them were written
    return refused;
  }

  /**
   * @param {Record<string, unknown>} request
   * @returns {Promise<any>}
   */
  #send(request) {
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

/** Python that plays; and, so that rules can be read while bots think, another one, which is started when some do. */
class Workshop {
  #player;
  /** @type {Python | null} */
  #reader = null;

  /** @type {[State, string]} */
  #state = ["starting", ""];
  /** @type {(message: AuthorSent) => void} */
  #told = () => {};
  /** @type {(state: State, detail: string) => void} */
  #changed = () => {};

  constructor() {
    this.#player = new Python((message) => this.#told(message), (...state) => {
      this.#state = state;
      this.#changed(...state);
    });
  }

  /**
   * @param {(message: AuthorSent) => void} told  is told what is no answer
   * @param {(state: State, detail: string) => void} changed  is told how Python is, now and whenever that changes
   */
  listen(told, changed) {
    this.#told = told;
    this.#changed = changed;
    changed(...this.#state);
  }

  /** Have rules read beside the game from now on. */
  readBeside() {
    this.#reader ??= new Python(() => {}, (state, detail) => {
      if (state !== "failed") return;
      console.warn(detail); // the one that plays reads the rules as well
      this.#reader?.end();
      this.#reader = null;
    });
  }

  restart() {
    this.#player.restart();
  }

  /**
   * The answer to a request; `refused` if it cannot be met.
   * @template {Kind} K
   * @param {K} _  the kind of the answer
   * @param {Record<string, unknown> & {kind: string}} request  without its identifier
   * @param {Record<string, string>} files  all that there are, by path
   * @returns {Promise<Extract<AuthorSent, {kind: K}> | Extract<AuthorSent, {kind: "refused"}>>}
   */
  ask(_, request, files) {
    const python = OF_READER.has(request.kind) && this.#reader?.isReady ? this.#reader : this.#player;
    return python.ask(request, files);
  }

  line() {
    return this.#player.line();
  }

  /** @param {number} line */
  leave(line) {
    this.#player.leave(line);
  }
}

export const workshop = new Workshop();
