// A table on a server: the address says which one, its fragment who is at this page.

import { webSocket } from "./connection.js";
import { byId, element, phrase } from "./elements.js";
import { sit } from "./table.js";

const table = decodeURIComponent(location.pathname.split("/").pop() ?? "");

/** @param {string} title */
async function save(title) {
  const headers = { Authorization: `Bearer ${location.hash.slice(1)}` };
  const response = await fetch(`/api/tables/${encodeURIComponent(table)}/save`, { headers }).catch(() => null);
  if (!response?.ok) {
    byId("connection").textContent = response === null ? phrase("The server does not answer.") : (await response.json()).reason;
    return;
  }
  element("a", { href: URL.createObjectURL(await response.blob()), download: `${title}.json` }).click();
}

/** @type {Promise<Node[]> | null} */
let linkToTrace = null;

/** A link to the page of the trace, which shows the board and the rules beside each event; the same each time. */
async function tracePage() {
  linkToTrace ??= askForTrace();
  const link = await linkToTrace;
  if (!link.length) linkToTrace = null;
  return link;
}

async function askForTrace() {
  const headers = { Authorization: `Bearer ${location.hash.slice(1)}` };
  const response = await fetch(`/api/tables/${encodeURIComponent(table)}/trace`, { method: "POST", headers }).catch(() => null);
  if (!response?.ok) return [];
  const address = `${(await response.json()).address}?${new URLSearchParams({ language: document.documentElement.lang })}`;
  return [element("a", { href: address, target: "_blank", rel: "noopener" }, phrase("with board and rules"))];
}

sit({
  open: webSocket(table),
  token: location.hash.slice(1),
  page: window,
  tracePage,
  afterwards: ({ game, title }) => [
    element("a", { href: `/#${new URLSearchParams({ game })}`, class: "button" }, phrase("Play again")), " ",
    element("a", { href: "/" }, phrase("All games")), " ",
    element("button", { type: "button", click: () => save(title) }, phrase("Save the game as a file")),
  ],
});
