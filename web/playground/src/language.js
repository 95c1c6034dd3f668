// The colours of rules: keywords are those of the grammar.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import keywords from "../generated/keywords.json";

const KEYWORDS = new Set(keywords);

/** @typedef {{inText: boolean}} State  `inText`: within quotation marks, where names stand in braces */

/** @type {StreamLanguage<State>} */
const rules = StreamLanguage.define({
  startState: () => /** @type {State} */ ({ inText: false }),
  token(stream, state) {
    if (state.inText) {
      if (stream.sol()) state.inText = false; // a text ends with its line
      else if (stream.match(/^\{[^}"]*\}/)) return "variableName.special";
      else if (stream.match(/^[^"{]+/) || stream.match("{")) return "string";
      else if (stream.match('"')) {
        state.inText = false;
        return "string";
      }
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^==+[ \t]*[A-Za-z_]+[ \t]*==+/)) return "heading";
    if (stream.match(/^\[[A-Z][A-Z0-9 \ta-z-]*\]/)) return "meta";
    if (stream.match('"')) {
      state.inText = true;
      return "string";
    }
    if (stream.match(/^\d+/)) return "number";
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (Array.isArray(word)) return KEYWORDS.has(word[0]) ? "keyword" : /^[A-Z]/.test(word[0]) ? "typeName" : null;
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" }, indentOnInput: /^\s*(?:else|when|then)$/ },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.string, color: "var(--code-text)" },
  { tag: tags.special(tags.variableName), color: "var(--code-name)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.heading, color: "var(--ink)", fontWeight: "bold" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.typeName, color: "var(--code-name)" },
  { tag: tags.meta, color: "var(--quiet)" },
]);

/** What colours the rules of games. */
export const rulesLanguage = [rules, syntaxHighlighting(colours)];
