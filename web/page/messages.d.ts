// Generated from web/messages.schema.json.

/**
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Received".
 */
export type Received = Join | Ask | Play | Why | Rules | Hint | Know | Trace | Undo | Consent;
/**
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Sent".
 */
export type Sent = Welcome | Position | Asked | Told | Done | Refused | Note;

/**
 * Messages between a page and its session
 */
export interface Messages {
  [k: string]: unknown;
}
/**
 * The moves that are about a value, such as a place of the board.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "About".
 */
export interface About {
  about: string;
}
/**
 * How the pending question goes on after some answers.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Ask".
 */
export interface Ask {
  id: string;
  kind: "ask";
  number: number;
  /**
   * @maxItems 32
   */
  path: (Take | About | Match)[];
}
/**
 * The answer to a step of a question: its candidate with this number.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Take".
 */
export interface Take {
  take: number;
}
/**
 * The moves that match some words.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Match".
 */
export interface Match {
  words: string;
}
/**
 * The answer to somebody who asks to undo; who has asked withdraws by not agreeing.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Consent".
 */
export interface Consent {
  id: string;
  kind: "consent";
  agree: boolean;
}
/**
 * The best moves, found by a search that knows what the seat knows.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Hint".
 */
export interface Hint {
  id: string;
  kind: "hint";
}
/**
 * The first message: who is at the page, by a secret; the language that the person would like best.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Join".
 */
export interface Join {
  kind: "join";
  token: string;
  language?: string | null;
}
/**
 * What the seat can infer about what it does not see: at once, or all that can be found out in some seconds.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Know".
 */
export interface Know {
  id: string;
  kind: "know";
  thorough?: boolean;
}
/**
 * Make a move: at decision `number`, so that a message sent twice counts once.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Play".
 */
export interface Play {
  id: string;
  kind: "play";
  number: number;
  notation: string;
}
/**
 * The rules of the game, in short.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Rules".
 */
export interface Rules {
  id: string;
  kind: "rules";
}
/**
 * What the rules did at a decision, by its number as the person counts them; by default at the last one.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Trace".
 */
export interface Trace {
  id: string;
  kind: "trace";
  ply?: number | null;
}
/**
 * Go back to the seat's own last decision.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Undo".
 */
export interface Undo {
  id: string;
  kind: "undo";
}
/**
 * Why a move is legal or not, or how a value came about; `about` a thing, such as a card, why it can be chosen.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Why".
 */
export interface Why {
  id: string;
  kind: "why";
  text: string;
  about?: boolean;
}
/**
 * The reply to `ask`.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Asked".
 */
export interface Asked {
  id: string;
  step: Step;
  kind: "asked";
}
/**
 * A step of the pending question: what is asked, the answers so far, and the possible ones or the chosen move.
 *
 * `label` has the parts of what all moves have in common, None for a part that is open; `part` is the one asked for.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Step".
 */
export interface Step {
  asked: "move" | "action" | "value";
  answers: string[];
  label: (string | null)[];
  part: number | null;
  candidates: Candidate[];
  move: ChosenMove | null;
}
/**
 * A possible answer: its words, the names of the places and other values in it, and how many moves it leaves.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Candidate".
 */
export interface Candidate {
  words: string;
  names: string[];
  moves: number;
}
/**
 * The move that is left: how it is written, and its effects as far as they can be told beforehand.
 *
 * `names` are those of the places and other values that it is about.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ChosenMove".
 */
export interface ChosenMove {
  notation: string;
  label: string;
  effects: string[];
  names: string[];
}
/**
 * What a table says about a place of the board: a heading, and a cell that is not empty.
 *
 * `tint` is the colour of a value that divides the whole board into few regions, empty for others. `links` are the
 * keys of places: lines that lead there say the same as the cell.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Content".
 */
export interface Content {
  heading: string;
  cell: TextCell | PieceCell | ListCell;
  tint: string;
  links: string[];
}
/**
 * A value in words; `seat` if it is one, with the `mark` of its pieces; `sign` if the game has a glyph for it.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "TextCell".
 */
export interface TextCell {
  text: string;
  seat: string | null;
  mark: string;
  sign: string;
  kind: "text";
}
/**
 * Pieces, as they lie.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "PieceCell".
 */
export interface PieceCell {
  pieces: ShownPiece[];
  order: "heap" | "one" | "row" | "stack";
  kind: "pieces";
}
/**
 * A piece, or `count` equal ones in a heap.
 *
 * `name` is its name in the rules, by which it can be asked about; empty if it is not known. `text` is in the plural
 * if there are several, `one` never: it tells which pieces are alike. `colour` is a word that
 * the rules use for it, or else that of its owner; empty if it has none. `sign` is one that everybody knows, such as
 * that of a suit, empty if there is none. `mark` tells whose it is where colours do not suffice, empty elsewhere.
 * `back`: only its owner is known, if that.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownPiece".
 */
export interface ShownPiece {
  name: string;
  text: string;
  one: string;
  sign: string;
  mark: string;
  type: string;
  owner: string | null;
  colour: string;
  back: boolean;
  notes: string;
  attached: ShownPiece[];
  count: number;
}
/**
 * Several members, each with a value in words.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ListCell".
 */
export interface ListCell {
  entries: [TextCell | PieceCell, string][];
  kind: "list";
}
/**
 * The reply to what was done; the position follows.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Done".
 */
export interface Done {
  id: string;
  kind: "done";
}
/**
 * An entry of the log; `details` say what it has changed beyond its words.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "LogLine".
 */
export interface LogLine {
  number: number;
  seat: string | null;
  text: string;
  details: string[];
}
/**
 * The log from an entry on; what the page has from there on is replaced.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "LogPart".
 */
export interface LogPart {
  start: number;
  entries: LogLine[];
}
/**
 * Something that a person is to hear, such as that an undo was refused.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Note".
 */
export interface Note {
  text: string;
  kind: "note";
}
/**
 * The table as the seat sees it; `number` is how many decisions it knows of.
 *
 * `board` is left out where the page has it already. `waiting` says whom the table waits for, `asks` who asks this
 * seat to agree to an undo, `asked` whom this seat has asked, which it can withdraw. `moved` are the places of the
 * board that the last decision changed.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Position".
 */
export interface Position {
  number: number;
  scene: Scene;
  board: ShownBoard | null;
  log: LogPart;
  question: Question | null;
  waiting: string;
  may_undo: boolean;
  asks: string;
  asked: string;
  clocks: ShownClock[];
  moved: string[];
  kind: "position";
}
/**
 * A position as a seat sees it, without the outlines of the board.
 *
 * `contents` are those of the board, by the keys of places; `own` is what only this seat sees, to be kept in sight.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Scene".
 */
export interface Scene {
  phase: string;
  turn: string | null;
  tables: ShownTable[];
  contents: {
    [k: string]: Content[];
  };
  own: Content[];
  result: ShownResult | null;
}
/**
 * A table that is not drawn on the board.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownTable".
 */
export interface ShownTable {
  title: string;
  headings: string[];
  rows: (TextCell | PieceCell | ListCell)[][];
}
/**
 * The end of a game: the result in words, and the places of the seats, the best first.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownResult".
 */
export interface ShownResult {
  text: string;
  ranking: [string, number, number[]][];
  criteria: string[];
}
/**
 * The board without its contents, which stays the same as long as the same places are shown.
 *
 * `seams` are the lines between `blocks` of places.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownBoard".
 */
export interface ShownBoard {
  name: string;
  places: ShownPlace[];
  captions: [string, [number, number]][];
  seams: [[number, number], [number, number]][];
  blocks: ShownBlock[];
}
/**
 * A place of the board as it is drawn; `points` are the corners of an area or a tile, the ends of a stroke.
 *
 * `id` is its name in the rules, `key` one that no other place has: those of another grid or copy may have the same.
 * `tint` is the colour of the group it belongs to and `region` its name, empty if it is in none; `holds` is true if
 * anything can lie there.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownPlace".
 */
export interface ShownPlace {
  key: string;
  id: string;
  kind: ("area" | "stroke" | "node") | "tile";
  name: string;
  mark: string;
  tint: string;
  region: string;
  holds: boolean;
  /**
   * @minItems 2
   * @maxItems 2
   */
  at: [number, number];
  points: [number, number][];
}
/**
 * A block of places, which is a rectangle from `start` to `end`; `places` are the names of those in the rules.
 *
 * `key` is that of what tables say about it, empty if none is about blocks.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownBlock".
 */
export interface ShownBlock {
  key: string;
  id: string;
  name: string;
  places: string[];
  /**
   * @minItems 2
   * @maxItems 2
   */
  start: [number, number];
  /**
   * @minItems 2
   * @maxItems 2
   */
  end: [number, number];
}
/**
 * The pending question, if it is the seat's own: its words and its first step.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Question".
 */
export interface Question {
  text: string;
  step: Step;
}
/**
 * The clock of a seat: how many seconds are left, and whether it runs. It is the same for all pages.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownClock".
 */
export interface ShownClock {
  seat: string;
  seconds: number;
  runs: boolean;
}
/**
 * The reply to what was not done, with the reason; without `id`, the connection ends.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Refused".
 */
export interface Refused {
  id: string;
  reason: string;
  kind: "refused";
}
/**
 * A seat: its name for programs and for people, its colour, and the letters that mark its pieces.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownSeat".
 */
export interface ShownSeat {
  seat: string;
  name: string;
  colour: string;
  letters: string;
}
/**
 * The reply to a question for information: a table if there is one, then line by line; `depth` indents a line.
 *
 * `decision` is the number of the one it is about, with how many there are, None for other questions. Of an
 * `estimate` there is more to be found out, if the question is asked more thoroughly.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Told".
 */
export interface Told {
  id: string;
  title: string;
  lines: [number, string][];
  table: ShownTable | null;
  decision: [number, number] | null;
  estimate: boolean;
  kind: "told";
}
/**
 * What does not change at a table: the game, its seats, whose page this is, and the words of the page itself.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Welcome".
 */
export interface Welcome {
  game: string;
  title: string;
  seats: ShownSeat[];
  seat: string | null;
  players: {
    [k: string]: string;
  };
  language: string;
  languages: string[];
  phrases: {
    [k: string]: string;
  };
  kind: "welcome";
}
