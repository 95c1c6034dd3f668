/* A game step by step: a state with its legal moves, which goes forward and back; and what is done from a state in bulk.

   Expects `go_to` (run a block), `make` (a move), `list_moves`, `words_of_row`, `evaluate` (the criteria of all seats),
   `each_word` and `take_cells` (the cells as words), `keep_lists` (the sequences in cells), records_in (the cells with numbers of recorded positions, within
   g->s), Memories, ACTING, BLOCKS, LEAVING. */

/* A decision that was made: the state before, and its legal moves. */
typedef struct { G g; size_t listed, kept_bytes; I count; } Past;

/* What callers read of a state: the decision, who acts, how many moves are legal, words of a row, decisions made. */
typedef struct { int64_t point, acting, count, words, depth; const uint64_t *rows; } Shown;

typedef struct {
    Shown shown;
    X x;
    G g;
    Past *past;
    size_t room;
} State;

enum { DONE = 0, FAULT = 1, NOT_LEGAL = 2, NO_MEMORY = 3, NOT_SCORED = 4 };

static const volatile int32_t never = 0;
static char *scratch;  /* for the values of one step; states take turns, as callers hold the lock of the interpreter */

static void show(State *s) {
    s->shown.point = s->g.point;
    s->shown.acting = ACTING(&s->g);
    s->shown.count = s->x.count;
    s->shown.words = words_of_row(s->g.point);
    s->shown.rows = (const uint64_t *)s->x.moves + s->x.listed;
}

/* Run until a decision is pending or the game is over, after a move if there is one, otherwise from a block. */
static void go_on(X *x, G *g, const uint64_t *row) {
    int block;
    if (LEAVING && setjmp(x->leave)) block = x->block;
    else block = make(x, g, row);
    while (block >= 0) {
        poll(x);
        x->used = 0;
        block = go_to(x, g, block);
    }
}

static void begin_step(X *x) {
    x->used = 0;
    x->fuel = FUEL;
    x->limit = 0;
}

static void release_context(X *x) {
    free(x->moves);
    free(x->kept_items);
    free(x->memories);
    for (int k = 0; k < MOST_LISTS; k++) free(x->lists[k].items);
    release(x);
}

void free_state(State *s) {
    if (!s) return;
    release_context(&s->x);
    free(s->past);
    free(s);
}

/* A state without cells; NULL if there is no memory. */
static State *empty_state(void) {
    State *s = calloc(1, sizeof(State));
    if (!scratch) scratch = malloc(MEMORY);
    if (!s || !scratch) {
        free(s);
        return NULL;
    }
    s->x.log = calloc(LOGS + 1, sizeof(Log));
    s->x.memories = calloc(1, sizeof(Memories));
    if (!s->x.log || !s->x.memories) {
        free_state(s);
        return NULL;
    }
    s->x.memory = scratch;
    s->x.size = MEMORY;
    s->x.stop = &never;
    return s;
}

Shown *shown(State *s) { return &s->shown; }

/* ---------------------------------------------------------------- cells as words */

typedef struct { uint64_t *to; size_t count, room; } Sink;

INLINE void write_word(void *to, uint64_t word) {
    Sink *sink = to;
    if (sink->count < sink->room) sink->to[sink->count] = word;
    sink->count++;
}

/* The cells of a state as words, as many as there is room for; how many there are. */
int64_t save_state(const State *s, uint64_t *words, int64_t room) {
    Sink sink = {words, 0, (size_t)room};
    write_word(&sink, s->g.chance);
    write_word(&sink, (uint64_t)s->g.point);
    write_word(&sink, (uint64_t)s->g.idle);
    each_word(&s->g, write_word, &sink);
    return (int64_t)sink.count;
}

/* Record positions: for each of its words, how often, and these. */
static bool take_records(X *x, Words *from) {
    for (int k = 0; k < LOGS; k++) {
        I known = 0;
        for (uint64_t left = next_word(from); left && !from->bad; left--) {
            uint64_t length = next_word(from), times = next_word(from);
            begin_key(x);
            for (; length && !from->bad; length--) note(x, &(uint64_t){next_word(from)}, sizeof(uint64_t));
            for (; times && !from->bad; times--) known = recorded(x, k, known);
        }
    }
    return !from->bad;
}

/* A state with these cells and recorded positions; NULL if they are none or there is no memory. */
State *new_state(const uint64_t *words, int64_t count) {
    State *s = empty_state();
    if (!s) return NULL;
    X *x = &s->x;
    Words from = {words, words + count, false};
    begin_step(x);
    if (setjmp(x->fault)) goto failed;
    s->g.chance = next_word(&from);
    s->g.point = (I)next_word(&from);
    s->g.idle = (I)next_word(&from);
    take_cells(x, &s->g, &from);
    s->g.lying = ++x->arrangements;
    if (!take_records(x, &from) || from.at != from.end) goto failed;
    begin_step(x);
    list_moves(x, &s->g);
    show(s);
    return s;
failed:
    free_state(s);
    return NULL;
}

INLINE uint64_t folded(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

typedef struct { uint64_t one, other; } Hash;

/* Two hashes of 64 bits each, by multiplications that differ in their constants. */
INLINE void hash_word(void *to, uint64_t word) {
    Hash *hash = to;
    hash->one = folded(hash->one ^ word ^ UINT64_C(0xA0761D6478BD642F), UINT64_C(0xE7037ED1A0B428DB));
    hash->other = folded(hash->other + word + UINT64_C(0x8EBC6AF09C88C6E3), UINT64_C(0x589965CC75374CC3)) + word;
}

/* A key of 128 bits: of all cells, future chance and the pending decision. Records count as the sum of their hashes. */
void key_of(const State *s, uint64_t key[2]) {
    Hash hash = {UINT64_C(0x243F6A8885A308D3), UINT64_C(0x13198A2E03707344)};
    hash_word(&hash, s->g.chance);
    hash_word(&hash, (uint64_t)s->g.point);
    each_word(&s->g, hash_word, &hash);
    for (int k = 0; k < LOGS; k++) {
        I known = s->g.s[records_in[k]];
        const Log *log = (const Log *)s->x.log + k;
        hash_word(&hash, known > 0 && known <= log->count ? log->entries[known - 1].sum : 0);
    }
    key[0] = mixed(hash.one ^ hash.other >> 32);
    key[1] = mixed(hash.other ^ hash.one >> 32);
}

/* ---------------------------------------------------------------- forward and back */

static void go_back(State *s, const Past *before) {
    copy_cells(&s->g, &before->g);
    s->x.listed = before->listed;
    s->x.kept_bytes = before->kept_bytes;
    s->x.count = before->count;
    show(s);  /* legal moves may be at another place in memory now */
}

/* Where the state is kept before it changes, with all that is needed to go back; NULL if there is no memory. */
static Past *keep_past(State *s) {
    size_t depth = (size_t)s->shown.depth;
    if (depth == s->room) {
        size_t room = s->room ? 2 * s->room : 16;
        Past *past = room > SIZE_MAX / sizeof(Past) ? NULL : realloc(s->past, sizeof(Past) * room);
        if (!past) return NULL;
        s->past = past;
        s->room = room;
    }
    Past *before = &s->past[depth];
    copy_cells(&before->g, &s->g);
    before->listed = s->x.listed;
    before->kept_bytes = s->x.kept_bytes;
    before->count = s->x.count;
    return before;
}

/* Make the move with this number; FAULT if that cannot be done here, which changes nothing. */
int push(State *s, int64_t number) {
    X *x = &s->x;
    if (number < 0 || number >= x->count) return NOT_LEGAL;
    if (!keep_past(s)) return NO_MEMORY;
    if (setjmp(x->fault)) {
        go_back(s, &s->past[s->shown.depth]);
        return FAULT;
    }
    begin_step(x);
    I words = words_of_row(s->g.point);
    const uint64_t *row = (const uint64_t *)x->moves + x->listed + words * number;
    x->listed += (size_t)(words * x->count);
    go_on(x, &s->g, row);
    s->shown.depth++;
    show(s);
    return DONE;
}

int pop(State *s) {
    if (!s->shown.depth) return NOT_LEGAL;
    go_back(s, &s->past[--s->shown.depth]);
    return DONE;
}

static bool copy_log(Log *to, const Log *from) {
    if (!from->count) return true;
    size_t bytes = from->entries[from->count - 1].from + from->entries[from->count - 1].size;
    *to = (Log){
        malloc(sizeof(Entry) * (size_t)from->count), malloc(bytes + 1), malloc(sizeof(int32_t) * HEADS),
        from->count, from->count, bytes + 1,
    };
    if (!to->entries || !to->keys || !to->heads) return false;
    memcpy(to->entries, from->entries, sizeof(Entry) * (size_t)from->count);
    memcpy(to->keys, from->keys, bytes);
    memcpy(to->heads, from->heads, sizeof(int32_t) * HEADS);
    return true;
}

/* A state without decisions to take back; NULL if there is no memory. */
State *copy_state(const State *from) {
    State *s = empty_state();
    if (!s) return NULL;
    size_t bytes = sizeof(uint64_t) * (size_t)(from->shown.words * from->x.count);
    volatile bool copied = true;
    memcpy(&s->g, &from->g, sizeof(G));
    s->x.arrangements = from->x.arrangements;
    if (setjmp(s->x.fault)) copied = false;
    else keep_lists(&s->x, &s->g);
    for (int k = 0; k < LOGS; k++) copied = copied && copy_log((Log *)s->x.log + k, (const Log *)from->x.log + k);
    s->x.moves = malloc(bytes + 1);
    if (!s->x.moves || !copied) {
        free_state(s);
        return NULL;
    }
    s->x.room = bytes;
    s->x.count = from->x.count;
    if (bytes) memcpy(s->x.moves, (const uint64_t *)from->x.moves + from->x.listed, bytes);
    show(s);
    return s;
}

/* The criteria and teams of all seats, and who is ahead, as if the game was over now. */
int scores_of(State *s, int64_t *scores, int64_t *teams, uint64_t *winners) {
    I acting = ACTING(&s->g);
    begin_step(&s->x);
    if (setjmp(s->x.fault)) {
        ACTING(&s->g) = acting;
        return FAULT;
    }
    evaluate(&s->x, &s->g, scores, teams);
    *winners = winners_of(scores, teams);
    return DONE;
}

/* ---------------------------------------------------------------- many games from a state */

/* Play on at random, with chance and moves from a seed, until the game is over or `horizon` decisions have been made; how
   many they were. Legal moves of later positions are listed from `room` on. */
static int64_t play_on(X *x, G *g, uint64_t seed, int64_t horizon, size_t room) {
    int64_t decisions = 0;
    uint64_t state = seed * SEED_MULTIPLIER + CHOICE_OFFSET;
    g->chance = seed * SEED_MULTIPLIER + CHANCE_OFFSET;
    begin_step(x);
    while (g->point >= 0 && decisions < horizon) {
        if (decisions++ >= MOST_DECISIONS) fault(x);
        state += GOLDEN;
        I k = x->count == 1 ? 0 : chosen(state, x->count);
        const uint64_t *row = (const uint64_t *)x->moves + x->listed + words_of_row(g->point) * k;
        x->listed = room;
        x->used = 0;
        go_on(x, g, row);
    }
    x->used = 0;
    return decisions;
}

/* Let future chance be another one. */
void set_chance(State *s, uint64_t chance) { s->g.chance = chance; }

/* Play on at random once, and go back. NOT_SCORED if a game that was cut off has no scores. */
int rollout(State *s, uint64_t seed, int64_t horizon, int64_t *scores, int64_t *teams, uint64_t *winners) {
    X *x = &s->x;
    volatile bool scoring = false;
    if (!keep_past(s)) return NO_MEMORY;
    if (setjmp(x->fault)) {
        go_back(s, &s->past[s->shown.depth]);
        return scoring ? NOT_SCORED : FAULT;
    }
    play_on(x, &s->g, seed, horizon, x->listed + (size_t)(s->shown.words * x->count));
    scoring = s->g.point >= 0;
    evaluate(x, &s->g, scores, teams);
    *winners = winners_of(scores, teams);
    go_back(s, &s->past[s->shown.depth]);
    return DONE;
}

/* Play on at random from copies of a state, with chance and moves from consecutive seeds, until the game is over or
   `horizon` decisions have been made. Stops when time is up or `stop` is set; how many were played. The state must be used
   by nobody else; `over` says which games are over. */
int64_t rollouts(
    State *s, uint64_t seed, int64_t count, int64_t horizon, double seconds, const volatile int32_t *stop,
    Results *results, uint8_t *over, uint8_t *scored
) {
    X *x = &s->x;
    volatile int64_t played = 0;
    volatile bool scoring = false;
    double end = now() + seconds;
    size_t moves = (size_t)(s->shown.words * x->count), kept_bytes = x->kept_bytes;
    I listed = x->count;
    G *start = malloc(sizeof(G));
    char *memory = malloc(MEMORY), *before = x->memory;
    if (start && memory) {
        memcpy(start, &s->g, sizeof(G));
        x->memory = memory;
        x->stop = stop;
        if (setjmp(x->fault)) {
            if (*stop) goto done;
            results->failed[played] = !scoring;
            played++;
        }
        while (played < count && !*stop) {
            int64_t number = played;
            scoring = false;
            if (number && !(number & 15) && now() > end) break;
            int64_t *scores = results->scores + SEATS * CRITERIA * number, *teams = results->teams + SEATS * number;
            G *g = &s->g;
            copy_cells(g, start);
            x->listed = 0;
            x->kept_bytes = kept_bytes;
            x->count = listed;
            results->decisions[number] = play_on(x, g, seed + (uint64_t)number, horizon, moves);
            over[number] = g->point < 0;
            scoring = g->point >= 0;
            evaluate(x, g, scores, teams);
            results->winners[number] = winners_of(scores, teams);
            scored[number] = 1;
            played = number + 1;
        }
    done:
        memcpy(&s->g, start, sizeof(G));
        x->listed = 0;
        x->kept_bytes = kept_bytes;
        x->count = listed;
        x->stop = &never;
    }
    x->memory = before;
    free(memory);
    free(start);
    return played;
}

/* ---------------------------------------------------------------- counting */

enum { DEEPEST = 200 };

/* How far counting has come: sequences and games over by length, and the number of the next move at each. `unmade`: moves
   of the last level are counted without being made, so that games that end there are not known. */
typedef struct {
    int64_t depth, level, unmade, chance, failed;
    int64_t next[DEEPEST + 1], nodes[DEEPEST + 1], over[DEEPEST + 1];
} Counting;

/* Count the move sequences from a state; returns 1 once done, 0 if time is up and it is to be called again. */
int count_sequences(State *s, Counting *c, double seconds) {
    double end = now() + seconds;
    for (int64_t steps = 1; c->level > 0; steps++) {
        if (!(steps & 255) && now() > end) return 0;
        if (c->unmade && c->level == c->depth) c->nodes[c->level] += c->next[c->level] = s->x.count;
        if (c->next[c->level] >= s->x.count) {
            if (--c->level) pop(s);
            continue;
        }
        uint64_t chance = s->g.chance;
        if (push(s, c->next[c->level]++) != DONE) {
            c->failed = 1;
            return 1;
        }
        c->nodes[c->level]++;
        c->chance |= s->g.chance != chance;
        c->over[c->level] += s->g.point < 0;
        if (s->g.point >= 0 && c->level < c->depth) c->next[++c->level] = 0;
        else pop(s);
    }
    return 1;
}
