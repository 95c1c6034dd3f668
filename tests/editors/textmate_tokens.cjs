// Colours lines of standard input by a TextMate grammar, as editors do; prints [text, scope] of each token, line by line.

const fs = require("node:fs");
const path = require("node:path");
const oniguruma = require("vscode-oniguruma");
const { Registry, parseRawGrammar, INITIAL } = require("vscode-textmate");

const file = process.argv[2];

async function main() {
    const wasm = path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm");
    await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
    const library = Promise.resolve({
        createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
        createOnigString: (text) => new oniguruma.OnigString(text),
    });
    const loadGrammar = async () => parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    const grammar = await new Registry({ onigLib: library, loadGrammar }).loadGrammar("source.regelwerk");
    let state = INITIAL;
    const lines = fs.readFileSync(0, "utf8").split("\n").map((line) => {
        const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
        state = ruleStack;
        return tokens.map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes.at(-1)]);
    });
    console.log(JSON.stringify(lines));
}

main();
