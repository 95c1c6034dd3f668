// Pieces, cells and tables. Everything is in words already: here it gets its place and its colour.

import { drawn, element, phrase } from "./elements.js";

/** @typedef {import("./messages").ShownPiece} Piece */
/** @typedef {import("./messages").Content["cell"]} Cell */
/** @typedef {import("./messages").ShownTable} Table */
/** @typedef {import("./messages").ShownSeat} Seat */
/** @typedef {{use: () => void, isBarred: boolean}} Use  what a click on a piece does; `isBarred`: it says why it cannot be chosen */
/** @typedef {(piece: Piece, heading: string) => Use | null} Choosing  what can be done with a piece below a heading */

const SHAPES = ["circle", "square", "triangle", "diamond", "hexagon", "pentagon"];

/** @type {Map<string, string>} the shape of each type of pieces on the board, in the order in which they appeared */
const shapeOfType = new Map();
/** @type {Map<string, Set<string>>} the texts seen of each type */
const textsOfType = new Map();

/**
 * @param {Piece} piece
 * @returns {string}
 */
export function name(piece) {
  const text = piece.back ? phrase("hidden {type}", { type: piece.type }) : piece.text || piece.type;
  const notes = piece.notes ? ` (${piece.notes})` : "";
  const upon = piece.attached.length ? ` [${piece.attached.map(name).join(", ")}]` : "";
  return (piece.count > 1 ? `${piece.count} ` : "") + text + notes + upon;
}

/** @param {string} colour */
export function colourClass(colour) {
  return colour ? `c-${colour}` : "c-none";
}

/** @param {Piece} piece */
export function shapeOf(piece) {
  let shape = shapeOfType.get(piece.type);
  if (shape === undefined) {
    shape = SHAPES[shapeOfType.size % SHAPES.length];
    shapeOfType.set(piece.type, shape);
  }
  return shape;
}

/**
 * The shortest beginning of a piece's name that tells it from others of its type; empty if there is nothing to tell.
 * @param {Piece} piece
 */
export function lettersOf(piece) {
  if (piece.sign && !piece.back) return piece.sign;
  const text = piece.back ? "?" : piece.one;
  const texts = textsOfType.get(piece.type) ?? new Set();
  textsOfType.set(piece.type, texts.add(text));
  if (text === "?" || text === "" || text === piece.type) return text === "?" ? "?" : "";
  if (/^\d+$/.test(text)) return text;
  for (let length = 1; length <= 3; length++) {
    const beginning = text.slice(0, length);
    if (![...texts].some((other) => other !== text && other.startsWith(beginning))) return beginning;
  }
  return text.slice(0, 3);
}

/**
 * The outline of a shape around a point.
 * @param {string} shape
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function outline(shape, x, y, r) {
  if (shape === "circle") return drawn("circle", { cx: `${x}`, cy: `${y}`, r: `${r}` });
  const corners = { square: 4, triangle: 3, diamond: 4, hexagon: 6, pentagon: 5 }[shape] ?? 4;
  const turned = shape === "square" ? Math.PI / 4 : -Math.PI / 2;
  const size = shape === "square" ? r * 1.2 : r * 1.15;
  const points = Array.from({ length: corners }, (_, index) => {
    const angle = turned + (index * 2 * Math.PI) / corners;
    return `${(x + size * Math.cos(angle)).toFixed(1)},${(y + size * Math.sin(angle)).toFixed(1)}`;
  });
  return drawn("polygon", { points: points.join(" ") });
}

/**
 * A piece as a card: a button if it can be chosen, or asked about.
 * @param {Piece} piece
 * @param {Use | null} use
 * @param {Map<string, Seat>} seats
 * @returns {HTMLElement}
 */
export function card(piece, use, seats) {
  const classes = `piece ${colourClass(piece.colour)}${piece.back ? " back" : ""}${use?.isBarred ? " barred" : ""}`;
  const owner = piece.owner === null ? "" : seats.get(piece.owner)?.letters ?? "";
  const parts = [
    ...(piece.count > 1 ? [element("span", { class: "count" }, `${piece.count}`)] : []),
    ...(owner ? [element("span", { class: "owner" }, owner)] : []),
    ...(piece.sign && !piece.back ? [element("span", { class: `suit${/[♥♦]/.test(piece.sign) ? " red" : ""}`, "aria-hidden": "true" }, piece.sign)] : []),
    element("span", {}, piece.back ? phrase("hidden") : piece.text || piece.type),
    ...(piece.notes ? [element("small", {}, piece.notes)] : []),
    ...piece.attached.map((upon) => card(upon, null, seats)),
  ];
  if (use === null) return element("span", { class: classes, title: name(piece) }, ...parts);
  const title = use.isBarred ? phrase("{piece}: why can it not be chosen?", { piece: name(piece) }) : name(piece);
  return element("button", { class: classes, type: "button", title, click: use.use }, ...parts);
}

/**
 * @param {Cell} cell
 * @param {string} heading
 * @param {Choosing} choosing
 * @param {Map<string, Seat>} seats
 * @returns {Node}
 */
export function cellContent(cell, heading, choosing, seats) {
  if (cell.kind === "text") {
    const seat = cell.seat === null ? undefined : seats.get(cell.seat);
    return seat ? element("span", { class: `seat ${colourClass(seat.colour)}` }, cell.text) : new Text(cell.text);
  }
  if (cell.kind === "pieces") {
    const list = element("span", { class: `pieces ${cell.order}` });
    list.append(...cell.pieces.map((piece) => card(piece, choosing(piece, heading), seats)));
    return cell.pieces.length ? list : element("span", { class: "nothing" }, "–");
  }
  const list = element("span", { class: "pieces" });
  for (const [item, note] of cell.entries) {
    list.append(element("span", { class: "noted" }, cellContent(item, heading, choosing, seats), element("b", {}, note)));
  }
  return list;
}

/**
 * @param {Table} table
 * @param {Choosing} choosing
 * @param {Map<string, Seat>} seats
 * @param {Table | undefined} before  the same table before: what differs stands out
 */
export function tableOf(table, choosing, seats, before = undefined) {
  const changed = (/** @type {number} */ row, /** @type {number} */ column) => {
    const old = before?.rows[row]?.[column];
    return old !== undefined && JSON.stringify(old) !== JSON.stringify(table.rows[row][column]);
  };
  if (table.rows.length === 1 && table.headings.length === 1) {
    const title = `${table.title}: ${table.headings[0]}`, content = cellContent(table.rows[0][0], table.headings[0], choosing, seats);
    return element("p", { class: "line" }, element("b", {}, title), " ", element("span", { class: changed(0, 0) ? "changed" : "" }, content));
  }
  const head = element("tr", {}, ...table.headings.map((text) => text ? element("th", { scope: "col" }, text) : element("td")));
  const rows = table.rows.map((row, at) => {
    const cells = row.map((cell, index) => {
      const label = { "data-heading": table.headings[index], class: changed(at, index) ? "changed" : "" };
      const first = index === 0 ? element("th", { scope: "row", ...label }) : element("td", label);
      first.append(cellContent(cell, table.headings[index], choosing, seats));
      return first;
    });
    return element("tr", {}, ...cells);
  });
  return element(
    "div", { class: "scroll", tabindex: "0", role: "region", "aria-label": table.title },
    element("table", {}, element("caption", {}, table.title), element("thead", {}, head), element("tbody", {}, ...rows)),
  );
}

/** Stack the cells of each row of the tables that are wider than there is room. */
export function foldTables() {
  for (const each of document.querySelectorAll(".scroll")) {
    each.classList.remove("stacked");
    each.classList.toggle("stacked", each.scrollWidth > each.clientWidth);
  }
}
