// The editor: one file at a time, with what is wrong in it, and the results of its examples in the margin.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { forEachDiagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  EditorView, GutterMarker, drawSelection, dropCursor, gutter, highlightActiveLine,
  highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
import { element, phrase } from "../../page/elements.js";
import { rulesLanguage } from "./language.js";

/** @typedef {import("./messages").ShownDiagnostic} Diagnostic */
/** @typedef {import("./messages").ShownExample} Example */
/** @typedef {import("./messages").ShownFix} Fix */
/** @typedef {import("./messages").ShownCompletion} Completion */
/** @typedef {import("./messages").Hovered} Hovered */

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
    const words = passed ? `${title}: ${phrase("passes")}` : `${title}: ${phrase("fails")}\n${failures.join("\n")}`;
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

export class Editor {
  /** @type {Map<string, EditorState>} the states of the files that are not shown now */
  #states = new Map();
  #path = "";

  /**
   * @param {HTMLElement} host
   * @param {{changed: (path: string, text: string) => void, save: () => void, fix: (fix: Fix) => void, complete: (text: string, offset: number) => Promise<Completion[]>, hover: (offset: number) => Promise<Hovered | null>}} uses
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
        autocompletion({ override: [(context) => this.#complete(context)] }), hoverTooltip((_, position) => this.#hover(position)),
        bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), search({ top: true }),
        EditorView.scrollMargins.of(() => ({ top: 90 })), // what is said about a line appears above it
        indentUnit.of("    "), EditorState.tabSize.of(4), rulesLanguage, appearance, EditorState.phrases.of(words()), EditorView.contentAttributes.of({ "aria-label": phrase("Rules") }),
        keymap.of([
          { key: "Mod-s", run: () => (this.uses.save(), true), preventDefault: true },
          { key: "Mod-.", run: () => this.#fixHere() },
          { key: "Mod-]", run: indentMore }, { key: "Mod-[", run: indentLess }, // Tab leaves the editor, as elsewhere on the page
          ...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) this.uses.changed(this.#path, update.state.doc.toString());
        }),
      ],
    });
  }

  /**
   * @param {import("@codemirror/autocomplete").CompletionContext} context
   * @returns {Promise<import("@codemirror/autocomplete").CompletionResult | null>}
   */
  async #complete(context) {
    if (!context.explicit && !context.matchBefore(/[\w.]$/)) return null;
    const offered = await this.uses.complete(context.state.doc.toString(), context.pos);
    if (!offered.length || context.aborted) return null;
    const options = offered.map(({ label, type, text, detail, documentation, rank, is_snippet }) => ({
      label, type, detail, boost: -rank, ...(documentation ? { info: documentation } : {}),
      apply: is_snippet ? snippet(text.replaceAll("$0", "${}").replaceAll("${0:", "${9:")) : text,
    }));
    return { from: offered[0].start, options, validFor: /^\w*$/ };
  }

  /** @param {number} position */
  async #hover(position) {
    const known = await this.uses.hover(position);
    if (known === null) return null;
    return { pos: known.start, end: known.end, create: () => ({ dom: element("div", { class: "cm-known" }, known.text) }) };
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
    const { length } = this.view.state.doc;
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics.filter(({ range }) => range.end <= length).map((diagnostic) => ({
      from: diagnostic.range.start,
      to: diagnostic.range.end,
      severity: diagnostic.severity,
      source: diagnostic.code,
      message: diagnostic.message,
      actions: diagnostic.fixes.map((fix) => ({ name: fix.title, apply: () => this.uses.fix(fix) })),
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

/** What the editor itself says. */
function words() {
  return {
    "Find": phrase("Find"), "Replace": phrase("Replace"), "next": phrase("next"), "previous": phrase("previous"), "all": phrase("all"),
    "match case": phrase("match case"), "by word": phrase("by word"), "regexp": phrase("regexp"), "replace": phrase("replace"),
    "replace all": phrase("replace all"), "close": phrase("Close"), "Diagnostics": phrase("Problems"), "No diagnostics": phrase("No problems."),
    "Go to line": phrase("Go to line"), "go": phrase("go"), "Completions": phrase("What can be written"),
  };
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
  ".cm-known": { whiteSpace: "pre-wrap", maxWidth: "36rem", padding: ".3rem .5rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--accent-ink)" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--accent-ink)", fontSize: "13px" },
  ".cm-button, .cm-textfield": { backgroundImage: "none", backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--edge)" },
  ".passes": { color: "var(--good)" }, ".fails": { color: "var(--warn)", fontWeight: "bold" },
  ".cm-results": { width: "1.1em", textAlign: "center" },
});
