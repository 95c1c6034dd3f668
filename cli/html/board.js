// The board: the outlines of its places, drawn once, and their contents, redrawn where they have changed.

const SVG = byId("picture").namespaceURI;
const LINE = 15, LETTER = 7.6, ROOM = 46; // height of a line, width of a letter, space around the outermost places
const WEIGHTS = ["dotted", "light", "heavy", "double"];
const spots = []; // the group, outline and texts of each place
let looksShown = [];

function drawn(tag, attributes, ...inside) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

function outlineOf({ kind, at, points }) {
  if (kind === "area") return drawn("polygon", { class: "area", points: points.map((one) => one.join(",")).join(" ") });
  if (kind === "stroke") {
    const [[x1, y1], [x2, y2]] = points;
    return drawn("line", { class: "stroke", x1, y1, x2, y2 });
  }
  return drawn("circle", { class: "node", cx: at[0], cy: at[1], r: 4 });
}

function drawBoard() {
  const { places, captions, seams } = data.board, picture = byId("picture");
  const points = [...places.flatMap(({ at, points: corners }) => [at, ...corners]), ...captions.map(([, x, y]) => [x - 30, y])];
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const left = Math.min(...xs) - ROOM, top = Math.min(...ys) - ROOM / 2;
  const width = Math.max(...xs) + ROOM - left, height = Math.max(...ys) + ROOM / 2 - top;
  picture.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  picture.style.setProperty("--natural", `${Math.round(width)}px`);
  const order = ["area", "stroke", "node"], outlines = new Map(order.map((kind) => [kind, drawn("g", {})]));
  const texts = drawn("g", {});
  for (const place of places) {
    const outline = outlineOf(place), text = drawn("text", {}), title = drawn("title", {});
    const group = drawn("g", {}, title, outline);
    outlines.get(place.kind).append(group);
    texts.append(text);
    spots.push({ place, group, outline, text, title });
  }
  const words = captions.map(([text, x, y]) => drawn("text", { class: "caption", x, y: y + 4, "text-anchor": "end" }, text));
  const lines = seams.map(([[x1, y1], [x2, y2]]) => drawn("line", { class: "seam", x1, y1, x2, y2 }));
  picture.append(...order.map((kind) => outlines.get(kind)), drawn("g", {}, ...lines, ...words), texts);
  byId("legend").append(...data.board.legend.map((line) => made("div", "", ...inked(data.lines[line]))));
  byId("board-name").textContent = data.board.name;
  byId("board").hidden = false;
  byId("board-words").addEventListener("toggle", () => describe(looksShown));
}

/** Texts packed into a few lines around a point, none much longer than `most` letters. */
function packed(lines, most) {
  const found = [];
  let length = 0;
  for (const line of lines) {
    const own = textOf(line).length;
    if (found.length && length + own + 1 <= most) {
      found[found.length - 1].push(line);
      length += own + 1;
    } else {
      found.push([line]);
      length = own;
    }
  }
  return found;
}

function write(text, [x, y], lines) {
  const rows = packed(lines, 8);
  const parts = rows.flatMap((row, number) => row.flatMap((line, place) => {
    const runs = data.lines[line], spans = [];
    for (let at = 0; at < runs.length; at += 2) {
      const begins = at === 0 && place === 0;
      const where = begins ? { x, y: y + 4.5 + (number - (rows.length - 1) / 2) * LINE } : {};
      const gap = at === 0 && place > 0 ? "\u00a0" : "";
      spans.push(drawn("tspan", { ...where, class: runs[at + 1] ? `s${runs[at + 1]}` : "" }, gap + runs[at]));
    }
    return spans;
  }));
  text.replaceChildren(...parts);
}

function showPlace(spot, look) {
  const [lines, weight, style, words] = data.board.looks[look], { place, outline, text, title } = spot;
  title.textContent = words ? `${place.name}: ${words}` : place.name;
  write(text, place.at, lines);
  if (place.kind === "stroke") outline.setAttribute("class", `stroke ${WEIGHTS[weight] || "light"}${style ? ` s${style}` : ""}`);
  if (place.kind === "node") outline.setAttribute("r", lines.length ? 2 : 4);
}

function showBoard(state) {
  if (!looksAt) return;
  if (!spots.length) drawBoard();
  const looks = looksAt(state);
  spots.forEach((spot, place) => {
    if (!(place in looksShown) || looks[place] !== looksShown[place]) showPlace(spot, looks[place] || 0);
  });
  looksShown = spots.map((_, place) => looks[place] || 0);
  describe(looksShown);
}

/** The board in words, for people who cannot see the drawing. */
function describe(looks) {
  const filled = spots.map(({ place }, number) => [place.name, data.board.looks[looks[number]][3]]).filter(([, words]) => words);
  byId("picture-title").textContent = phrase("{board}: {number} of {places} places hold something",
    { board: data.board.name, number: filled.length, places: spots.length });
  if (!byId("board-words").open) return;
  byId("board-list").replaceChildren(...filled.map(([name, words]) => made("li", "", made("b", "", name), `: ${words}`)));
}
