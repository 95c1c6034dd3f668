"use strict";

const tip = document.getElementById("tip");
const GAP = 14;

/* The values under the pointer, as texts: whatever they say, they are never read as markup. */
function show(handler, event, item, value) {
  tip.replaceChildren();
  tip.hidden = value === null || value === undefined || value === "";
  if (tip.hidden) return;
  const list = document.createElement("dl");
  for (const [name, text] of Object.entries(value)) {
    const term = document.createElement("dt"), words = document.createElement("dd");
    term.textContent = name;
    words.textContent = text;
    list.append(term, words);
  }
  tip.append(list);
  place(event);
}

/* Beside the pointer, inside the window. */
function place(event) {
  const touch = event.changedTouches ? event.changedTouches[0] : event;
  const { width, height } = tip.getBoundingClientRect();
  const right = touch.clientX + GAP, below = touch.clientY + GAP;
  const x = right + width > innerWidth ? touch.clientX - GAP - width : right;
  const y = below + height > innerHeight ? touch.clientY - GAP - height : below;
  tip.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
  tip.style.top = `${Math.max(4, y)}px`;
}

async function draw() {
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const options = { renderer: "svg", ast: true, actions: false, defaultStyle: false, tooltip: show };
  for (const [key, chart] of Object.entries(charts)) {
    await vegaEmbed(document.getElementById(`chart-${key}`), chart, options);
  }
  document.body.dataset.drawn = Object.keys(charts).length;
}

addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
draw();
