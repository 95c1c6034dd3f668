// The board: outlines once, contents at every position. Places that an answer is about can be chosen.

import { byId, drawn, element, phrase } from "./elements.js";
import { colourClass, lettersOf, name, outline, shapeOf } from "./pieces.js";

/** @typedef {import("./messages").ShownBoard} Board */
/** @typedef {import("./messages").ShownPlace} Place */
/** @typedef {import("./messages").ShownBlock} Block */
/** @typedef {import("./messages").Content} Content */
/** @typedef {import("./messages").ShownPiece} Piece */
/**
 * @typedef {object} Marks  places that stand out
 * @property {Set<string>} possible  those that an answer may be about
 * @property {Set<string>} chosen  those that the move is about that would be made
 * @property {Set<string>} moved  those whose contents have changed
 * @property {(place: string) => void} choose
 * @property {((place: string) => void) | null} why  asks why a place cannot be chosen
 */

const MARGIN = 26, RADIUS = 13, POST_RADIUS = 3, TOKENS_IN_A_ROW = 3, MILLISECONDS = 450;
const ZOOMS = [1, 1.5, 2, 3];
const BLOCK_INSET = 4; // units, so that the marks of blocks beside each other are two
const TEXT_ROOM = 8; // units that a letter takes in an outline
const MAX_REGIONS = 12, MAX_NAMED = 20;
const STROKES = ["solid", "double", "dashed", "dotted"];

/** @type {Board | null} */
let board = null;
let zoom = 0;
let isNamed = false; // whether places have names that a player reads on the board
/** @type {Map<string, SVGElement>} the group of each place, by its key */
const groups = new Map();
/** @type {Map<Block, SVGElement>} the group of each block of places */
const blockGroups = new Map();
/** @type {Map<string, {piece: Piece, letters: string}>} */
const pieceLegend = new Map();
/** @type {Map<string, {tint?: string, stroke?: string}>} what the colours and strokes of the board mean, by their words */
const wordLegend = new Map();
/** @type {Map<string, string>} the kind of stroke of what lies along one, in the order in which it appeared */
const strokeOf = new Map();
/** @type {Map<string, string>} */
let colourOfSeat = new Map();
/** @type {Record<string, Content[]>} */
let shown = {};

/**
 * @param {Board} outlines
 * @param {Map<string, string>} colours  of the seats
 */
export function setBoard(outlines, colours) {
  board = outlines;
  colourOfSeat = colours;
  groups.clear();
  blockGroups.clear();
  shown = {};
  const points = outlines.places.flatMap((place) => [place.at, ...place.points]);
  points.push(...outlines.captions.map(([, at]) => at));
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const left = Math.min(...xs) - MARGIN, top = Math.min(...ys) - MARGIN;
  const holding = outlines.places.filter((place) => place.holds && place.kind === "node");
  isNamed = holding.length <= MAX_NAMED && holding.some((place) => place.name.length > 3);
  const width = Math.max(...xs) + MARGIN - left, height = Math.max(...ys) + MARGIN + (isNamed ? RADIUS : 0) - top;
  const picture = drawn("svg", {
    viewBox: `${left} ${top} ${width} ${height}`, role: "group", "aria-label": outlines.name,
  });
  picture.style.setProperty("--natural", `${Math.round(width)}px`);
  const isChequered = outlines.places.every((place) => place.kind === "tile" && place.points.length === 4 && !place.tint);
  const [x0, y0] = [Math.min(...outlines.places.map(({ at }) => at[0])), Math.min(...outlines.places.map(({ at }) => at[1]))];
  for (const kind of ["tile", "area", "stroke", "node"]) {
    for (const place of outlines.places) {
      if (place.kind !== kind) continue;
      const side = place.points.length ? Math.abs(place.points[1][0] - place.points[0][0]) : 1;
      const isDark = isChequered && Math.round((place.at[0] - x0) / side + (place.at[1] - y0) / side) % 2 === 1;
      const group = drawn("g", { class: `place ${kind}${isDark ? " dark" : ""}`, "data-place": place.key });
      groups.set(place.key, group);
      picture.append(group);
    }
  }
  for (const [[x1, y1], [x2, y2]] of outlines.seams) {
    picture.append(drawn("line", { class: "seam", x1: `${x1}`, y1: `${y1}`, x2: `${x2}`, y2: `${y2}` }));
  }
  for (const block of outlines.blocks) {
    const group = drawn("g", { class: "place block", "data-block": block.id });
    blockGroups.set(block, group);
    picture.append(group);
  }
  picture.append(drawn("g", { class: "links", "aria-hidden": "true" })); // places say in words where their lines lead
  for (const [text, [x, y]] of outlines.captions) {
    picture.append(drawn("text", { class: "caption", x: `${x}`, y: `${y}`, "text-anchor": "middle", dy: "0.35em" }, text));
  }
  byId("picture").replaceChildren(picture);
  byId("board").hidden = false;
  setZoom(0);
}

/** The buttons that make the board larger and smaller. */
export function zoomButtons() {
  const button = (/** @type {string} */ sign, /** @type {string} */ words, /** @type {() => void} */ use) =>
    element("button", { type: "button", "aria-label": words, title: words, click: use }, sign);
  return [
    button("−", phrase("Make the board smaller"), () => setZoom(zoom - 1)),
    button("+", phrase("Make the board larger"), () => setZoom(zoom + 1)),
  ];
}

/** @param {number} step  an index of `ZOOMS` */
function setZoom(step) {
  zoom = Math.min(ZOOMS.length - 1, Math.max(0, step));
  const picture = byId("picture"), factor = ZOOMS[zoom];
  const across = (picture.scrollLeft + picture.clientWidth / 2) / Math.max(1, picture.scrollWidth);
  const down = (picture.scrollTop + picture.clientHeight / 2) / Math.max(1, picture.scrollHeight);
  picture.classList.toggle("large", zoom > 0);
  picture.style.setProperty("--zoom", `${factor}`);
  if (zoom) picture.setAttribute("tabindex", "0"); // what scrolls can be scrolled by keys
  else picture.removeAttribute("tabindex");
  picture.scrollTo(across * picture.scrollWidth - picture.clientWidth / 2, down * picture.scrollHeight - picture.clientHeight / 2);
}

/**
 * Draw what lies on the board.
 * @param {Record<string, Content[]>} contents
 * @param {Marks} marks
 * @param {boolean} isAnimated  pieces that have moved are seen to move
 */
export function drawContents(contents, marks, isAnimated) {
  if (board === null) return;
  pieceLegend.clear();
  wordLegend.clear();
  const before = shown;
  shown = contents;
  byId("picture").querySelector(".links")?.replaceChildren(...links(contents));
  for (const place of board.places) {
    const group = groups.get(place.key);
    if (group === undefined) continue;
    const held = contents[place.key] ?? [], isPossible = marks.possible.has(place.id);
    group.replaceChildren(...parts(place, held), ...(isPossible && place.kind === "tile" ? [drawn("circle", dot(place, held))] : []));
    group.classList.toggle("moved", marks.moved.has(place.key));
    mark(group, place, isPossible, marks);
    if (place.kind === "stroke" && (held.length > 0) !== ((before[place.key] ?? []).length > 0)) lift(group, held.length > 0);
    hear(group, place, described(place, held), isPossible, marks, held.length > 0);
  }
  for (const [block, group] of blockGroups) {
    const isPossible = marks.possible.has(block.id) && !block.places.some((place) => marks.possible.has(place)); // which it would cover
    const held = contents[block.key] ?? [], words = held.length ? described(block, held) : block.name;
    group.replaceChildren(...blockParts(block, held, words));
    group.classList.toggle("moved", marks.moved.has(block.key));
    mark(group, block, isPossible, marks);
    hear(group, block, words, isPossible, marks, held.length > 0);
  }
  drawLegend();
  if (isAnimated) animate(before, contents);
}

/**
 * @param {SVGElement} group
 * @param {Place | Block} place
 * @param {boolean} isPossible
 * @param {Marks} marks
 */
function mark(group, place, isPossible, marks) {
  group.classList.toggle("chosen", marks.chosen.has(place.id));
  group.classList.toggle("possible", isPossible);
}

/**
 * Put a stroke above all others if something lies along it, and below them if nothing does any more.
 * @param {SVGElement} group
 * @param {boolean} isHeld
 */
function lift(group, isHeld) {
  const strokes = [...(group.parentElement?.querySelectorAll(".place.stroke") ?? [])];
  if (isHeld) strokes[strokes.length - 1].after(group);
  else strokes[0].before(group);
}

/**
 * The mark of a tile that can be chosen: a dot, or a ring around what lies there.
 * @param {Place} place
 * @param {Content[]} held
 * @returns {Record<string, string>}
 */
function dot(place, held) {
  const [x, y] = place.at, isEmpty = held.every(({ tint }) => tint);
  return { class: isEmpty ? "dot" : "ring", cx: `${x}`, cy: `${y}`, r: isEmpty ? "6" : "18" };
}

/**
 * @param {SVGElement} group
 * @param {Place | Block} place
 * @param {string} words
 * @param {boolean} isPossible
 * @param {Marks} marks
 * @param {boolean} isHeld
 */
function hear(group, place, words, isPossible, marks, isHeld) {
  for (const attribute of ["role", "tabindex", "aria-label"]) group.removeAttribute(attribute);
  group.onclick = group.onkeydown = null;
  const why = marks.why;
  if (isPossible) {
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "0");
    group.onclick = () => marks.choose(place.id);
    group.onkeydown = (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        marks.choose(place.id);
      }
    };
  } else {
    if (isHeld) group.setAttribute("role", "img");
    if (why !== null) group.onclick = () => why(place.id);
  }
  if (isPossible || isHeld) group.setAttribute("aria-label", words);
}

function drawLegend() {
  const sign = (/** @type {SVGElement[]} */ ...shapes) => {
    const picture = drawn("svg", { viewBox: "-16 -16 32 32", class: "sign", "aria-hidden": "true" });
    picture.append(...shapes);
    return picture;
  };
  const isOneType = new Set([...pieceLegend.values()].map(({ piece }) => piece.type)).size === 1;
  const pieces = [...pieceLegend.values()].map(({ piece, letters }) => {
    const shapes = token({ ...piece, count: 1, attached: [], mark: "", colour: piece.owner ? "" : piece.colour }, 0, 0, letters);
    const isNamed = !piece.back && piece.one && piece.one !== piece.type;
    const words = !isNamed ? piece.type : isOneType ? piece.one : `${piece.type}: ${piece.one}`;
    return element("li", {}, sign(...shapes), words);
  });
  const words = [...wordLegend].map(([text, { tint, stroke }]) => element("li", {}, sign(tint
    ? drawn("rect", { class: `swatch ${colourClass(tint)}`, x: "-14", y: "-14", width: "28", height: "28" })
    : drawn("line", { class: `held c-none ${stroke}`, x1: "-14", y1: "0", x2: "14", y2: "0" }),
    ...(stroke === "double" ? [drawn("line", { class: "core", x1: "-14", y1: "0", x2: "14", y2: "0" })] : [])), text));
  byId("legend").replaceChildren(...pieces, ...words, ...regions());
}

/** What the marks printed on the board stand for. */
function regions() {
  const marked = new Map(board?.places.filter((place) => place.mark && place.region).map((place) => [place.mark, place]));
  const isTelling = marked.size <= MAX_REGIONS && [...marked.values()].some((place) => place.region !== place.mark);
  return isTelling ? [...marked.values()].map((place) => {
    const sign = drawn("svg", { viewBox: "-16 -16 32 32", class: "sign", "aria-hidden": "true" },
      drawn("circle", { class: `swatch ${colourClass(place.tint)}`, r: "15" }), label(place.mark, 0, 0, "mark"));
    return element("li", {}, sign, place.region);
  }) : [];
}

/**
 * @param {Place | Block} place
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
 * A block of places, with what is said about it as large as the block: what lies at its places is seen through it.
 * @param {Block} block
 * @param {Content[]} held
 * @param {string} words
 */
function blockParts(block, held, words) {
  const [left, top] = block.start.map((at) => at + BLOCK_INSET), [right, bottom] = block.end.map((at) => at - BLOCK_INSET);
  const width = right - left, height = bottom - top, { pieces, texts, tint } = contained(held, "");
  const size = Math.min(width, height) / (RADIUS * 2.6), colour = tint || (pieces.length === 1 ? pieces[0].colour : "");
  const upon = drawn("g", { class: "upon", transform: `translate(${(left + right) / 2} ${(top + bottom) / 2}) scale(${size})` });
  upon.append(...tokens(pieces, 0, 0), ...(texts.length ? [label(texts.join(" "), 0, pieces.length ? RADIUS : 0, "value")] : []));
  const outline = { class: `outline${colour ? ` ${colourClass(colour)}` : ""}`, x: `${left}`, y: `${top}`, width: `${width}`, height: `${height}`, rx: "4" };
  return [drawn("title", {}, words), drawn("rect", outline), upon];
}

/**
 * The pieces and texts that stand at a place, and its colour.
 * @param {Content[]} held
 * @param {string} tint  that of the place itself
 */
function contained(held, tint, isStroke = false) {
  /** @type {Piece[]} */
  const pieces = [];
  /** @type {string[]} */
  const texts = [];
  for (const content of held) {
    const { heading, cell } = content;
    if (content.links.length) continue;
    if (content.tint && cell.kind === "text" && !isStroke) {
      tint = content.tint;
      wordLegend.set(cell.text, { tint });
    } else if (cell.kind === "pieces") pieces.push(...cell.pieces);
    else if (cell.kind === "text" && cell.sign && !isStroke) pieces.push({ ...pawn(heading, ""), sign: cell.sign, text: cell.text, one: cell.text });
    else if (cell.kind !== "text") texts.push(cell.entries.map(([, note]) => note).join(" "));
    else if (cell.seat !== null) pieces.push(pawn(heading, cell.seat, isStroke ? "" : cell.mark));
    else if (cell.text === "true") texts.push(heading);
    else texts.push(isStroke ? `${heading}: ${cell.text}` : cell.text);
  }
  return { pieces, texts, tint };
}

/**
 * @param {Place} place
 * @param {Content[]} held
 * @returns {SVGElement[]}
 */
function parts(place, held) {
  const { pieces, texts, tint } = contained(held, place.tint, place.kind === "stroke");
  const [x, y] = place.at, tinted = tint ? ` ${colourClass(tint)}` : "";
  const made = [drawn("title", {}, described(place, held))];
  if (place.kind === "area" || place.kind === "tile") {
    made.push(drawn("polygon", { class: `outline${tinted}`, points: place.points.map((at) => at.join(",")).join(" ") }));
  } else if (place.kind === "stroke") {
    return [...made, ...strokeParts(place, pieces, texts, tinted)];
  } else {
    made.push(drawn("circle", { class: `outline${tinted}`, cx: `${x}`, cy: `${y}`, r: `${place.holds ? RADIUS + 4 : POST_RADIUS}` }));
  }
  made.push(...tokens(pieces, x, texts.length && place.kind === "area" ? y - RADIUS / 2 : y));
  if (isNamed && place.holds && place.kind === "node") made.push(label(place.name, x, y + RADIUS + 14, "caption"));
  if (place.mark && place.holds && !pieces.length && !texts.length) made.push(label(place.mark, x, y, "mark"));
  if (texts.length) {
    const text = shortened(texts.join(" "), place);
    made.push(label(text, x, pieces.length ? y + RADIUS + (place.kind === "area" ? 4 : isNamed ? 26 : 9) : y, "value"));
  }
  return made;
}

/**
 * What stands for a seat at a place, such as the one that a note points to.
 * @param {string} heading
 * @param {string} seat
 * @param {string} mark
 * @returns {Piece}
 */
function pawn(heading, seat, mark = "") {
  const colour = colourOfSeat.get(seat) ?? "";
  return { name: "", text: "", one: "", sign: "", mark, type: heading, owner: seat, colour, back: false, notes: "", attached: [], count: 1 };
}

/**
 * A text as far as it fits into an outline; the whole of it is the title of the place.
 * @param {string} text
 * @param {Place} place
 */
function shortened(text, place) {
  const xs = place.points.map(([x]) => x), width = xs.length ? Math.max(...xs) - Math.min(...xs) : RADIUS * 8;
  const room = Math.max(2, Math.floor(width / TEXT_ROOM));
  return text.length > room ? `${text.slice(0, room - 1)}…` : text;
}

/**
 * What lies along a stroke: a line of its own kind and colour, and letters if there is more to tell.
 * @param {Place} place
 * @param {Piece[]} pieces
 * @param {string[]} texts
 * @param {string} tinted
 */
function strokeParts(place, pieces, texts, tinted) {
  const [[x1, y1], [x2, y2]] = place.points, ends = { x1: `${x1}`, y1: `${y1}`, x2: `${x2}`, y2: `${y2}` };
  const made = [drawn("line", { class: "reach", ...ends }), drawn("line", { class: `outline${tinted}`, ...ends })];
  if (pieces.length || texts.length) {
    const words = texts.join(", ");
    let stroke = strokeOf.get(words);
    if (stroke === undefined) strokeOf.set(words, stroke = STROKES[Math.min(strokeOf.size, STROKES.length - 1)]);
    const colour = pieces.length ? colourClass(pieces[0].colour) : "c-none";
    if (words) wordLegend.set(words, { stroke });
    made.push(drawn("line", { class: `held ${colour} ${stroke}`, ...ends }));
    if (stroke === "double") made.push(drawn("line", { class: "core", ...ends }));
  }
  const isPlain = pieces.length <= 1 && pieces.every((piece) => !piece.back && lettersOf(piece) === "");
  return isPlain ? made : [...made, ...tokens(pieces, ...place.at)];
}

/**
 * The lines between places, from the rim of what lies at one to that at the other, in the colour of what lies there.
 * @param {Record<string, Content[]>} contents
 */
function links(contents) {
  const at = new Map(board?.places.map((place) => [place.key, place.at]));
  /** @type {Set<string>} */
  const made = new Set();
  return Object.entries(contents).flatMap(([from, held]) => held.flatMap((content) => content.links.flatMap((to) => {
    const [x1, y1] = at.get(from) ?? [0, 0], [x2, y2] = at.get(to) ?? [x1, y1], length = Math.hypot(x2 - x1, y2 - y1);
    const pair = [from, to].sort().join(" ");
    if (made.has(pair) || length <= 2 * RADIUS) return [];
    made.add(pair);
    const dx = (x2 - x1) * RADIUS / length, dy = (y2 - y1) * RADIUS / length;
    const pieces = held.flatMap(({ cell }) => cell.kind === "pieces" ? cell.pieces : []);
    const ends = { x1: `${x1 + dx}`, y1: `${y1 + dy}`, x2: `${x2 - dx}`, y2: `${y2 - dy}` };
    return [drawn("line", { class: "rim", ...ends }), drawn("line", { class: `held ${colourClass(pieces[0]?.colour ?? "")}`, ...ends })];
  })));
}

/**
 * @param {Piece[]} pieces
 * @param {number} x
 * @param {number} y
 */
function tokens(pieces, x, y) {
  const rows = Math.ceil(pieces.length / TOKENS_IN_A_ROW);
  const size = pieces.length > 4 ? RADIUS * 0.6 : pieces.length > 1 ? RADIUS * 0.75 : RADIUS;
  return pieces.map((piece, index) => {
    const row = Math.floor(index / TOKENS_IN_A_ROW);
    const inRow = Math.min(TOKENS_IN_A_ROW, pieces.length - row * TOKENS_IN_A_ROW);
    const dx = ((index % TOKENS_IN_A_ROW) - (inRow - 1) / 2) * size * 1.7, dy = (row - (rows - 1) / 2) * size * 1.8;
    const letters = lettersOf(piece);
    pieceLegend.set(`${piece.type} ${letters}`, { piece, letters });
    return drawn("g", { class: "piece-token", "data-piece": likeness(piece) }, ...token(piece, x + dx, y + dy, letters, size));
  });
}

/**
 * What pieces have in common that look the same.
 * @param {Piece} piece
 */
function likeness(piece) {
  return JSON.stringify([piece.type, piece.text, piece.owner, piece.colour, piece.back, piece.count]);
}

/**
 * @param {Piece} piece
 * @param {number} x
 * @param {number} y
 * @param {string} letters
 */
function token(piece, x, y, letters, size = RADIUS) {
  const colour = `${colourClass(piece.colour)}${piece.back ? " back" : ""}`;
  if (piece.sign && !piece.back && piece.count === 1) {
    const sign = label(piece.sign + (piece.attached.length ? "+" : ""), x, y, `man ${colour}`);
    sign.setAttribute("font-size", `${size * 2.5}`);
    return [sign];
  }
  const body = outline(shapeOf(piece), x, y, size);
  body.setAttribute("class", `token ${colour}`);
  const text = (piece.count > 1 ? `${piece.count}` : "") + (letters || piece.mark) + (piece.attached.length ? "+" : "");
  const sign = label(text, x, y, `letters ${colour}`);
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

/**
 * Let pieces that lie somewhere else now come from where they lay.
 * @param {Record<string, Content[]>} before
 * @param {Record<string, Content[]>} now
 */
function animate(before, now) {
  const at = new Map(board?.places.map((place) => [place.key, place.at]));
  const gone = changes(before, now), come = changes(now, before);
  for (const [piece, places] of come) {
    const from = gone.get(piece) ?? [];
    places.slice(0, from.length).forEach((place, index) => {
      const [x, y] = at.get(place) ?? [0, 0], [fromX, fromY] = at.get(from[index]) ?? [x, y];
      const tokens = [...(groups.get(place)?.querySelectorAll(".piece-token") ?? [])];
      const token = tokens.findLast((each) => each.getAttribute("data-piece") === piece);
      if (token === undefined) return;
      const flying = /** @type {Element} */ (token.cloneNode(true)); // above everything else on its way
      byId("picture").firstElementChild?.append(flying);
      token.classList.add("away");
      flying.animate(
        [{ transform: `translate(${fromX - x}px, ${fromY - y}px)` }, { transform: "none" }],
        { duration: MILLISECONDS, easing: "ease-in-out" },
      ).finished.finally(() => {
        flying.remove();
        token.classList.remove("away");
      });
    });
  }
}

/**
 * The places at which pieces of a likeness lie in one position and not, or fewer, in the other.
 * @param {Record<string, Content[]>} one
 * @param {Record<string, Content[]>} other
 */
function changes(one, other) {
  const counted = (/** @type {Content[] | undefined} */ held) => {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { cell } of held ?? []) {
      for (const piece of cell.kind === "pieces" ? cell.pieces : []) counts.set(likeness(piece), (counts.get(likeness(piece)) ?? 0) + 1);
    }
    return counts;
  };
  /** @type {Map<string, string[]>} */
  const places = new Map();
  for (const [place, held] of Object.entries(one)) {
    const there = counted(other[place]);
    for (const [piece, count] of counted(held)) {
      if (count > (there.get(piece) ?? 0)) places.set(piece, [...(places.get(piece) ?? []), place]);
    }
  }
  return places;
}
