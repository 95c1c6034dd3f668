/* Chess by hand, to compare with: a plain generator of moves on a mailbox board of 10 by 12 squares. Moves are made, those
   that leave the king in check are taken back, and the moves of the last level are counted without being followed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, EDGE, WHITE = 8, BLACK = 16, RANK = 7, SIDES = 24 };
enum { PLAIN, DOUBLE, EN_PASSANT, SHORT, LONG };

typedef struct { uint8_t from, to, kind, promoted; } Move;
typedef struct { uint8_t captured, castling, en_passant, king; } Undo;
typedef struct { uint8_t board[120], side, castling, en_passant, king[2]; } Position;

static const int knight[] = {-21, -19, -12, -8, 8, 12, 19, 21};
static const int ways[] = {-11, -9, 9, 11, -10, -1, 1, 10};  /* the first four are diagonal */

static uint8_t kept[120];  /* which rights to castle are left when something moves from or to a square */

static void begin(Position *p) {
    static const uint8_t first[] = {ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK};
    for (int k = 0; k < 120; k++) {
        p->board[k] = k < 21 || k > 98 || k % 10 < 1 || k % 10 > 8 ? EDGE : EMPTY;
        kept[k] = 15;
    }
    for (int k = 0; k < 8; k++) {
        p->board[21 + k] = first[k] | WHITE;
        p->board[31 + k] = PAWN | WHITE;
        p->board[81 + k] = PAWN | BLACK;
        p->board[91 + k] = first[k] | BLACK;
    }
    kept[21] = 13, kept[28] = 14, kept[25] = 12, kept[91] = 7, kept[98] = 11, kept[95] = 3;
    p->side = WHITE;
    p->castling = 15;
    p->en_passant = 0;
    p->king[0] = 25;
    p->king[1] = 95;
}

static int attacked(const Position *p, int square, int by) {
    int up = by == WHITE ? -10 : 10;
    if (p->board[square + up - 1] == (PAWN | by) || p->board[square + up + 1] == (PAWN | by)) return 1;
    for (int k = 0; k < 8; k++) {
        if (p->board[square + knight[k]] == (KNIGHT | by)) return 1;
        int at = square + ways[k];
        if (p->board[at] == (KING | by)) return 1;
        while (p->board[at] == EMPTY) at += ways[k];
        if (p->board[at] == (QUEEN | by) || p->board[at] == ((k < 4 ? BISHOP : ROOK) | by)) return 1;
    }
    return 0;
}

static Move *add(Move *m, int from, int to, int kind) {
    *m = (Move){(uint8_t)from, (uint8_t)to, (uint8_t)kind, 0};
    return m + 1;
}

static Move *add_pawn(Move *m, int from, int to, int kind) {
    if (to > 90 || to < 30) {
        for (int rank = KNIGHT; rank <= QUEEN; rank++) {
            m = add(m, from, to, kind);
            m[-1].promoted = (uint8_t)rank;
        }
        return m;
    }
    return add(m, from, to, kind);
}

static Move *list(const Position *p, Move *m) {
    int side = p->side, other = side ^ SIDES, up = side == WHITE ? 10 : -10;
    const uint8_t *b = p->board;
    for (int from = 21; from < 99; from++) {
        if (!(b[from] & side)) continue;
        int rank = b[from] & RANK;
        if (rank == PAWN) {
            if (b[from + up] == EMPTY) {
                m = add_pawn(m, from, from + up, PLAIN);
                if ((side == WHITE ? from < 40 : from > 80) && b[from + 2 * up] == EMPTY)
                    m = add(m, from, from + 2 * up, DOUBLE);
            }
            for (int to = from + up - 1; to <= from + up + 1; to += 2) {
                if (b[to] & other) m = add_pawn(m, from, to, PLAIN);
                else if (to == p->en_passant) m = add(m, from, to, EN_PASSANT);
            }
        } else if (rank == KNIGHT) {
            for (int k = 0; k < 8; k++) {
                int to = from + knight[k];
                if (b[to] == EMPTY || (b[to] & other)) m = add(m, from, to, PLAIN);
            }
        } else {
            for (int k = rank == ROOK ? 4 : 0; k < (rank == BISHOP ? 4 : 8); k++)
                for (int to = from + ways[k];; to += ways[k]) {
                    if (b[to] == EMPTY || (b[to] & other)) m = add(m, from, to, PLAIN);
                    if (b[to] != EMPTY || rank == KING) break;
                }
        }
    }
    int king = p->king[side == BLACK], rights = side == WHITE ? p->castling : p->castling >> 2;
    if ((rights & 3) && !attacked(p, king, other)) {
        if ((rights & 1) && !b[king + 1] && !b[king + 2] && !attacked(p, king + 1, other))
            m = add(m, king, king + 2, SHORT);
        if ((rights & 2) && !b[king - 1] && !b[king - 2] && !b[king - 3] && !attacked(p, king - 1, other))
            m = add(m, king, king - 2, LONG);
    }
    return m;
}

/* Make a move; whether the king is safe then. */
static int make(Position *p, Move m, Undo *undo) {
    int side = p->side, up = side == WHITE ? 10 : -10, mine = side == BLACK;
    uint8_t *b = p->board, man = b[m.from];
    *undo = (Undo){b[m.to], p->castling, p->en_passant, p->king[mine]};
    b[m.to] = m.promoted ? m.promoted | (uint8_t)side : man;
    b[m.from] = EMPTY;
    p->castling &= kept[m.from] & kept[m.to];
    p->en_passant = m.kind == DOUBLE ? (uint8_t)(m.from + up) : 0;
    if (m.kind == EN_PASSANT) b[m.to - up] = EMPTY;
    if (m.kind == SHORT) b[m.to - 1] = b[m.to + 1], b[m.to + 1] = EMPTY;
    if (m.kind == LONG) b[m.to + 1] = b[m.to - 2], b[m.to - 2] = EMPTY;
    if ((man & RANK) == KING) p->king[mine] = m.to;
    p->side ^= SIDES;
    return !attacked(p, p->king[mine], side ^ SIDES);
}

static void take_back(Position *p, Move m, const Undo *undo) {
    p->side ^= SIDES;
    int side = p->side, up = side == WHITE ? 10 : -10;
    uint8_t *b = p->board;
    b[m.from] = m.promoted ? PAWN | (uint8_t)side : b[m.to];
    b[m.to] = undo->captured;
    if (m.kind == EN_PASSANT) b[m.to - up] = PAWN | (uint8_t)(side ^ SIDES);
    if (m.kind == SHORT) b[m.to + 1] = b[m.to - 1], b[m.to - 1] = EMPTY;
    if (m.kind == LONG) b[m.to - 2] = b[m.to + 1], b[m.to + 1] = EMPTY;
    p->castling = undo->castling;
    p->en_passant = undo->en_passant;
    p->king[side == BLACK] = undo->king;
}

static int64_t count(Position *p, int depth) {
    Move moves[256], *end = list(p, moves);
    int64_t found = 0;
    Undo undo;
    for (Move *m = moves; m < end; m++) {
        if (make(p, *m, &undo)) found += depth == 1 ? 1 : count(p, depth - 1);
        take_back(p, *m, &undo);
    }
    return found;
}

int64_t chess_perft(int depth) {
    Position p;
    begin(&p);
    return depth ? count(&p, depth) : 1;
}
