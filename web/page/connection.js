// The connection to a session. What is between, a WebSocket or a port to a worker, only `open` knows.
//
// A page that is cut off connects again by itself, waiting longer each time, and is sent the whole position. What it had
// asked meanwhile is answered as refused, so that nothing waits for ever.

/** @typedef {import("./messages").Received} Received */
/** @typedef {import("./messages").Sent} Sent */
/**
 * @typedef {object} Line  a way for messages in both directions
 * @property {(text: string) => void} send
 * @property {() => void} close
 * @property {boolean} isLocal  true if it needs no network
 */
/**
 * @typedef {(heard: (text: string) => void, ended: (code: number) => void, begun: () => void) => Line} Opener
 */

const FIRST_WAIT = 500, LONGEST_WAIT = 15_000;
const DOUBTFUL = 30_000; // milliseconds after which a page that was out of sight may have lost its line without a notice
const REFUSED = 4403;

export class Connection {
  /** @type {Line | null} */
  #line = null;
  #isJoined = false;
  #hiddenAt = 0;
  #wait = FIRST_WAIT;
  #asked = 0;
  #isOver = false;
  /** @type {Map<string, (reply: Sent) => void>} */
  #pending = new Map();

  /**
   * @param {Opener} open
   * @param {{token: string, language: string}} person
   * @param {(message: Sent) => void} heard  messages that are no replies
   * @param {(state: "open" | "waiting" | "refused", seconds: number) => void} changed
   */
  constructor(open, person, heard, changed) {
    this.open = open;
    this.person = person;
    this.heard = heard;
    this.changed = changed;
    this.#connect();
    addEventListener("offline", () => this.#drop());
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.#hiddenAt = Date.now();
      else if (Date.now() - this.#hiddenAt > DOUBTFUL) this.#drop();
      this.#hurry();
    });
  }

  /** Give up a line that may be dead: the browser notices only minutes later. */
  #drop() {
    const line = this.#line;
    if (line === null || line.isLocal) return;
    this.#end(0);
    line.close();
  }

  #hurry() {
    if (this.#line === null && !this.#isOver && document.visibilityState === "visible") this.#connect();
  }

  #connect() {
    const line = this.open(
      (text) => { if (this.#line === line) this.#hear(JSON.parse(text)); },
      (code) => { if (this.#line === line) this.#end(code); },
      () => line.send(JSON.stringify({ kind: "join", ...this.person })),
    );
    this.#line = line;
  }

  /** @param {Sent} message */
  #hear(message) {
    if (message.kind === "welcome") {
      this.#wait = FIRST_WAIT;
      this.#isJoined = true;
      this.changed("open", 0);
    }
    const id = "id" in message ? message.id : "";
    const reply = this.#pending.get(id);
    if (reply) {
      this.#pending.delete(id);
      reply(message);
    } else {
      this.heard(message);
    }
  }

  /** @param {number} code */
  #end(code) {
    this.#line = null;
    this.#isJoined = false;
    for (const [id, reply] of this.#pending) reply({ kind: "refused", id, reason: "" });
    this.#pending.clear();
    if (code === REFUSED) {
      this.#isOver = true;
      this.changed("refused", 0);
      return;
    }
    const wait = this.#wait * (0.75 + Math.random() / 2);
    this.changed("waiting", Math.ceil(wait / 1000));
    setTimeout(() => this.#hurry(), wait);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }

  /**
   * Ask the session; the reply, which may be `refused`.
   * @param {Record<string, unknown>} request  without its identifier
   * @returns {Promise<Sent>}
   */
  ask(request) {
    const id = `${++this.#asked}`;
    return new Promise((resolve) => {
      if (this.#line === null || !this.#isJoined) {
        resolve({ kind: "refused", id, reason: "" });
        return;
      }
      this.#pending.set(id, resolve);
      this.#line.send(JSON.stringify({ ...request, id }));
    });
  }
}

/**
 * A WebSocket to the server that this page came from.
 * @param {string} table
 * @returns {Opener}
 */
export function webSocket(table) {
  return (heard, ended, begun) => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(table)}/socket`);
    socket.addEventListener("open", begun);
    socket.addEventListener("message", (event) => heard(String(event.data)));
    socket.addEventListener("close", (event) => ended(event.code));
    return { send: (text) => socket.send(text), close: () => socket.close(), isLocal: false };
  };
}

/**
 * A port to a worker in the same browser, which ends only with its page.
 * @param {MessagePort} port
 * @returns {Opener}
 */
export function overPort(port) {
  return (heard, _, begun) => {
    port.onmessage = (event) => heard(String(event.data));
    queueMicrotask(begun);
    return { send: (text) => port.postMessage(text), close: () => port.close(), isLocal: true };
  };
}
