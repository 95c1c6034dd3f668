// Generated from web/workshop/messages.py.

/**
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "AuthorReceived".
 */
export type AuthorReceived = Write | Check | Complete | Hover | Test | Begin | Trace;
/**
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "AuthorSent".
 */
export type AuthorSent = Checked | Completions | Hovered | Tested | Begun | Changed | Traced | Done | Refused;

/**
 * Messages between the page of an author and the workshop
 */
export interface Messages {
  [k: string]: unknown;
}
/**
 * Begin a game at the table, with the decisions made before as far as they are legal now.
 *
 * `kinds` says who plays each seat, a person or a bot; `seed` is a whole number in words, empty for a new one.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Begin".
 */
export interface Begin {
  id: string;
  rules: string;
  variants?: string[];
  kind: "begin";
  kinds: {
    [k: string]: string;
  };
  options: {
    [k: string]: string;
  };
  seed?: string;
  decisions?: [string, string][];
}
/**
 * Check the rules with their examples.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Check".
 */
export interface Check {
  id: string;
  rules: string;
  variants?: string[];
  kind: "check";
}
/**
 * What can be written at an offset of the present text of a file, in units of UTF-16.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Complete".
 */
export interface Complete {
  id: string;
  rules: string;
  variants?: string[];
  kind: "complete";
  file: string;
  text: string;
  offset: number;
}
/**
 * What is known about the words at an offset of a file, as it was last checked.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Hover".
 */
export interface Hover {
  id: string;
  rules: string;
  variants?: string[];
  kind: "hover";
  file: string;
  offset: number;
}
/**
 * Run the examples. Another request for it ends this one.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Test".
 */
export interface Test {
  id: string;
  rules: string;
  variants?: string[];
  kind: "test";
}
/**
 * The trace of the game at the table, of its last `plies` decisions.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Trace".
 */
export interface Trace {
  id: string;
  kind: "trace";
  level: "moves" | "rules" | "requirements" | "everything";
  plies: number;
}
/**
 * Write files by path; None removes one.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Write".
 */
export interface Write {
  id: string;
  kind: "write";
  files: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^[^\s./\\:][^/\\:]*(/[^\s./\\:][^/\\:]*)*$".
     */
    [k: string]: string | null;
  };
}
/**
 * The reply to `begin`; `note` says which of the decisions made before could not be made again.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Begun".
 */
export interface Begun {
  id: string;
  title: string;
  seed: string;
  note: string;
  kind: "begun";
}
/**
 * What was decided at the table: from number `start` on, these are its decisions, by seat and notation.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Changed".
 */
export interface Changed {
  start: number;
  decisions: [string, string][];
  kind: "changed";
}
/**
 * The reply to `check`; `game` is None for rules that cannot be played.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Checked".
 */
export interface Checked {
  id: string;
  diagnostics: ShownDiagnostic[];
  game: Playable | null;
  kind: "checked";
}
/**
 * A diagnostic of the rules; `message` has its helps below it.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownDiagnostic".
 */
export interface ShownDiagnostic {
  code: string;
  severity: "error" | "warning";
  message: string;
  range: Range;
  related: ShownRelated[];
  fixes: ShownFix[];
}
/**
 * Characters of a file, counted in units of UTF-16, as scripts do.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Range".
 */
export interface Range {
  file: string;
  start: number;
  end: number;
}
/**
 * A message at another range that is part of a diagnostic.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownRelated".
 */
export interface ShownRelated {
  range: Range;
  text: string;
}
/**
 * A correction that can be applied as it is.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownFix".
 */
export interface ShownFix {
  title: string;
  edits: ShownEdit[];
}
/**
 * A text in place of some characters.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownEdit".
 */
export interface ShownEdit {
  range: Range;
  text: string;
}
/**
 * What can be chosen for a game of checked rules.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Playable".
 */
export interface Playable {
  title: string;
  seats: string[];
  counts: number[];
  options: OptionChoice[];
  bots: string[];
}
/**
 * An option of a game.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "OptionChoice".
 */
export interface OptionChoice {
  name: string;
  values: string[];
  default: string;
}
/**
 * The reply to `complete`.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Completions".
 */
export interface Completions {
  id: string;
  options: ShownCompletion[];
  kind: "completions";
}
/**
 * A text that can be written from `start` on; of a snippet, `text` has stops such as `${1:name}`.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownCompletion".
 */
export interface ShownCompletion {
  label: string;
  type: string;
  text: string;
  start: number;
  detail: string;
  documentation: string;
  rank: number;
  is_snippet: boolean;
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
 * The reply to `hover`: a text in Markdown about some characters, empty if nothing is known.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Hovered".
 */
export interface Hovered {
  id: string;
  text: string;
  start: number;
  end: number;
  kind: "hovered";
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
 * An event of the trace; `depth` indents it, `line` is 0 if no line of the rules has caused it.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownEvent".
 */
export interface ShownEvent {
  ply: number;
  depth: number;
  event: string;
  text: string;
  file: string;
  line: number;
  values: [string, string][];
  verdict: boolean | null;
}
/**
 * The result of an example; `file` and `line` say where it is, `failures` what failed and where.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "ShownExample".
 */
export interface ShownExample {
  title: string;
  file: string;
  line: number;
  passed: boolean;
  failures: string[];
}
/**
 * The reply to `test`.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Tested".
 */
export interface Tested {
  id: string;
  examples: ShownExample[];
  kind: "tested";
}
/**
 * The reply to `trace`.
 *
 * This interface was referenced by `Messages`'s JSON-Schema
 * via the `definition` "Traced".
 */
export interface Traced {
  id: string;
  first: number;
  plies: number;
  events: ShownEvent[];
  kind: "traced";
}
