// Packs Python for the worker: Pyodide, the packages that the interpreter needs, our own, and a snapshot of the memory
// in which all of them are imported. Writes `public` and `generated`.

import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";
import createModule from "pyodide/pyodide.asm.mjs";
import { boot, packed } from "../src/boot.js";

const HERE = dirname(fileURLToPath(import.meta.url)), PLAYGROUND = dirname(HERE), ROOT = join(PLAYGROUND, "..", "..");
const PYODIDE = join(PLAYGROUND, "node_modules", "pyodide"), OUT = join(PLAYGROUND, "public", "python"), GAMES = join(PLAYGROUND, "public", "games");
const WHEELS = join(PLAYGROUND, "node_modules", ".cache", "wheels"), GENERATED = join(PLAYGROUND, "generated");
const SITE = "/lib/python3.14/site-packages";
const OURS = { dsl: [".py", ".json", ".lark", ".toml"], interpreter: [".py", ".json", ".po"], web: [".py", ".js"], editors: [".py"], games: [".rules", ".items", ".json"] };
const NOT_NEEDED = ["web/playground", "web/server", "interpreter/laboratory", "editors/lsp", "editors/dap", "editors/vscode"];

/** @param {string} folder */
function* walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else yield path;
  }
}

/** @returns {[string, Uint8Array][]} */
function ourFiles() {
  const files = [];
  for (const [name, suffixes] of Object.entries(OURS)) {
    for (const path of walk(join(ROOT, name))) {
      const inProject = relative(ROOT, path).replaceAll("\\", "/");
      if (!suffixes.some((suffix) => path.endsWith(suffix))) continue;
      if (NOT_NEEDED.some((folder) => inProject.startsWith(`${folder}/`)) || inProject.includes("__pycache__")) continue;
      files.push([`${SITE}/${inProject}`, new Uint8Array(readFileSync(path))]);
    }
  }
  return files.sort(([first], [second]) => (first < second ? -1 : 1));
}

function fetchWheels() {
  if (existsSync(WHEELS) && readdirSync(WHEELS).length) return;
  mkdirSync(WHEELS, { recursive: true });
  const words = [join(HERE, "wheels.py"), WHEELS, join(PYODIDE, "pyodide-lock.json")];
  const done = spawnSync(process.env.PYTHON ?? "python3", words, { stdio: "inherit" });
  if (done.status !== 0) {
    rmSync(WHEELS, { recursive: true });
    throw new Error("pip cannot fetch the packages that the interpreter needs");
  }
}

/** The files of the wheels, unpacked by Python itself. */
async function filesOfWheels() {
  const python = await loadPyodide({ indexURL: PYODIDE });
  for (const wheel of readdirSync(WHEELS)) {
    python.unpackArchive(new Uint8Array(readFileSync(join(WHEELS, wheel))), "wheel", { extractDir: SITE });
  }
  const paths = python.runPython(`
from pathlib import Path
[str(path) for path in sorted(Path("${SITE}").rglob("*")) if path.is_file() and path.suffix in (".py", ".so", ".lark")]
`).toJs();
  return paths.map((path) => [path, new Uint8Array(python.FS.readFile(path))]);
}

fetchWheels();
const wheels = await filesOfWheels();
const library = wheels.find(([path]) => path.endsWith(".so"));
const { info } = JSON.parse(readFileSync(join(PYODIDE, "pyodide-lock.json"), "utf8"));
const files = [...wheels.filter(([path]) => !path.endsWith(".so")), ...ourFiles()];

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
mkdirSync(GENERATED, { recursive: true });
for (const part of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]) cpSync(join(PYODIDE, part), join(OUT, part));
writeFileSync(join(OUT, "library.wasm"), library[1]);

const python = await boot({
  loadPyodide, createModule, folder: PYODIDE, library: join(OUT, "library.wasm"), libraryPath: library[0], info,
  files: Promise.resolve(files),
});
python.runPython(readFileSync(join(HERE, "warm_up.py"), "utf8"));
const rules = JSON.stringify(readFileSync(join(HERE, "first_game.rules"), "utf8"));
const answers = python.runPython(`"\\n".join(warm_up(${rules}))`);
if (/"kind":"refused"/.test(answers)) throw new Error(`the warm-up was refused: ${answers}`);
const keywords = python.runPython("import json\nfrom dsl.syntax.terminals import keywords\njson.dumps(sorted(keywords()))");
python.runPython("import gc\ngc.collect()");
const snapshot = python.makeMemorySnapshot();

// The page is there before Python is: what it says, and the games to start from, are files beside it.
const SOURCES = [join(PLAYGROUND, "index.html"), ...readdirSync(join(PLAYGROUND, "src")).map((name) => join(PLAYGROUND, "src", name))];
python.runPython(readFileSync(join(HERE, "texts.py"), "utf8"));
writeFileSync(join(GENERATED, "texts.json"), python.runPython(`texts(${JSON.stringify(SOURCES.map((path) => readFileSync(path, "utf8")))})`));
rmSync(GAMES, { recursive: true, force: true });
mkdirSync(GAMES, { recursive: true });
for (const [name, game] of Object.entries(JSON.parse(python.runPython("games()")))) writeFileSync(join(GAMES, `${name}.json`), JSON.stringify(game));

writeFileSync(join(GENERATED, "keywords.json"), keywords);
writeFileSync(join(GENERATED, "python.json"), JSON.stringify({ libraryPath: library[0], info }));
for (const [name, content] of [["files", packed(files)], ["snapshot", snapshot]]) {
  const compressed = gzipSync(content, { level: 6 });
  writeFileSync(join(OUT, `${name}.gz`), compressed);
  console.log(`${name}: ${(content.length / 1e6).toFixed(1)} MB, compressed ${(compressed.length / 1e6).toFixed(1)} MB`);
}
const page = readFileSync(join(ROOT, "web", "page", "table.html"), "utf8");
writeFileSync(join(PLAYGROUND, "table.html"), page.replace("/page/at_server.js", "./src/at_worker.js").replace("/page/style.css", "../page/style.css"));
console.log(`all: ${(readdirSync(OUT).reduce((sum, name) => sum + statSync(join(OUT, name)).size, 0) / 1e6).toFixed(1)} MB`);
