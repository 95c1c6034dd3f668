// The worker: Python with the workshop, and the lines to the pages that it answers.

import { libraryPath, info } from "../generated/python.json";
import { boot, unpacked } from "./boot.js";

/** @typedef {{hear: (line: number, text: string) => void, leave: (line: number) => void, step: () => boolean, send: (line: number, text: string) => void}} Workshop */

const AUTHOR = 0;

/** @type {Map<number, MessagePort>} */
const ports = new Map();
/** @type {Promise<Workshop> | null} */
let starting = null;
let isStepping = false;

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
    postMessage({ fault: String(fault) });
  }
}

/** @param {Workshop} workshop */
function step(workshop) {
  try {
    isStepping = workshop.step();
  } catch (fault) {
    isStepping = false;
    postMessage({ fault: String(fault) });
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
