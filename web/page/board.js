// The board: outlines once, contents at every position. Places that an answer is about can be chosen.

import { byId, drawn, element, phrase } from "./elements.js";
import { colourClass, lettersOf, name, outline, shapeOf } from "./pieces.js";

/** @typedef {import("./messages").ShownBoard} Board */
/** @typedef {import("./messages").ShownPlace} Place */
/** @typedef {import("./messages").Content} Content */
/** @typedef {import("./messages").ShownPiece} Piece */

const MARGIN = 34, RADIUS = 13, POST_RADIUS = 6, TOKENS_IN_A_ROW = 3;

/** @type {Board | null} */
let board = null;
/** @type {Map<string, SVGElement>} the group of each place, by its name in the rules */
const groups = new Map();
/** @type {Map<string, {piece: Piece, letters: string}>} */
const legend = new Map();

/** @param {Board} outlines */
export function setBoard(outlines) {
  board = outlines;
  groups.clear();
  const points = outlines.places.flatMap((place) => [place.at, ...place.points]);
  points.push(...outlines.captions.map(([, at]) => at));
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const left = Math.min(...xs) - MARGIN, top = Math.min(...ys) - MARGIN;
  const width = Math.max(...xs) + MARGIN - left, height = Math.max(...ys) + MARGIN - top;
  const picture = drawn("svg", {
    viewBox: `${left} ${top} ${width} ${height}`, role: "group", "aria-label": outlines.name,
  });
  picture.style.setProperty("--natural", `${Math.round(width)}px`);
  for (const kind of ["area", "stroke", "node"]) {
    for (const place of outlines.places) {
      if (place.kind !== kind) continue;
      const group = drawn("g", { class: `place ${kind}`, "data-place": place.id });
      groups.set(place.id, group);
      picture.append(group);
    }
  }
  for (const [text, [x, y]] of outlines.captions) {
    picture.append(drawn("text", { class: "caption", x: `${x}`, y: `${y + 4}`, "text-anchor": "end" }, text));
  }
  byId("picture").replaceChildren(picture);
  byId("board").hidden = false;
}

/**
 * Draw what lies on the board.
 * @param {Record<string, Content[]>} contents
 * @param {Set<string>} moved
 * @param {Set<string>} possible  the places that an answer may be about
 * @param {(place: string) => void} choose
 */
export function drawContents(contents, moved, possible, choose) {
  if (board === null) return;
  legend.clear();
  for (const place of board.places) {
    const group = groups.get(place.id);
    if (group === undefined) continue;
    const held = contents[place.id] ?? [];
    group.replaceChildren(...parts(place, held));
    group.classList.toggle("moved", moved.has(place.id));
    const isPossible = possible.has(place.id);
    group.classList.toggle("possible", isPossible);
    const words = described(place, held);
    if (isPossible) {
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "0");
      group.setAttribute("aria-label", words);
      group.onclick = () => choose(place.id);
      group.onkeydown = (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          choose(place.id);
        }
      };
    } else {
      for (const name of ["role", "tabindex", "aria-label"]) group.removeAttribute(name);
      group.onclick = group.onkeydown = null;
      if (held.length) {
        group.setAttribute("role", "img");
        group.setAttribute("aria-label", words);
      }
    }
  }
  byId("legend").replaceChildren(...[...legend.values()].map(({ piece, letters }) => {
    const sign = drawn("svg", { viewBox: "-16 -16 32 32", class: "sign", "aria-hidden": "true" });
    sign.append(...token({ ...piece, colour: piece.owner ? "" : piece.colour }, 0, 0, letters));
    return element("li", {}, sign, piece.text && !piece.back ? piece.text : piece.type);
  }));
}

/**
 * @param {Place} place
 * @param {Content[]} held
 */
function described(place, held) {
  const said = held.map(({ heading, cell }) => {
    if (cell.kind === "text") return cell.text === "true" ? heading : `${heading}: ${cell.text}`;
    if (cell.kind === "pieces") return cell.pieces.map(name).join(", ");
    return cell.entries.map(([, note]) => note).join(", ");
  });
  return said.length ? `${place.name}: ${said.join("; ")}` : phrase("{place}, empty", { place: place.name });
}

/**
 * @param {Place} place
 * @param {Content[]} held
 * @returns {SVGElement[]}
 */
function parts(place, held) {
  /** @type {Piece[]} */
  const pieces = [];
  const texts = [];
  for (const { heading, cell } of held) {
    if (cell.kind === "pieces") pieces.push(...cell.pieces);
    else if (cell.kind === "text") texts.push(cell.text === "true" ? heading : cell.text);
    else texts.push(cell.entries.map(([, note]) => note).join(" "));
  }
  const [x, y] = place.at, tint = place.tint ? ` ${colourClass(place.tint)}` : "";
  const made = [drawn("title", {}, described(place, held))];
  if (place.kind === "area") {
    made.push(drawn("polygon", { class: `outline${tint}`, points: place.points.map((at) => at.join(",")).join(" ") }));
  } else if (place.kind === "stroke") {
    const [[x1, y1], [x2, y2]] = place.points;
    const colour = pieces.length ? ` held ${colourClass(pieces[0].colour)}` : texts.length ? " held c-none" : "";
    const ends = { x1: `${x1}`, y1: `${y1}`, x2: `${x2}`, y2: `${y2}` };
    made.push(drawn("line", { class: "reach", ...ends }), drawn("line", { class: `outline${tint}${colour}`, ...ends }));
    if (pieces.length <= 1 && pieces.every((piece) => !piece.back && lettersOf(piece) === "")) return made;
  } else {
    made.push(drawn("circle", { class: `outline${tint}`, cx: `${x}`, cy: `${y}`, r: `${place.holds ? RADIUS + 4 : POST_RADIUS}` }));
  }
  const rows = Math.ceil(pieces.length / TOKENS_IN_A_ROW);
  const middle = texts.length && place.kind === "area" ? y - RADIUS / 2 : y; // room for the words below
  const size = pieces.length > 4 ? RADIUS * 0.6 : pieces.length > 1 ? RADIUS * 0.75 : RADIUS;
  pieces.forEach((piece, index) => {
    const row = Math.floor(index / TOKENS_IN_A_ROW);
    const inRow = Math.min(TOKENS_IN_A_ROW, pieces.length - row * TOKENS_IN_A_ROW);
    const dx = ((index % TOKENS_IN_A_ROW) - (inRow - 1) / 2) * size * 1.7;
    const letters = lettersOf(piece);
    legend.set(`${piece.type} ${letters}`, { piece, letters });
    made.push(...token(piece, x + dx, middle + (row - (rows - 1) / 2) * size * 1.8, letters, size));
  });
  if (place.mark && place.holds && !pieces.length && !texts.length) made.push(label(place.mark, x, y, "mark"));
  if (texts.length) made.push(label(texts.join(" "), x, pieces.length ? middle + RADIUS + 9 : y, "value"));
  return made;
}

/**
 * @param {Piece} piece
 * @param {number} x
 * @param {number} y
 * @param {string} letters
 */
function token(piece, x, y, letters, size = RADIUS) {
  const body = outline(shapeOf(piece), x, y, size);
  body.setAttribute("class", `token ${colourClass(piece.colour)}${piece.back ? " back" : ""}`);
  const text = (piece.count > 1 ? `${piece.count}` : "") + letters + (piece.attached.length ? "+" : "");
  const sign = label(text, x, y, "letters");
  sign.setAttribute("font-size", `${size * (text.length > 2 ? 0.8 : 1)}`);
  return text ? [body, sign] : [body];
}

/**
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} kind
 */
function label(text, x, y, kind) {
  return drawn("text", { class: kind, x: `${x}`, y: `${y}`, "text-anchor": "middle", dy: "0.35em" }, text);
}
