import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  base: "./", // the folder may lie anywhere on a server
  build: {
    target: "es2022",
    assetsInlineLimit: 0, // the policy of the pages allows no data
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rollupOptions: { input: [here("index.html"), here("table.html")] },
  },
  worker: { format: "es" },
});
