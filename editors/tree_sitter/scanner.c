// What of a text in Regelwerk depends on its lines: their ends and indentation, brackets that go on over several lines,
// comments, and citations, which end a line. The order of tokens is that of EXTERNAL in grammar.py.
//
// The scanner decides by the text alone, never by what the parser could use, except for citations. So the end of a line
// ends whatever is wrong in it, and only that.

#include <stdlib.h>
#include <string.h>
#include "tree_sitter/parser.h"

enum { NEWLINE, INDENT, DEDENT, CITATION, COMMENT, LINE_BREAK, OPENING, CLOSING, LSQB, RSQB, LBRACE, RBRACE };

#define MAX_LEVELS 60

typedef struct {
    uint16_t levels[MAX_LEVELS];  // the indentations of the open blocks
    uint16_t target;              // the indentation of the next line of rules
    uint8_t count;                // the number of levels; the outermost one is 0
    uint8_t depth;                // the number of open brackets
    bool is_pending;              // whether the next line is still to be indented
    bool is_blank;                // whether this line has only a comment
    bool is_ended;                // whether a last line without an end has been ended
} Scanner;

void *tree_sitter_regelwerk_external_scanner_create(void) {
    Scanner *scanner = calloc(1, sizeof(Scanner));
    scanner->count = 1;
    return scanner;
}

void tree_sitter_regelwerk_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_regelwerk_external_scanner_serialize(void *payload, char *buffer) {
    memcpy(buffer, payload, sizeof(Scanner));
    return sizeof(Scanner);
}

void tree_sitter_regelwerk_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
    Scanner *scanner = payload;
    memset(scanner, 0, sizeof(Scanner));
    scanner->count = 1;
    if (length == sizeof(Scanner)) {
        memcpy(scanner, buffer, length);
    }
}

static bool is_space(int32_t sign) { return sign == ' ' || sign == '\t' || sign == '\r'; }

static bool is_digit(int32_t sign) { return sign >= '0' && sign <= '9'; }

static bool is_capital(int32_t sign) { return sign >= 'A' && sign <= 'Z'; }

static void skip_comment(TSLexer *lexer) {
    while (!lexer->eof(lexer) && lexer->lookahead != '\n') {
        lexer->advance(lexer, false);
    }
}

// Look ahead to the next line that has more than a comment; its indentation, 0 at the end of the text.
static uint16_t next_indentation(TSLexer *lexer) {
    while (true) {
        uint16_t width = 0;
        while (is_space(lexer->lookahead)) {
            width += lexer->lookahead != '\r';
            lexer->advance(lexer, false);
        }
        if (lexer->lookahead == '#') {
            skip_comment(lexer);
        }
        if (lexer->eof(lexer)) {
            return 0;
        }
        if (lexer->lookahead != '\n') {
            return width;
        }
        lexer->advance(lexer, false);
    }
}

static bool end_line(Scanner *scanner, TSLexer *lexer, uint16_t target) {
    scanner->target = target;
    scanner->is_pending = target != scanner->levels[scanner->count - 1];
    scanner->is_blank = false;
    scanner->depth = 0;
    lexer->result_symbol = NEWLINE;
    return true;
}

// One step towards the indentation of the line that begins.
static bool indent(Scanner *scanner, TSLexer *lexer) {
    if (scanner->target > scanner->levels[scanner->count - 1]) {
        scanner->is_pending = false;
        if (scanner->count == MAX_LEVELS) {
            return false;
        }
        scanner->levels[scanner->count++] = scanner->target;
        lexer->result_symbol = INDENT;
    } else {
        scanner->count--;
        scanner->is_pending = scanner->target < scanner->levels[scanner->count - 1];
        lexer->result_symbol = DEDENT;
    }
    return true;
}

// After `[`: the rest of a citation and the end of its line. Blanks behind it belong to it.
static bool is_citation(TSLexer *lexer) {
    while (true) {
        unsigned letters = 0, digits = 0, kind = 0;
        for (; is_capital(lexer->lookahead); letters++) lexer->advance(lexer, false);
        if (letters < 1 || letters > 4 || lexer->lookahead != '-') return false;
        lexer->advance(lexer, false);
        for (; is_capital(lexer->lookahead); kind++) lexer->advance(lexer, false);
        if (lexer->lookahead == '-') lexer->advance(lexer, false);
        for (; is_digit(lexer->lookahead); digits++) lexer->advance(lexer, false);
        if (!digits || kind > 2) return false;
        if (lexer->lookahead >= 'a' && lexer->lookahead <= 'z') lexer->advance(lexer, false);
        if (lexer->lookahead == ']') break;
        if (!is_space(lexer->lookahead)) return false;
        while (is_space(lexer->lookahead)) lexer->advance(lexer, false);
    }
    lexer->advance(lexer, false);
    while (is_space(lexer->lookahead)) lexer->advance(lexer, false);
    return lexer->eof(lexer) || lexer->lookahead == '\n' || lexer->lookahead == '#';
}

static bool bracket(Scanner *scanner, TSLexer *lexer, int symbol, bool may_be_citation) {
    lexer->advance(lexer, false);
    lexer->mark_end(lexer);
    if (may_be_citation && is_citation(lexer)) {
        lexer->mark_end(lexer);
        lexer->result_symbol = CITATION;
        return true;
    }
    bool is_opening = symbol == OPENING || symbol == LSQB || symbol == LBRACE;
    if (is_opening && scanner->depth < UINT8_MAX) {
        scanner->depth++;
    } else if (!is_opening && scanner->depth) {
        scanner->depth--;
    }
    lexer->result_symbol = symbol;
    return true;
}

// Whether a line begins with a reason: it goes on with the line before it.
static bool is_reason(TSLexer *lexer) {
    for (const char *letter = "because"; *letter; letter++) {
        if (lexer->lookahead != *letter) return false;
        lexer->advance(lexer, false);
    }
    return is_space(lexer->lookahead) || lexer->lookahead == '"';
}

static bool line_break(Scanner *scanner, TSLexer *lexer, bool is_empty) {
    lexer->advance(lexer, false);
    lexer->mark_end(lexer);
    lexer->result_symbol = LINE_BREAK;
    scanner->is_blank = false;
    if (is_empty && !scanner->depth) {
        return true;
    }
    uint16_t target = next_indentation(lexer);
    bool is_closing = lexer->lookahead == ')' || lexer->lookahead == ']' || lexer->lookahead == '}';
    if (scanner->depth && (is_closing || target > scanner->levels[scanner->count - 1])) {
        return true;  // a bracket that nobody has closed does not take what is indented no further
    }
    if (target && is_reason(lexer)) {
        return true;
    }
    return end_line(scanner, lexer, target);
}

bool tree_sitter_regelwerk_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
    Scanner *scanner = payload;
    lexer->mark_end(lexer);
    if (scanner->is_pending) {
        return indent(scanner, lexer);
    }
    bool is_empty = scanner->is_blank || lexer->get_column(lexer) == 0, after_space = false;
    for (; is_space(lexer->lookahead); after_space = true) {
        lexer->advance(lexer, true);
    }
    if (lexer->eof(lexer)) {
        if (is_empty || scanner->is_ended) {
            return false;
        }
        scanner->is_ended = true;
        return end_line(scanner, lexer, 0);
    }
    switch (lexer->lookahead) {
        case '\n': return line_break(scanner, lexer, is_empty);
        case '#':
            skip_comment(lexer);
            lexer->mark_end(lexer);
            scanner->is_blank = is_empty;
            lexer->result_symbol = COMMENT;
            return true;
        case '(': return bracket(scanner, lexer, OPENING, false);
        case ')': return bracket(scanner, lexer, CLOSING, false);
        case '[': return bracket(scanner, lexer, LSQB, valid[CITATION] && after_space);
        case ']': return bracket(scanner, lexer, RSQB, false);
        case '{': return bracket(scanner, lexer, LBRACE, false);
        case '}': return bracket(scanner, lexer, RBRACE, false);
        default: return false;
    }
}
