// Python in a worker: unpacks wheels beside it, then runs the code of one message after the other.
import { loadPyodide } from "./pyodide.mjs";

let python;

const answers = {
  async load(wheels) {
    const started = performance.now();
    python = await loadPyodide();
    const extractDir = python.runPython("import sysconfig; sysconfig.get_path('purelib')");
    for (const wheel of wheels) {
      const response = await fetch(wheel);
      python.unpackArchive(await response.arrayBuffer(), "wheel", { extractDir });
    }
    return (performance.now() - started) / 1000;
  },
  async run(code) {
    return python.runPython(code);
  },
};

onmessage = async ({ data: [name, argument] }) => {
  try {
    postMessage({ value: await answers[name](argument) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
