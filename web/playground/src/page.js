// The playground: rules are written on the left, and played on the right.

import { byId, element, phrase, speak } from "../../page/elements.js";
import { language, languageChoice } from "../../page/settings.js";
import template from "../build/first_game.rules?raw";
import texts from "../generated/texts.json";
import { Editor } from "./editor.js";
import { MAX_LINK, differing, download, isGame, linkTo, linked, placeOf } from "./project.js";
import { Tabs, drawExamples, drawProblems, drawTrace } from "./results.js";
import { chosen, doThink, drawSetup, isOffered } from "./setup.js";
import * as shelf from "./shelf.js";
import { workshop } from "./workshop.js";

/** @typedef {import("./project.js").Project} Project */
/** @typedef {import("./messages").ShownDiagnostic} Diagnostic */
/** @typedef {import("./messages").ShownExample} Example */
/** @typedef {import("./messages").ShownFix} Fix */

const PAUSE = 250; // milliseconds without a change after which the rules are checked
const TRACED = 30; // decisions
const NOT_WRITTEN = /(?:^languages\/|\.items$)/; // files that come along and are not shown
const STARTER = "game.rules";
const OWN = "own "; // before the identifier of an entry, where names of games stand as well

/** @typedef {{phrases: Record<string, string>, games: {name: string, title: string, sentence: string, family: string}[]}} Spoken */

const speech = /** @type {Record<string, Spoken>} */ (texts), tongue = language() in speech ? language() : "en";
const spoken = speech[tongue];
speak(spoken.phrases);
document.documentElement.lang = tongue;

/** @type {Project} */
let project = { rules: STARTER, origin: "", files: {}, variants: [] };
/** @type {Record<string, string>} the files of the shipped game, as they were taken */
let shipped = {};
/** @type {Map<string, FileSystemFileHandle>} where files lie on the disk */
const handles = new Map();
let current = "", seed = "", checking = 0, pane = "problems";
/** @type {[string, string][]} */
let decisions = [];
/** @type {Diagnostic[]} */
let diagnostics = [];
/** @type {Example[] | null} */
let examples = null;
/** @type {number | null} */
let line = null;
let isFrameReady = false, hasBegun = false, isBeginning = false, mayPlay = false;

const frame = /** @type {HTMLIFrameElement} */ (byId("table"));
const editor = new Editor(byId("editor"), { changed: edited, save: () => inTurn(save), fix, complete, hover });
const uses = { goTo, goToLine, fix, textOf: (/** @type {string} */ file) => project.files[file] ?? "" };
const fileTabs = new Tabs(byId("files"), open);
const resultTabs = new Tabs(byId("result-tabs"), showPane);

/** @type {Promise<unknown>} */
let last = Promise.resolve();

/**
 * Do one thing after the other, as each asks the worker several questions.
 * @param {() => unknown} action
 */
function inTurn(action) {
  last = last.then(action).catch((fault) => say(`${fault}`));
  return last;
}

// ---------------------------------------------------------------- what the page says

/**
 * @param {import("./workshop.js").State} state
 * @param {string} detail
 */
function showState(state, detail) {
  const said = {
    starting: phrase("Starting Python …"), ready: "", busy: phrase("Python is busy."), stopped: phrase("Starting Python again …"),
    failed: phrase("Something in Regelwerk went wrong: {detail}", { detail }),
  }[state];
  const stop = element("button", { type: "button", click: () => workshop.restart() }, phrase("Stop and start again"));
  byId("state").replaceChildren(said, ...(state === "busy" || state === "failed" ? [" ", stop] : []));
  if (state === "stopped") goOn();
}

/** @param {string} text */
function say(text) {
  byId("notice").textContent = text;
}

/** Python was ended, and starts again: play on, unless that was what it could not do. */
function goOn() {
  const isHopeless = isBeginning;
  hasBegun = false;
  line = null;
  inTurn(async () => {
    await check();
    say(isHopeless ? phrase("Python was stopped while the game began: it has not begun again. Nothing that you wrote is lost.")
      : phrase("Python was stopped, and the game goes on. Nothing that you wrote is lost."));
    if (isHopeless) return;
    frame.contentWindow?.location.reload();
    await begin(false, true);
  });
}

// ---------------------------------------------------------------- files

/**
 * @param {Project} next
 * @param {Record<string, string>} original
 */
async function work(next, original) {
  project = next;
  shipped = original;
  decisions = [];
  seed = "";
  examples = null;
  drawExamples(null, uses);
  handles.clear();
  editor.clear();
  current = "";
  open(project.rules);
  byId("origin").textContent = project.rules.replace(/\.rules$/, "").replaceAll("_", " ");
  drawStart();
  await check();
  await Promise.all([begin(), test()]);
}

/** @param {string} path */
function open(path) {
  drawTabs();
  fileTabs.mark(path);
  if (current !== path) {
    current = path;
    editor.show(path, project.files[path] ?? "");
    showInEditor();
  }
}

function drawTabs() {
  const order = (/** @type {string} */ path) => (path === project.rules ? 0 : path.endsWith(".examples.rules") ? 1 : path.startsWith("variants/") ? 3 : 2);
  const paths = Object.keys(project.files).filter((path) => !NOT_WRITTEN.test(path)).sort((first, second) => order(first) - order(second) || (first < second ? -1 : 1));
  byId("files").replaceChildren(...paths.map((path) => element("button", {
    type: "button", role: "tab", "data-panel": path, "aria-selected": `${path === current}`, tabindex: path === current ? "0" : "-1", "aria-controls": "editor",
    class: diagnostics.some(({ range, severity }) => range.file === path && severity === "error") ? "wrong" : "",
  }, path.replace(/^variants\//, "± ").replace(/\.rules$/, ""))));
}

/**
 * @param {string} path
 * @param {string} text
 */
function edited(path, text) {
  project.files[path] = text;
  keepOwn();
  clearTimeout(checking);
  checking = setTimeout(inTurn, PAUSE, check);
}

/** Keep what the author has; a link that it came from would win over it when the page is loaded again. */
function keepOwn() {
  leaveLink("replaceState");
  const files = differing(project.files, shipped), isUntouched = project.origin && !Object.keys(files).length && !project.variants.length;
  const isKept = isUntouched ? shelf.forget(project.origin) : shelf.keep({ ...project, files }, project.files[project.rules] ?? "");
  if (!isKept) say(phrase("This browser keeps nothing more: save your files, or delete rules that you do not need."));
}

/**
 * Take the files of a link out of the address of the page.
 * @param {"pushState" | "replaceState"} way  with the former, the browser leads back to them
 */
function leaveLink(way) {
  if (location.hash) history[way](null, "", location.pathname + location.search);
}

function subject() {
  return { rules: project.rules, variants: project.variants };
}

async function check() {
  clearTimeout(checking);
  const reply = await workshop.ask("checked", { kind: "check", ...subject() }, project.files);
  if (reply.kind === "refused") {
    say(reply.reason || phrase("Python was stopped while it read the rules. Nothing that you wrote is lost."));
    return;
  }
  say("");
  diagnostics = reply.diagnostics;
  mayPlay = reply.game !== null;
  /** @type {HTMLButtonElement} */ (byId("play")).disabled = !mayPlay;
  if (reply.game) {
    const variants = Object.keys(project.files).filter((path) => path.startsWith("variants/") && path.endsWith(".rules"));
    drawSetup(reply.game, variants, project.variants, (path, isActive) => inTurn(() => toggleVariant(path, isActive)));
  }
  drawTabs();
  drawStart();
  drawProblems(diagnostics, uses);
  showInEditor();
}

/**
 * @param {string} text
 * @param {number} offset
 */
async function complete(text, offset) {
  const reply = await workshop.ask("completions", { kind: "complete", ...subject(), file: current, text, offset }, project.files);
  return reply.kind === "completions" ? reply.options : [];
}

/** @param {number} offset */
async function hover(offset) {
  const reply = await workshop.ask("hovered", { kind: "hover", ...subject(), file: current, offset }, project.files);
  return reply.kind === "hovered" && reply.text ? reply : null;
}

function showInEditor() {
  editor.showDiagnostics(diagnostics.filter(({ range }) => range.file === current));
  editor.showExamples((examples ?? []).filter(({ file }) => file === current));
}

/** @param {Fix} fixed */
function fix(fixed) {
  for (const { range, text } of [...fixed.edits].reverse()) { // from the end, so that earlier places stay right
    open(range.file);
    editor.replace(range.start, range.end, text);
  }
  inTurn(check);
}

/**
 * @param {string} file
 * @param {number} position
 */
function goTo(file, position) {
  if (!(file in project.files)) return;
  showView("rules");
  open(file);
  editor.goTo(position);
}

/**
 * @param {string} file
 * @param {number} number
 */
function goToLine(file, number) {
  if (!(file in project.files)) return;
  showView("rules");
  open(file);
  editor.goToLine(number);
}

// ---------------------------------------------------------------- the table

/**
 * Begin the game with the present rules; what was decided before is decided again, as far as it is legal.
 * @param {boolean} isNew  nothing was decided before
 * @param {boolean} isQuiet  what was said last stays
 */
async function begin(isNew = false, isQuiet = false) {
  if (!mayPlay || !isOffered()) return;
  if (isNew) {
    decisions = [];
    seed = "";
  }
  if (doThink(chosen().kinds)) workshop.readBeside();
  isBeginning = true;
  const reply = await workshop.ask("begun", { kind: "begin", ...subject(), ...chosen(), seed, decisions }, project.files);
  isBeginning = false;
  if (reply.kind === "refused") {
    if (reply.reason) say(reply.reason);
    return;
  }
  if (reply.note || !isQuiet) say(reply.note);
  seed = reply.seed;
  hasBegun = true;
  seat();
}

/** Give the frame its line to the table, when both are there. */
function seat() {
  if (!isFrameReady || !hasBegun) return;
  isFrameReady = false;
  if (line !== null) workshop.leave(line);
  const made = workshop.line();
  line = made.line;
  const token = /** @type {HTMLSelectElement} */ (byId("view-of")).value;
  frame.contentWindow?.postMessage({ token }, location.origin, [made.port]);
}

addEventListener("message", (event) => {
  if (event.source !== frame.contentWindow || event.origin !== location.origin) return;
  if (event.data.ready) {
    isFrameReady = true;
    seat();
  }
  if (event.data.again) inTurn(() => begin(true));
  if (event.data.save) inTurn(save);
});

frame.src = `table.html?${new URLSearchParams({ language: tongue })}`; // only now does somebody hear that it is ready

/**
 * @param {string} path
 * @param {boolean} isActive
 */
async function toggleVariant(path, isActive) {
  project.variants = isActive ? [...project.variants, path] : project.variants.filter((other) => other !== path);
  keepOwn();
  await check();
  await Promise.all([begin(), test()]);
}

// ---------------------------------------------------------------- results

async function test() {
  if (!mayPlay) return;
  byId("tab-examples").textContent = phrase("Examples …");
  const reply = await workshop.ask("tested", { kind: "test", ...subject() }, project.files);
  if (reply.kind === "refused") return; // overtaken by another change
  examples = reply.examples;
  drawExamples(examples, uses);
  showInEditor();
}

async function trace() {
  const level = /** @type {HTMLSelectElement} */ (byId("level")).value;
  const reply = await workshop.ask("traced", { kind: "trace", level, plies: TRACED }, project.files);
  drawTrace(reply.kind === "traced" ? reply.events : [], uses);
}

/** @param {string} panel */
function showPane(panel) {
  pane = panel;
  for (const name of ["problems", "examples", "trace"]) byId(`pane-${name}`).hidden = name !== panel;
  if (panel === "trace") trace();
}

/** @param {string} view  on a narrow screen, what is seen of the page */
function showView(view) {
  document.body.dataset.view = view;
  for (const button of document.querySelectorAll("#views button")) button.setAttribute("aria-pressed", `${button.id === `view-${view}`}`);
}

// ---------------------------------------------------------------- opening, saving, sharing

/** Run the examples, and play on with the present rules; a file that lies on the disk is written there. */
async function save() {
  const handle = handles.get(current);
  if (handle) await writeTo(handle);
  await check();
  await Promise.all([begin(), test()]);
}

/** @param {FileSystemFileHandle} handle */
async function writeTo(handle) {
  try {
    const stream = await handle.createWritable();
    await stream.write(project.files[current]);
    await stream.close();
    say(phrase("{file} is saved.", { file: handle.name }));
  } catch (fault) {
    say(phrase("{file} is not saved: {reason}", { file: handle.name, reason: `${fault}` }));
  }
}

async function saveAs() {
  if (!("showSaveFilePicker" in window)) {
    download(current, project.files[current]);
    return;
  }
  const handle = await /** @type {any} */ (window).showSaveFilePicker({ suggestedName: current.split("/").pop() }).catch(() => null);
  if (handle === null) return; // somebody has thought better of it
  handles.set(current, handle);
  await writeTo(handle);
}

/** @param {File[]} opened */
async function openFiles(opened) {
  const texts = await Promise.all(opened.map(async (file) => {
    const text = (await file.text()).replaceAll("\r\n", "\n");
    return /** @type {[string, string]} */ ([placeOf(file.name, text), text]);
  }));
  const game = texts.find(([, text]) => isGame(text));
  if (game) {
    shelf.begin("");
    const opening = work({ rules: game[0], origin: "", files: Object.fromEntries(texts), variants: [] }, {});
    keepOwn();
    await opening;
  } else {
    const isReplacing = texts.some(([path, text]) => path in project.files && ![text, shipped[path]].includes(project.files[path]));
    if (isReplacing) shelf.branch();
    Object.assign(project.files, Object.fromEntries(texts)); // a variant, examples or a board of the game at hand
    keepOwn();
    if (texts.length) open(texts[0][0]);
    await check();
  }
}

function newVariant() {
  let number = 1;
  while (`variants/variant_${number}.rules` in project.files) number += 1;
  const path = `variants/variant_${number}.rules`;
  const name = project.rules.replace(/^.*\//, "").replace(/\.rules$/, "");
  project.files[path] = `variant "${phrase("Variant {number}", { number })}" of ${name}:\n    "${phrase("What is different.")}"\n`;
  open(path);
  inTurn(() => toggleVariant(path, true));
}

async function share() {
  const link = await linkTo(project, shipped);
  const input = /** @type {HTMLInputElement} */ (byId("link"));
  input.value = link;
  const size = `${Math.ceil(link.length / 100) / 10} kB`;
  byId("share-note").textContent = new URL(link).hash.length > MAX_LINK
    ? phrase("These files are too large for a link ({size}): nobody could open it. Save them, and send the files.", { size })
    : phrase("The link contains the files themselves ({size}). Nothing is stored anywhere.", { size });
  /** @type {HTMLDialogElement} */ (byId("sharing")).showModal();
  input.select();
  await navigator.clipboard?.writeText(link).catch(() => {});
}

// ---------------------------------------------------------------- what to work at

/** What can be started from: the author's own rules, the last first, and the shipped games. */
function drawStart() {
  const when = new Intl.DateTimeFormat(tongue, { dateStyle: "short", timeStyle: "short" }), own = shelf.entries();
  const families = [...new Set(spoken.games.map(({ family }) => family))];
  const groups = [
    ...(own.length ? [element("optgroup", { label: phrase("Your rules") }, ...own.map(({ id, title, changed }) =>
      element("option", { value: `${OWN}${id}` }, `${title} · ${when.format(changed)}`)))] : []),
    ...families.map((label) => element("optgroup", { label: label || phrase("other games") },
      ...spoken.games.filter(({ family }) => family === label).map(({ name, title, sentence }) =>
        element("option", { value: name, title: sentence }, title)))),
  ];
  byId("start").replaceChildren(element("option", { value: "" }, phrase("Start from …")), ...groups);
  byId("forget").hidden = shelf.opened() === null;
}

/**
 * The files of a shipped game; null if they are not there.
 * @param {string} name
 * @returns {Promise<{rules: string, files: Record<string, string>} | null>}
 */
async function take(name) {
  const isShipped = spoken.games.some((game) => game.name === name);
  const response = isShipped ? await fetch(`games/${name}.json`).catch(() => null) : null;
  if (response?.ok) return response.json();
  say(phrase("The game {name} cannot be loaded.", { name }));
  return null;
}

/** @param {string} name */
async function takeGame(name) {
  const taken = await take(name);
  if (taken === null) return false;
  shelf.begin(name);
  leaveLink("pushState");
  await work({ rules: taken.rules, origin: name, files: { ...taken.files }, variants: [] }, taken.files);
  return true;
}

/** @param {string} id */
async function takeOwn(id) {
  const own = shelf.read(id);
  if (own === null) return false;
  const taken = own.origin ? await take(own.origin) : null;
  if (!shelf.open(id)) return false;
  leaveLink("pushState");
  await work({ ...own, files: { ...taken?.files, ...own.files } }, taken?.files ?? {});
  return true;
}

/** Open the link in the address of the page, if it is one; it is said if that cannot be read. */
async function takeLink() {
  const read = await linked(location.hash);
  if (location.hash && read === null) say(phrase("The link contains nothing that can be read."));
  if (read === null) return false;
  const taken = read.origin ? await take(read.origin) : null;
  if (read.origin && taken === null) return false;
  shelf.begin("");
  await work({ ...read, files: { ...taken?.files, ...read.files } }, taken?.files ?? {});
  return true;
}

async function start() {
  shelf.moveEarlier();
  if (await takeLink()) return;
  const { entry, origin } = shelf.last();
  if (entry && await takeOwn(entry)) return;
  if (origin && await takeGame(origin)) return;
  await workAtStarter();
}

async function workAtStarter() {
  shelf.begin("");
  await work({ rules: STARTER, origin: "", files: { [STARTER]: template }, variants: [] }, {});
}

/** Delete the author's own rules, and go on with what they were made of. */
async function forget() {
  const { origin } = project;
  shelf.forget(origin);
  if (!origin || !(await takeGame(origin))) await workAtStarter();
}

byId("start").addEventListener("change", (event) => {
  const select = /** @type {HTMLSelectElement} */ (event.target), name = select.value;
  select.value = "";
  if (name) inTurn(() => (name.startsWith(OWN) ? takeOwn(name.slice(OWN.length)) : takeGame(name)));
});
byId("open").addEventListener("click", () => byId("disk").click());
byId("disk").addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const files = [...(input.files ?? [])];
  input.value = "";
  inTurn(() => openFiles(files));
});
byId("save").addEventListener("click", saveAs);
byId("share").addEventListener("click", share);
byId("variant").addEventListener("click", newVariant);
byId("forget").addEventListener("click", () => /** @type {HTMLDialogElement} */ (byId("forgetting")).showModal());
byId("forgetting").addEventListener("close", () => {
  const dialog = /** @type {HTMLDialogElement} */ (byId("forgetting")), isMeant = dialog.returnValue === "forget";
  dialog.returnValue = "";
  if (isMeant) inTurn(forget);
});
byId("run").addEventListener("click", () => inTurn(save));
byId("play").addEventListener("click", () => inTurn(() => begin(true)));
byId("level").addEventListener("change", trace);
byId("view-of").addEventListener("change", () => frame.contentWindow?.location.reload());
byId("view-rules").addEventListener("click", () => showView("rules"));
byId("view-table").addEventListener("click", () => showView("table"));
addEventListener("hashchange", () => inTurn(takeLink));
addEventListener("storage", drawStart);
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.key !== "s") return; // the editor has its own
  event.preventDefault();
  inTurn(save);
});
for (const [id, words] of [["disk", phrase("files to open")], ["views", phrase("parts of the page")], ["files", phrase("files")],
  ["result-tabs", phrase("results")], ["link", phrase("link")]]) byId(id).setAttribute("aria-label", words);
byId("table").title = phrase("the table");
document.title = `Regelwerk: ${phrase("playground")}`;
byId("languages").replaceChildren(languageChoice(Object.keys(speech), tongue));
resultTabs.choose("problems");
showView("rules");
drawExamples(null, uses);
workshop.listen((message) => {
  if (message.kind === "changed") {
    decisions = [...decisions.slice(0, message.start), ...message.decisions];
    if (pane === "trace") trace();
  }
}, showState);
// What the page needs to work offline is fetched when it works.
inTurn(start).then(() => navigator.serviceWorker?.register("offline.js"));
