// A table in a worker of the page around this one, which sends the port to it.

import { overPort } from "../../page/connection.js";
import { element, phrase } from "../../page/elements.js";
import { sit } from "../../page/table.js";

addEventListener("message", (event) => {
  if (event.source !== parent || event.origin !== location.origin || !event.ports.length) return;
  const again = () => parent.postMessage({ again: true }, location.origin);
  sit({
    open: overPort(event.ports[0]),
    token: event.data.token,
    page: parent,
    tracePage: null, // the page around this one shows the trace beside the rules
    afterwards: () => [element("button", { type: "button", class: "main", click: again }, phrase("Play again"))],
  });
});
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "s") {
    event.preventDefault();
    parent.postMessage({ save: true }, location.origin);
  }
});
parent.postMessage({ ready: true }, location.origin);
