// The bar below the title: a slider over the decisions, autoplay, and the scores as a chart.

const EVERY = 1200; // milliseconds between decisions during autoplay
let playing = null;

function play() {
  if (playing === null && events[here].ply >= lastPly) go(starts[0]);
  if (playing === null) playing = setInterval(() => go(steps.next(here)) || events[here].ply < lastPly || pause(), EVERY);
  else pause();
  showPlaying();
}

function pause() {
  clearInterval(playing);
  playing = null;
  showPlaying();
}

function showPlaying() {
  byId("play").textContent = playing === null ? `▶ ${phrase("play")}` : `❚❚ ${phrase("pause")}`;
}

function showTimeline() {
  const { ply } = events[here], slider = byId("slider");
  slider.value = ply;
  slider.setAttribute("aria-valuetext", phrase("decision {decision} of {decisions}: {text}",
    { decision: ply, decisions: lastPly, text: data.words[data.segments[ply].head] }));
  const cursor = document.getElementById("chart-cursor");
  if (cursor) {
    cursor.setAttribute("x1", ply);
    cursor.setAttribute("x2", ply);
    byId("score-now").replaceChildren(...scored(ply));
  }
}

/** The score of every seat after a decision. */
function scored(ply) {
  return [`${data.score}: `, ...data.players.flatMap(([name, style], seat) => {
    const score = data.scores[ply][seat];
    return [made("span", `s${style}`, `${name} ${score === null ? "?" : score}`), " "];
  })];
}

const DASHES = ["", "6 3", "2 3", "8 3 2 3", "1 4", "10 4"];

/** Draw a line for each seat, with gaps where the score is unknown. */
function drawChart() {
  const known = data.scores.flat().filter((score) => score !== null);
  if (!known.length || lastPly < 1) return;
  const low = Math.min(0, ...known), high = Math.max(low + 1, ...known), chart = byId("chart");
  chart.setAttribute("viewBox", `0 0 ${lastPly} ${high - low}`);
  const y = (score) => high - score;
  chart.append(...data.players.map(([, style], seat) => {
    let path = "", drawing = false;
    data.scores.forEach((scores, ply) => {
      if (scores[seat] === null) drawing = false;
      else {
        path += `${drawing ? "L" : "M"}${ply} ${y(scores[seat])}`;
        drawing = true;
      }
    });
    return drawn("path", { d: path, class: `score s${style}`, "stroke-dasharray": DASHES[seat % DASHES.length] });
  }));
  chart.append(drawn("line", { id: "chart-cursor", x1: 0, x2: 0, y1: 0, y2: high - low }));
  chart.addEventListener("click", (event) => {
    const box = chart.getBoundingClientRect();
    go(starts[Math.round(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * lastPly)]);
  });
  const scores = data.players.map(([name], seat) => `${name} ${data.scores[lastPly][seat] ?? phrase("unknown")}`);
  byId("chart-title").textContent = phrase("{score}, from {low} to {high}, over {decisions} decisions; at the end {scores}",
    { score: data.score, low, high, decisions: lastPly, scores: scores.join(", ") });
  byId("scores").hidden = false;
}

/** Change the size of the text; everything on the page scales with it. */
function zoom(by) {
  const now = parseFloat(document.documentElement.style.fontSize || "100");
  document.documentElement.style.fontSize = `${Math.min(250, Math.max(60, now + by))}%`;
  refit();
}

function beginTimeline() {
  const slider = byId("slider");
  slider.max = lastPly;
  slider.addEventListener("input", () => {
    if (playing !== null) pause();
    go(starts[Number(slider.value)]);
  });
  byId("play").addEventListener("click", play);
  byId("smaller").addEventListener("click", () => zoom(-15));
  byId("larger").addEventListener("click", () => zoom(15));
  showPlaying();
  drawChart();
}
