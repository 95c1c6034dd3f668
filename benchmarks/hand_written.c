/* Random games by hand in C, to compare with: move lists, as a careful programmer writes them for each game. `play` plays
   so many games and returns how many decisions they had; games are numbered as in hand_written.py. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static uint64_t drawn = UINT64_C(88172645463325252);
static int64_t decisions;

static inline int below(int count) {
    drawn ^= drawn << 13;
    drawn ^= drawn >> 7;
    drawn ^= drawn << 17;
    decisions++;
    return (int)((drawn >> 32) * (uint64_t)count >> 32);
}

/* ---------------------------------------------------------------- tic-tac-toe */

static bool lines[512];

static void prepare_lines(void) {
    static const int each[8] = {7, 56, 448, 73, 146, 292, 273, 84};
    for (int marks = 0; marks < 512; marks++)
        for (int k = 0; k < 8; k++) lines[marks] |= (marks & each[k]) == each[k];
}

static void tic_tac_toe(void) {
    unsigned mine = 0, theirs = 0;
    for (;;) {
        unsigned left = 511 & ~(mine | theirs), moves[9];
        int count = 0;
        if (!left) return;
        for (; left; left &= left - 1) moves[count++] = left & -left;
        mine |= moves[below(count)];
        if (lines[mine]) return;
        unsigned other = mine;
        mine = theirs;
        theirs = other;
    }
}

/* ---------------------------------------------------------------- Connect Four */

static void connect_four(void) {
    uint64_t mine = 0, theirs = 0;
    int heights[7] = {0};
    for (;;) {
        int moves[7], count = 0;
        for (int column = 0; column < 7; column++)
            if (heights[column] < 6) moves[count++] = column;
        if (!count) return;
        int column = moves[below(count)];
        mine |= UINT64_C(1) << (column * 7 + heights[column]++);
        for (int way = 0; way < 4; way++) {
            static const int ways[4] = {1, 6, 7, 8};
            uint64_t pairs = mine & mine >> ways[way];
            if (pairs & pairs >> 2 * ways[way]) return;
        }
        uint64_t other = mine;
        mine = theirs;
        theirs = other;
    }
}

/* ---------------------------------------------------------------- Breakthrough */

static void breakthrough(void) {
    int8_t board[64] = {0};
    int left[3] = {0, 16, 16}, me = 1;
    memset(board, 1, 16);
    memset(board + 48, 2, 16);
    for (;;) {
        int moves[64], count = 0, ahead = me == 1 ? 8 : -8;
        for (int from = 0; from < 64; from++) {
            if (board[from] != me) continue;
            int to = from + ahead, column = from & 7;
            if (!board[to]) moves[count++] = from << 6 | to;
            if (column > 0 && board[to - 1] != me) moves[count++] = from << 6 | (to - 1);
            if (column < 7 && board[to + 1] != me) moves[count++] = from << 6 | (to + 1);
        }
        if (!count) return;
        int move = moves[below(count)], from = move >> 6, to = move & 63;
        left[board[to]]--;
        board[to] = (int8_t)me;
        board[from] = 0;
        if (to >> 3 == (me == 1 ? 7 : 0) || !left[3 - me]) return;
        me = 3 - me;
    }
}

/* ---------------------------------------------------------------- Hex */

enum { SIDE = 11, CELLS = SIDE * SIDE };
static int16_t near[CELLS][6], edges[CELLS][3][2], parent[CELLS + 4];
static int near_count[CELLS], edge_count[CELLS][3];

static void prepare_hex(void) {
    static const int ways[6][2] = {{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}};
    for (int cell = 0; cell < CELLS; cell++) {
        int row = cell / SIDE, column = cell % SIDE;
        for (int k = 0; k < 6; k++) {
            int r = row + ways[k][0], c = column + ways[k][1];
            if (r >= 0 && r < SIDE && c >= 0 && c < SIDE) near[cell][near_count[cell]++] = (int16_t)(r * SIDE + c);
        }
        if (!row) edges[cell][1][edge_count[cell][1]++] = CELLS;
        if (row == SIDE - 1) edges[cell][1][edge_count[cell][1]++] = CELLS + 1;
        if (!column) edges[cell][2][edge_count[cell][2]++] = CELLS + 2;
        if (column == SIDE - 1) edges[cell][2][edge_count[cell][2]++] = CELLS + 3;
    }
}

static inline int root_of(int node) {
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static void hex(void) {
    int8_t board[CELLS] = {0};
    for (int k = 0; k < CELLS + 4; k++) parent[k] = (int16_t)k;
    for (int me = 1;; me = 3 - me) {
        int moves[CELLS], count = 0;
        for (int cell = 0; cell < CELLS; cell++)
            if (!board[cell]) moves[count++] = cell;
        int cell = moves[below(count)], root = cell;
        board[cell] = (int8_t)me;
        for (int k = 0; k < near_count[cell]; k++)
            if (board[near[cell][k]] == me) parent[root] = (int16_t)root_of(near[cell][k]), root = parent[root];
        for (int k = 0; k < edge_count[cell][me]; k++)
            parent[root] = (int16_t)root_of(edges[cell][me][k]), root = parent[root];
        int edge = me == 1 ? CELLS : CELLS + 2;
        if (root_of(edge) == root_of(edge + 1)) return;
    }
}

/* ---------------------------------------------------------------- Othello */

static const int shifts[4] = {8, 1, 7, 9};
static const uint64_t inner[4] = {
    ~UINT64_C(0), UINT64_C(0x7E7E7E7E7E7E7E7E), UINT64_C(0x7E7E7E7E7E7E7E7E), UINT64_C(0x7E7E7E7E7E7E7E7E),
};

static uint64_t othello_moves(uint64_t mine, uint64_t theirs) {
    uint64_t found = 0;
    for (int k = 0; k < 4; k++) {
        int by = shifts[k];
        uint64_t between = theirs & inner[k], up = between & mine << by, down = between & mine >> by;
        for (int step = 0; step < 5; step++) up |= between & up << by, down |= between & down >> by;
        found |= up << by | down >> by;
    }
    return found & ~(mine | theirs);
}

static uint64_t turned(uint64_t mine, uint64_t theirs, uint64_t disc) {
    uint64_t found = 0;
    for (int k = 0; k < 4; k++) {
        int by = shifts[k];
        uint64_t between = theirs & inner[k], up = between & disc << by, down = between & disc >> by;
        for (int step = 0; step < 5; step++) up |= between & up << by, down |= between & down >> by;
        if (up << by & mine) found |= up;
        if (down >> by & mine) found |= down;
    }
    return found;
}

static void othello(void) {
    uint64_t mine = UINT64_C(1) << 28 | UINT64_C(1) << 35, theirs = UINT64_C(1) << 27 | UINT64_C(1) << 36;
    for (int passed = 0; passed < 2;) {
        uint64_t left = othello_moves(mine, theirs), moves[64];
        int count = 0;
        for (; left; left &= left - 1) moves[count++] = left & -left;
        passed = count ? 0 : passed + 1;
        if (count) {
            uint64_t disc = moves[below(count)], others = turned(mine, theirs, disc);
            mine ^= others | disc;
            theirs ^= others;
        }
        uint64_t other = mine;
        mine = theirs;
        theirs = other;
    }
}

/* ---------------------------------------------------------------- all of them */

static void (*const games[])(void) = {tic_tac_toe, connect_four, breakthrough, hex, othello};

int64_t play(int game, int64_t count) {
    static bool prepared;
    if (!prepared) prepare_lines(), prepare_hex();
    prepared = true;
    decisions = 0;
    while (count-- > 0) games[game]();
    return decisions;
}
