// Writes the service worker, which keeps all files of the page, so that it opens without a network.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const DIST = join(dirname(fileURLToPath(import.meta.url)), "..", "dist"), SCRIPT = "offline.js";

const names = readdirSync(DIST, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(DIST.length + 1).replaceAll("\\", "/"))
  .filter((name) => name !== SCRIPT).sort();
const hash = createHash("sha256");
for (const name of names) hash.update(name).update(readFileSync(join(DIST, name)));
const source = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "..", "src", SCRIPT), "utf8");
const files = JSON.stringify(["./", ...names]);
writeFileSync(join(DIST, SCRIPT), `const FILES = ${files};\nconst VERSION = "${hash.digest("base64url").slice(0, 16)}";\n${source}`);
