// The worker: Python with the workshop, and the lines to the pages that it answers.

import { libraryPath, info } from "../generated/python.json";
import { boot, unpacked } from "./boot.js";

/** @typedef {{hear: (line: number, text: string) => void, leave: (line: number) => void, step: () => boolean, send: (line: number, text: string) => void}} Workshop */

const AUTHOR = 0, SIGINT = 2;
const LOOK = 200; // milliseconds between two looks of Python at the rules, which it stops if they take too long
const UNHEEDED = 32; // questions for a signal of which only one asks the clock

/** @type {Map<number, MessagePort>} */
const ports = new Map();
/** @type {Promise<Workshop> | null} */
let starting = null;
let isStepping = false, questions = 0, looked = 0;

/**
 * Python asks here for signals, while it runs. Others share memory for that, which needs headers that not every server
 * can send; but the time is known here as well, and the page is told that Python runs.
 */
const signals = {
  get 0() {
    if ((questions = (questions + 1) % UNHEEDED)) return 0;
    const now = performance.now();
    if (now - looked < LOOK) return 0;
    looked = now;
    postMessage({ alive: true });
    return SIGINT;
  },
  set 0(_) {}, // Python has heard
};

/**
 * A file, unpacked unless the service worker or the server has done that.
 * @param {string} address
 */
async function bytes(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const content = new Uint8Array(await response.arrayBuffer());
  if (content[0] !== 0x1f || content[1] !== 0x8b) return content;
  const unpacked = new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/**
 * @param {string} folder
 * @returns {Promise<Workshop>}
 */
async function start(folder) {
  const began = performance.now(), took = (/** @type {number} */ since) => Math.round(performance.now() - since);
  const files = bytes(`${folder}files.gz`), snapshot = bytes(`${folder}snapshot.gz`);
  const [{ loadPyodide }, { default: createModule }] = await Promise.all([
    import(/* @vite-ignore */ `${folder}pyodide.mjs`), import(/* @vite-ignore */ `${folder}pyodide.asm.mjs`),
  ]);
  const fetching = snapshot.then(() => took(began));
  const python = await boot({
    loadPyodide, createModule, folder, library: `${folder}library.wasm`, libraryPath, info, files: files.then(unpacked), snapshot,
  });
  const restored = took(began);
  python.setInterruptBuffer(signals);
  /** @type {Workshop} */
  const workshop = python.globals.get("workshop");
  workshop.send = (line, text) => {
    if (line === AUTHOR) postMessage({ text });
    else ports.get(line)?.postMessage(text);
  };
  postMessage({ started: { began: Math.round(performance.timeOrigin), snapshot: await fetching, all: restored } });
  return workshop;
}

/**
 * Let the workshop do something, then what is left to do, in steps between which other messages are heard.
 * @param {(workshop: Workshop) => void} work
 */
async function use(work) {
  try {
    const workshop = await /** @type {Promise<Workshop>} */ (starting);
    work(workshop);
    if (!isStepping) {
      isStepping = true;
      setTimeout(step, 0, workshop);
    }
  } catch (fault) {
    fail(fault);
  }
}

/**
 * Tell the page what went wrong; where, only those who look for it.
 * @param {unknown} fault
 */
function fail(fault) {
  console.error(fault);
  postMessage({ fault: String(fault).trimEnd().split("\n").pop() });
}

/** @param {Workshop} workshop */
function step(workshop) {
  try {
    isStepping = workshop.step();
  } catch (fault) {
    isStepping = false;
    fail(fault);
  }
  if (isStepping) setTimeout(step, 0, workshop);
}

onmessage = ({ data }) => {
  if ("folder" in data) {
    starting = start(data.folder);
    use(() => {});
  } else if ("port" in data) {
    /** @type {MessagePort} */
    const port = data.port;
    ports.set(data.line, port);
    port.onmessage = ({ data: text }) => use((workshop) => workshop.hear(data.line, text));
  } else if ("left" in data) {
    ports.get(data.left)?.close();
    ports.delete(data.left);
    use((workshop) => workshop.leave(data.left));
  } else if ("ping" in data) {
    postMessage({ heard: true });
  } else {
    use((workshop) => workshop.hear(AUTHOR, data.text));
  }
};
