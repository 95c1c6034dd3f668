// The files of the author: opened from and saved to the disk, shared by a link that contains them.

/**
 * @typedef {object} Project
 * @property {string} rules  the path of the game's rules
 * @property {string} origin  the name of the shipped game that the files come from; empty for a game of the author's own
 * @property {Record<string, string>} files  by path
 * @property {string[]} variants  the paths of those that are played with
 */

const LINK = "#rules=";
export const MAX_LINK = 1_000_000;
const MAX_UNPACKED = 8_000_000; // bytes; a link that holds more would fill the memory of the browser
const PATH = /^(?!.*\p{C})[^\s./\\:][^/\\:]*(?:\/[^\s./\\:][^/\\:]*)*$/u, MAX_PATH = 200, MAX_NAME = 100; // as the worker takes them

/**
 * @param {any} read
 * @returns {Project | null}
 */
export function checked(read) {
  /** @returns {value is string} */
  const isText = (/** @type {unknown} */ value) => typeof value === "string" && !/\p{Surrogate}/u.test(value);
  const isPath = (/** @type {unknown} */ value) => isText(value) && PATH.test(value) && value.length <= MAX_PATH;
  if (typeof read !== "object" || read === null || !isPath(read.rules) || !isText(read.origin)) return null;
  if (typeof read.files !== "object" || read.files === null || !Object.values(read.files).every(isText)) return null;
  const paths = Object.keys(read.files), isFolder = (/** @type {string} */ path) => paths.some((other) => other.startsWith(`${path}/`));
  if (!paths.every(isPath) || paths.some(isFolder)) return null;
  if (!Array.isArray(read.variants) || !read.variants.every(isPath)) return null;
  return { rules: read.rules, origin: read.origin, files: read.files, variants: read.variants };
}

/**
 * The files that differ from those of the shipped game.
 * @param {Record<string, string>} files
 * @param {Record<string, string>} shipped
 */
export function differing(files, shipped) {
  return Object.fromEntries(Object.entries(files).filter(([path, text]) => shipped[path] !== text));
}

/**
 * A link that contains what the author has written: of a shipped game, only the files that differ.
 * @param {Project} project
 * @param {Record<string, string>} shipped
 */
export async function linkTo(project, shipped) {
  const files = differing(project.files, shipped);
  const bytes = await piped(new TextEncoder().encode(JSON.stringify({ ...project, files })), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const text = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.href.split("#")[0]}${LINK}${text}`;
}

/**
 * What a link contains; null if it contains nothing that can be read.
 * @param {string} fragment
 */
export async function linked(fragment) {
  if (!fragment.startsWith(LINK) || fragment.length > MAX_LINK) return null;
  try {
    const binary = atob(fragment.slice(LINK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return checked(JSON.parse(new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw"), MAX_UNPACKED))));
  } catch {
    return null;
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @param {number} most  bytes that may come out
 */
async function piped(bytes, stream, most = Infinity) {
  let size = 0;
  /** @type {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
  const limit = new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > most) throw new RangeError(`more than ${most} bytes`);
      controller.enqueue(chunk);
    },
  });
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream).pipeThrough(limit)).arrayBuffer());
}

/**
 * Offer a file to be saved where downloads go.
 * @param {string} path
 * @param {string} text
 */
export function download(path, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = path.slice(path.lastIndexOf("/") + 1);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * A name for a file that is opened: variants lie in a folder of their own.
 * @param {string} name
 * @param {string} text
 */
export function placeOf(name, text) {
  const plain = name.replace(/[^\w .-]/g, "_").replace(/^[ .]+/, "").slice(-MAX_NAME) || "game.rules";
  return /^(?:\s*#.*\n|\s*\n)*\s*variant\b/.test(text) ? `variants/${plain}` : plain;
}

/**
 * True if a text is that of a game, not of its examples or of a variant.
 * @param {string} text
 */
export function isGame(text) {
  return /^(?:\s*#.*\n|\s*\n)*\s*game\b/.test(text);
}
