// The editor: one file at a time, with what is wrong in it, and the results of its examples in the margin.

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  EditorView, GutterMarker, crosshairCursor, drawSelection, dropCursor, gutter, highlightActiveLine,
  highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers,
} from "@codemirror/view";
import { element } from "../../page/elements.js";
import { rulesLanguage } from "./language.js";

/** @typedef {import("./messages").ShownDiagnostic} Diagnostic */
/** @typedef {import("./messages").ShownExample} Example */
/** @typedef {import("./messages").Fix} Fix */

/** @type {import("@codemirror/state").StateEffectType<Example[]>} */
const examplesRun = StateEffect.define();

class Result extends GutterMarker {
  /** @param {Example} example */
  constructor(example) {
    super();
    this.example = example;
  }

  /** @param {Result} other */
  eq(other) {
    return JSON.stringify(this.example) === JSON.stringify(other.example);
  }

  toDOM() {
    const { passed, title, failures } = this.example;
    const words = passed ? `${title}: passes` : `${title}: fails\n${failures.join("\n")}`;
    return element("span", { class: passed ? "passes" : "fails", title: words, role: "img", "aria-label": words }, passed ? "✓" : "✗");
  }
}

/** @type {StateField<RangeSet<GutterMarker>>} */
const results = StateField.define({
  create: () => RangeSet.empty,
  update(markers, transaction) {
    markers = markers.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(examplesRun)) continue;
      const { doc } = transaction.state;
      const ofLines = effect.value.filter(({ line }) => line <= doc.lines).sort((first, second) => first.line - second.line);
      markers = RangeSet.of(ofLines.map((example) => new Result(example).range(doc.line(example.line).from)));
    }
    return markers;
  },
});

/** @param {Diagnostic} diagnostic */
export function inWords(diagnostic) {
  return [diagnostic.message, ...diagnostic.helps.map((help) => `help: ${help}`)].join("\n");
}

/**
 * @param {Fix} fix
 * @param {string} text  that of the file
 */
export function fixInWords(fix, text) {
  const old = text.slice(fix.range.start, fix.range.end);
  const brief = (/** @type {string} */ words) => (words.length > 40 ? `${words.slice(0, 38)} …` : words).replaceAll("\n", "⏎");
  if (!fix.text) return `Remove “${brief(old)}”`;
  return old ? `Replace “${brief(old)}” by “${brief(fix.text)}”` : `Insert “${brief(fix.text)}”`;
}

export class Editor {
  /** @type {Map<string, EditorState>} the states of the files that are not shown now */
  #states = new Map();
  #path = "";

  /**
   * @param {HTMLElement} host
   * @param {{changed: (path: string, text: string) => void, save: () => void, fix: (fix: Fix) => void}} uses
   */
  constructor(host, uses) {
    this.uses = uses;
    const root = host.attachShadow({ mode: "open" }); // there the styles of the editor need no exception from the policy
    const parent = element("div", { class: "host" });
    parent.style.height = "100%";
    root.append(parent);
    this.view = new EditorView({ parent, root, state: this.#state("") });
    this.view.scrollDOM.tabIndex = 0; // some browsers scroll by keyboard only what can have the focus
  }

  /** @param {string} text */
  #state(text) {
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), gutter({ class: "cm-results", markers: (view) => view.state.field(results), initialSpacer: () => new Result({ title: "", file: "", line: 1, passed: true, failures: [] }) }),
        lintGutter(), results, highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), dropCursor(),
        bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), crosshairCursor(), search({ top: true }),
        EditorView.scrollMargins.of(() => ({ top: 90 })), // what is said about a line appears above it
        indentUnit.of("    "), EditorState.tabSize.of(4), rulesLanguage, appearance, EditorView.contentAttributes.of({ "aria-label": "rules" }),
        keymap.of([
          { key: "Mod-s", run: () => (this.uses.save(), true), preventDefault: true },
          { key: "Mod-.", run: () => this.#fixHere() },
          { key: "Mod-]", run: indentMore }, { key: "Mod-[", run: indentLess }, // Tab leaves the editor, as elsewhere on the page
          ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.uses.changed(this.#path, update.state.doc.toString());
        }),
      ],
    });
  }

  /** Correct the mistake at the cursor. */
  #fixHere() {
    const at = this.view.state.selection.main.head;
    /** @type {import("@codemirror/lint").Action | undefined} */
    let action;
    forEachDiagnostic(this.view.state, (diagnostic, from, to) => {
      if (from <= at && at <= to) action ??= diagnostic.actions?.[0];
    });
    action?.apply(this.view, at, at);
    return action !== undefined;
  }

  /** Forget all files. */
  clear() {
    this.#states.clear();
    this.#path = "";
  }

  /**
   * Show a file, with the history of its changes.
   * @param {string} path
   * @param {string} text
   */
  show(path, text) {
    if (this.#path) this.#states.set(this.#path, this.view.state);
    this.#path = path;
    const earlier = this.#states.get(path);
    this.view.setState(earlier?.doc.toString() === text ? earlier : this.#state(text));
  }

  /**
   * Change a part of the file that is shown.
   * @param {number} from
   * @param {number} to
   * @param {string} text
   */
  replace(from, to, text) {
    this.view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length }, scrollIntoView: true });
  }

  /** @param {Diagnostic[]} diagnostics  those of the file that is shown */
  showDiagnostics(diagnostics) {
    const { length } = this.view.state.doc, text = this.view.state.doc.toString();
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics.filter(({ range }) => range.end <= length).map((diagnostic) => ({
      from: diagnostic.range.start,
      to: diagnostic.range.end,
      severity: diagnostic.severity,
      source: diagnostic.code,
      message: inWords(diagnostic),
      actions: diagnostic.fixes.map((fix) => ({ name: fixInWords(fix, text), apply: () => this.uses.fix(fix) })),
    }))));
  }

  /** @param {Example[]} examples  those of the file that is shown */
  showExamples(examples) {
    this.view.dispatch({ effects: examplesRun.of(examples) });
  }

  /** @param {number} position  in characters */
  goTo(position) {
    const at = Math.min(position, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  /** @param {number} line */
  goToLine(line) {
    this.goTo(this.view.state.doc.line(Math.min(line, this.view.state.doc.lines)).from);
  }
}

const appearance = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", color: "var(--ink)", backgroundColor: "var(--panel)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'Cascadia Code', Menlo, Consolas, monospace", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--quiet)", borderRight: "1px solid var(--edge)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 14%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent) !important" },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--accent) 18%, transparent)" },
  ".cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent) !important" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--edge)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "36rem" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--accent-ink)", fontSize: "13px" },
  ".cm-button, .cm-textfield": { backgroundImage: "none", backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--edge)" },
  ".passes": { color: "var(--good)" }, ".fails": { color: "var(--warn)", fontWeight: "bold" },
  ".cm-results": { width: "1.1em", textAlign: "center" },
});
