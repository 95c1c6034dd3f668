/* The searches of interpreter/native/c for graphs and sets given as arrays, for sets of one form S, which the test
   defines together with the types SETS, a sequence of them, and FAMILIES, a sequence of these. */

typedef struct {
    Links links;
    uint64_t places[WORDS], edges[WORDS];
    int64_t fewest, count;
    const uint64_t *sets;       /* listed sets, or the neighbours of each place */
    const int64_t *added;       /* what each place adds to the worth of a row */
    uint64_t doubled[WORDS];    /* a row with one of these is worth twice as much, plus `constant` */
    int64_t constant, total;
} Question;

static SETS sets_of(X *x, const Question *question) {
    S *found = allot(x, sizeof(S) * (size_t)question->count);
    for (int64_t k = 0; k < question->count; k++) found[k] = F(of_words)(question->sets + WORDS * k);
    return (SETS){(int32_t)question->count, found};
}

static I worth(X *x, const Question *question, S row) {
    I found = F(sum_over)(x, (Q){64 * WORDS, question->added}, row);
    return F(is_empty)(F(both)(row, F(of_words)(question->doubled))) ? found : 2 * found + question->constant;
}

static SETS best(X *x, Question *question, size_t mark, const S *mates, SETS rows) {
    SETS found;
    I *worths = allot(x, sizeof(I) * (size_t)rows.n);
    for (int32_t k = 0; k < rows.n; k++) worths[k] = worth(x, question, rows.v[k]);
    question->total = F(chosen)(x, mark, mates, rows, worths, &found);
    return found;
}

static SETS answer(X *x, Question *question, const char *what) {
    S places = F(of_words)(question->places), edges = F(of_words)(question->edges);
    const Links *links = &question->links;
    size_t mark = x->used;
    if (!strcmp(what, "paths")) {
        S *near = NEIGHBOURS(x, links, places, edges);
        return F(paths_among)(x, mark, near, places, question->fewest, MOST_PATHS);
    }
    if (!strcmp(what, "paths_by")) {
        S *near = F(by_place)(x, places, sets_of(x, question));
        return F(paths_among)(x, mark, near, places, question->fewest, MOST_PATHS);
    }
    if (!strcmp(what, "groups_by")) return F(groups_by)(x, places, sets_of(x, question));
    if (!strcmp(what, "trails")) return TRAILS(x, links, places, edges, question->fewest);
    if (!strcmp(what, "lines_in")) return F(lines_in)(x, sets_of(x, question), places);
    if (!strcmp(what, "best_rows")) {
        S *near = NEIGHBOURS(x, links, places, edges);
        SETS rows = F(paths_among)(x, x->used, near, places, greatest(1, question->fewest), MOST_WALKS);
        return best(x, question, mark, near, rows);
    }
    if (!strcmp(what, "best_sets")) {
        SETS sets = sets_of(x, question);
        return best(x, question, mark, F(mates)(x, sets), sets);
    }
    FAMILIES all = F(packings)(x, sets_of(x, question));
    SETS found = {0, 0};
    size_t room = (size_t)all.n;
    for (int32_t k = 0; k < all.n; k++) room += (size_t)all.v[k].n;
    S *items = allot(x, sizeof(S) * room);
    for (int32_t k = 0; k < all.n; k++) {
        for (int32_t j = 0; j < all.v[k].n; j++) items[found.n++] = all.v[k].v[j];
        items[found.n++] = F(below)(64 * WORDS);  /* the end of a packing */
    }
    found.v = items;
    return found;
}

/* How many sets there are, of which up to `room` are written; -1: a fault. */
int64_t asked(Question *question, const char *what, uint64_t *found, int64_t room) {
    static const volatile int32_t stop = 0;
    X *x = calloc(1, sizeof(X));
    volatile int64_t count = -1;
    x->size = (size_t)1 << 27;
    x->memory = malloc(x->size);
    x->stop = &stop;
    x->fuel = FUEL;
    if (!setjmp(x->fault)) {
        SETS sets = answer(x, question, what);
        for (int64_t k = 0; k < sets.n && k < room; k++)
            for (int n = 0; n < WORDS; n++) found[WORDS * k + n] = F(word)(sets.v[k], n);
        count = sets.n;
    }
    free(x->memory);
    free(x);
    return count;
}
