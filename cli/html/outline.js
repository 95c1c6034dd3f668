// All decisions as headlines, and the events of the current one as a tree.

const DEEPEST = 12; // deeper events are not indented further, to leave room for text
const folded = new Set();

/** Make a row an item of the tree; only the current one can be reached with Tab. */
function asItem(row, level) {
  row.setAttribute("role", "treeitem");
  row.setAttribute("aria-level", level);
  row.setAttribute("aria-selected", "false");
  row.tabIndex = -1;
  return row;
}

const heads = data.segments.map((segment, ply) => {
  const row = made("div", "row head", made("span", "ply", String(ply)),
    made("span", "words", ...seatNamed(data.words[segment.head], segment.seat)));
  row.dataset.index = starts[ply];
  return asItem(row, 1);
});
const inside = made("div", "inside");
inside.setAttribute("role", "group");
let opened = null; // the segment that is unfolded

/** The index after the last event that is nested in an event. */
function endOf(index) {
  const end = starts[events[index].ply] + count(events[index].ply);
  let at = index + 1;
  while (at < end && events[at].depth > events[index].depth) at++;
  return at;
}

function above(index) {
  const found = [];
  for (let at = index - 1, depth = events[index].depth; at >= starts[events[index].ply]; at--) {
    if (events[at].depth < depth) {
      depth = events[at].depth;
      found.push(at);
    }
  }
  return found;
}

function unfold(ply) {
  opened = ply;
  const first = starts[ply] + (OWN_HEADLINE.includes(events[starts[ply]].kind) ? 1 : 0), end = starts[ply] + count(ply);
  const base = Math.min(...events.slice(first, end).map((event) => event.depth));
  const rows = [];
  for (let at = first; at < end; ) {
    const event = events[at], after = endOf(at), row = made("div", "row");
    row.dataset.index = at;
    asItem(row, 2 + Math.max(0, event.depth - base));
    if (after > at + 1) row.setAttribute("aria-expanded", folded.has(at) ? "false" : "true");
    row.style.setProperty("--depth", Math.min(event.depth - base, DEEPEST));
    row.append(made("span", "fold", after > at + 1 ? (folded.has(at) ? "▸" : "▾") : ""), inWords(event));
    if (folded.has(at)) row.append(made("span", "quiet", `   ${phrase("… {number} more", { number: after - at - 1 })}`));
    rows.push(row);
    at = folded.has(at) ? after : at + 1;
  }
  inside.replaceChildren(...rows);
  heads[ply].after(inside);
}

function rowFor(index) {
  return inside.querySelector(`[data-index="${index}"]`) || heads[events[index].ply];
}

function showOutline(index) {
  const pane = byId("outline"), around = above(index).filter((at) => folded.has(at));
  around.forEach((at) => folded.delete(at));
  if (opened !== events[index].ply || around.length) unfold(events[index].ply);
  const focused = pane.contains(document.activeElement);
  pane.querySelectorAll(".here, .open").forEach((row) => {
    row.classList.remove("here", "open");
    row.setAttribute("aria-selected", "false");
    row.tabIndex = -1;
  });
  heads[events[index].ply].classList.add("open");
  const row = rowFor(index);
  row.classList.add("here");
  row.setAttribute("aria-selected", "true");
  row.tabIndex = 0;
  if (focused) row.focus({ preventScroll: true });
  reveal(pane, row, false);
}

/** Whether an event has nested events that can be folded; headlines stay open. */
function hasInside(index) {
  return endOf(index) > index + 1 && index !== starts[events[index].ply];
}

/** Fold or unfold an event; returns whether it has nested events. */
function fold(index) {
  if (!hasInside(index)) return false;
  if (!folded.delete(index)) folded.add(index);
  unfold(events[index].ply);
  showOutline(index);
  return true;
}

/** The event of the row that is `by` rows further down. */
function eventBelow(index, by) {
  const rows = Array.from(byId("outline").querySelectorAll(".row")), at = rows.indexOf(rowFor(index)) + by;
  return Number(rows[Math.max(0, Math.min(rows.length - 1, at))].dataset.index);
}

function begin() {
  byId("outline").append(...heads);
  byId("outline").addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (!row) return;
    const index = Number(row.dataset.index);
    if (event.target.closest(".fold") && fold(index)) return;
    go(index);
  });
}
