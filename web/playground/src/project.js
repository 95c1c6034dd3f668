// The files of the author: kept in the browser, opened from and saved to the disk, shared by a link that contains them.

/**
 * @typedef {object} Project
 * @property {string} rules  the path of the game's rules
 * @property {string} origin  the name of the shipped game that the files come from; empty for a game of the author's own
 * @property {Record<string, string>} files  by path
 * @property {string[]} variants  the paths of those that are played with
 */

const KEPT = "regelwerk playground", LINK = "#rules=";
const LARGEST_LINK = 1_000_000;

/** @returns {Project | null} */
export function kept() {
  try {
    return checked(JSON.parse(localStorage.getItem(KEPT) ?? "null"));
  } catch {
    return null;
  }
}

/** @param {Project} project */
export function keep(project) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(project));
  } catch {
    return; // this browser keeps nothing, or has no room: the files are on the page all the same
  }
}

/**
 * @param {any} read
 * @returns {Project | null}
 */
function checked(read) {
  const isText = (/** @type {unknown} */ value) => typeof value === "string";
  if (typeof read !== "object" || read === null || !isText(read.rules) || !isText(read.origin)) return null;
  if (typeof read.files !== "object" || !Object.values(read.files).every(isText)) return null;
  if (!Array.isArray(read.variants) || !read.variants.every(isText)) return null;
  return { rules: read.rules, origin: read.origin, files: read.files, variants: read.variants };
}

/**
 * A link that contains what the author has written: of a shipped game, only the files that differ.
 * @param {Project} project
 * @param {Record<string, string>} shipped
 */
export async function linkTo(project, shipped) {
  const files = Object.fromEntries(Object.entries(project.files).filter(([path, text]) => shipped[path] !== text));
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
  if (!fragment.startsWith(LINK) || fragment.length > LARGEST_LINK) return null;
  try {
    const binary = atob(fragment.slice(LINK.length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return checked(JSON.parse(new TextDecoder().decode(await piped(bytes, new DecompressionStream("deflate-raw")))));
  } catch {
    return null;
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 */
async function piped(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
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
  const plain = name.replace(/[^\w .-]/g, "_").replace(/^[ .]+/, "");
  return /^(?:\s*#.*\n|\s*\n)*\s*variant\b/.test(text) ? `variants/${plain}` : plain;
}

/**
 * True if a text is that of a game, not of its examples or of a variant.
 * @param {string} text
 */
export function isGame(text) {
  return /^(?:\s*#.*\n|\s*\n)*\s*game\b/.test(text);
}
