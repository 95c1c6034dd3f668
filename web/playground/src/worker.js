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

/** @param {string} address */
async function bytes(address) {
  const response = await fetch(address);
  if (!response.ok || response.body === null) throw new Error(`${address}: ${response.status}`);
  const stream = response.body.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * @param {string} folder
 * @returns {Promise<Workshop>}
 */
async function start(folder) {
  const began = performance.now();
  const [{ loadPyodide }, { default: createModule }, files, snapshot] = await Promise.all([
    import(/* @vite-ignore */ `${folder}pyodide.mjs`), import(/* @vite-ignore */ `${folder}pyodide.asm.mjs`),
    bytes(`${folder}files.gz`), bytes(`${folder}snapshot.gz`),
  ]);
  const fetched = performance.now();
  const python = await boot({
    loadPyodide, createModule, folder, library: `${folder}library.wasm`, libraryPath, info, files: unpacked(files), snapshot,
  });
  /** @type {Workshop} */
  const workshop = python.globals.get("workshop");
  workshop.send = (line, text) => {
    if (line === AUTHOR) postMessage({ text });
    else ports.get(line)?.postMessage(text);
  };
  postMessage({ started: { fetching: fetched - began, restoring: performance.now() - fetched } });
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
  } else {
    use((workshop) => workshop.hear(AUTHOR, data.text));
    postMessage({ heard: true });
  }
};
