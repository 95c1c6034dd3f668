// Starting Python: the same in the build, which makes a snapshot of its memory, and in the worker, which restores it.
//
// A snapshot holds memory alone. Files are written beside it, and a library that was linked into memory is linked again
// to the same addresses, which it is if that is the first thing that asks for memory. Pyodide itself does neither.

/** @typedef {Record<string, any>} Emscripten  what the compiler of Pyodide gives, without types */
/**
 * @typedef {object} Parts
 * @property {(options: Record<string, unknown>) => Promise<any>} loadPyodide
 * @property {(settings: Emscripten) => Promise<Emscripten>} createModule  of `pyodide.asm.mjs`
 * @property {string} folder  where Pyodide is
 * @property {string} library  where the library is
 * @property {string} libraryPath  where Python looks for it
 * @property {Record<string, string>} info  what Pyodide's list of packages says about itself; none of them is needed
 * @property {Promise<[string, Uint8Array][]>} files  by path
 * @property {Promise<Uint8Array>} [snapshot]
 */

const NOT_HERE_YET = new Uint8Array(0);

/**
 * Python, with what the snapshot holds, if there is one. While it is fetched, the browser compiles Pyodide.
 * @param {Parts} parts
 */
export function boot({ loadPyodide, createModule, folder, library, libraryPath, info, files, snapshot }) {
  return loadPyodide({
    indexURL: folder,
    lockFileContents: JSON.stringify({ info, packages: {} }),
    env: { HOME: "/home/author", PYTHONDONTWRITEBYTECODE: "1" },
    ...(snapshot ? { _loadSnapshot: NOT_HERE_YET } : { _makeSnapshot: true }),
    createPyodideModule: async (/** @type {Emscripten} */ settings) => {
      const locate = settings.locateFile;
      settings.locateFile = (/** @type {string} */ path) => (path === libraryPath ? library : locate(path));
      settings.dynamicLibraries = [libraryPath]; // linked before anything else, so that its addresses are the same everywhere
      settings.preRun.push(async (/** @type {Emscripten} */ module) => {
        module.addRunDependency("files");
        write(module.FS, [...(await files), [libraryPath, new Uint8Array()]]); // Python imports what has a file
        module.removeRunDependency("files");
      });
      const module = await createModule(settings);
      if (snapshot) prepare(module, await snapshot);
      return module;
    },
  });
}

/**
 * Make room for the snapshot, and let Pyodide restore it. How Python calls C functions that take fewer arguments than they
 * are given depends on the browser, not on where the snapshot was made.
 * @param {Emscripten} module
 * @param {Uint8Array} snapshot
 */
function prepare(module, snapshot) {
  while (module.HEAP8.length < snapshot.length) module._malloc(snapshot.length - module.HEAP8.length); // is overwritten
  const trampoline = (module.__PyRuntime + module.HEAP32[module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET / 4]) / 4;
  const ofBrowser = module.HEAP32[trampoline], restore = module.API.restoreSnapshot;
  module.API.restoreSnapshot = () => {
    const restored = restore(snapshot);
    module.HEAP32[trampoline] = ofBrowser;
    return restored;
  };
}

/**
 * @param {Emscripten} fileSystem
 * @param {[string, Uint8Array][]} files
 */
function write(fileSystem, files) {
  const made = new Set();
  for (const [path, content] of files) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) fileSystem.mkdirTree(folder);
    made.add(folder);
    fileSystem.writeFile(path, content, { canOwn: true });
  }
}

/**
 * Files as one archive: the length of a list of their paths and sizes, the list, and their contents.
 * @param {[string, Uint8Array][]} files
 */
export function packed(files) {
  const list = new TextEncoder().encode(JSON.stringify(files.map(([path, content]) => [path, content.length])));
  const archive = new Uint8Array(4 + list.length + files.reduce((sum, [, content]) => sum + content.length, 0));
  new DataView(archive.buffer).setUint32(0, list.length);
  archive.set(list, 4);
  let at = 4 + list.length;
  for (const [, content] of files) {
    archive.set(content, at);
    at += content.length;
  }
  return archive;
}

/**
 * @param {Uint8Array} archive
 * @returns {[string, Uint8Array][]}
 */
export function unpacked(archive) {
  const length = new DataView(archive.buffer, archive.byteOffset).getUint32(0);
  /** @type {[string, number][]} */
  const list = JSON.parse(new TextDecoder().decode(archive.subarray(4, 4 + length)));
  let at = 4 + length;
  return list.map(([path, size]) => [path, archive.subarray(at, (at += size))]);
}
