"use strict";
// The data of the page, unpacked: the events in order, each with its location in the rules and the resulting state.

const data = JSON.parse(document.getElementById("data").textContent);

/** A text of the page in its language; it is written in English as one literal, so that a catalogue can have it. */
function phrase(text, values = {}) {
  return (data.phrases[text] || text).replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

const OWN_HEADLINE = ["decision", "setup"]; // kinds of events that, if first in a segment, its headline represents
const events = [];
const starts = data.segments.map((segment, ply) => {
  const first = events.length;
  for (let at = 0; at < segment.events.length; at += 4) {
    const [number, depth, state, names] = segment.events.slice(at, at + 4);
    const [kind, text, seat, place, verdict, values, cites, what] = data.records[number];
    events.push({
      ply, number: at / 4 + 1, kind, text: data.words[text], seat, place, verdict, values: data.sights[values], cites,
      what, depth, state, names: data.sights[names],
    });
  }
  return first;
});
const lastPly = starts.length - 1;

function count(ply) {
  return (ply < lastPly ? starts[ply + 1] : events.length) - starts[ply];
}

// ---- locations in the rules

/** This event, or the nearest earlier one of its segment, with a location in the rules; null if there is none. */
function nearestLocated(index) {
  for (let at = index; at >= starts[events[index].ply]; at--) if (events[at].place >= 0) return events[at];
  return null;
}

function lineOf(event) {
  const [file, line, from, to] = data.places[event.place];
  return { file, line, from, to };
}

function isOn(event, file, line) {
  return event.place >= 0 && data.places[event.place][0] === file && data.places[event.place][1] === line;
}

// ---- states: tables, the board, and the contents of each place

/** A function from a state to its list of numbers, unpacked from the changes between states. */
function unpacked(steps) {
  const known = [];
  return (state) => {
    while (known.length <= state) {
      const before = known.length ? known[known.length - 1] : [], [length, kept, ...runs] = steps[known.length];
      const list = kept
        ? [...before.slice(0, length - kept), ...before.slice(before.length - kept)]
        : before.slice(0, length);
      for (let at = 0; at < runs.length; at += 2 + runs[at + 1]) {
        for (let one = 0; one < runs[at + 1]; one++) list[runs[at] + one] = runs[at + 2 + one];
      }
      known.push(list);
    }
    return known[state];
  };
}

const tableRows = unpacked(data.tables.steps);
const looksAt = data.board ? unpacked(data.board.steps) : null;

/** The contents of a place or note in a state, in words. */
function content(name, state) {
  const history = data.contents[name];
  let low = 0, high = history.length / 2 - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (history[2 * middle] <= state) low = middle;
    else high = middle - 1;
  }
  return data.words[history[2 * low + 1]];
}

/** The differences between two states: [name, before, after]. */
function differences(one, other) {
  return Object.keys(data.contents)
    .map((name) => [name, content(name, one), content(name, other)])
    .filter(([, before, after]) => before !== after);
}

// ---- steps; null if there is no further event

function shallower(index, depth) {
  for (let at = index + 1; at < events.length; at++) if (events[at].depth <= Math.max(depth, 0)) return at;
  return null;
}

const steps = {
  into: (index) => (index + 1 < events.length ? index + 1 : null),
  over: (index) => shallower(index, events[index].depth),
  out: (index) => shallower(index, events[index].depth - 1),
  back: (index) => (index > 0 ? index - 1 : null),
  next: (index) => (events[index].ply < lastPly ? starts[events[index].ply + 1] : null),
  previous: (index) => {
    const { ply } = events[index];
    return index > starts[ply] ? starts[ply] : ply > 0 ? starts[ply - 1] : null;
  },
  first: () => 0,
  last: () => events.length - 1,
};

const ENDS = {
  into: phrase("this is the last event"),
  over: phrase("this is the last event"),
  out: phrase("no event encloses this one"),
  back: phrase("this is the beginning"),
  next: phrase("there is no later decision"),
  previous: phrase("there is no earlier decision"),
  first: phrase("this is the beginning"),
  last: phrase("this is the end"),
};

/** The index of the nearest event after (or before) an index that meets a test. */
function find(index, meets, back) {
  const by = back ? -1 : 1;
  for (let at = index + by; at >= 0 && at < events.length; at += by) if (meets(events[at])) return at;
  return null;
}

/** Whether `wanted` denotes a place or note: by its whole name, or without its index, which denotes every slot. */
function isCalled(name, wanted) {
  const plain = wanted.replaceAll(" ", "");
  return name.replaceAll(" ", "") === plain || name.split("[")[0] === plain;
}
