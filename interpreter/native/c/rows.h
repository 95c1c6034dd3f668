/* What rules need in play step by step: rows for legal moves, and room for sequences in cells. */

/* A row of words in the memory for moves, from `listed` on. */
INLINE uint64_t *new_row(X *x, I number, I words) {
    size_t from = x->listed + (size_t)(number * words), needed = sizeof(uint64_t) * (from + (size_t)words);
    if (__builtin_expect(needed > x->room, 0)) make_room(x, needed);
    return (uint64_t *)x->moves + from;
}

enum { MOST_KEPT = 1 << 22 };

/* The items of a sequence in a cell: they stay where they are until the state goes back to before they were stored. */
PLAIN const void *keep_items(X *x, const void *items, size_t bytes) {
    size_t from = x->kept_bytes;
    if (!x->kept_items && !(x->kept_items = malloc(MOST_KEPT))) fault(x);
    if (bytes > MOST_KEPT - from) fault(x);
    if (bytes) memcpy(x->kept_items + from, items, bytes);
    x->kept_bytes = from + ((bytes + 15) & ~(size_t)15);
    return x->kept_items + from;
}

/* Words that cells are taken from. */
typedef struct { const uint64_t *at, *end; bool bad; } Words;

INLINE uint64_t next_word(Words *from) {
    if (from->at < from->end) return *from->at++;
    from->bad = true;
    return 0;
}

/* How many items follow; each is at least one word. */
INLINE I next_length(Words *from, I most) {
    uint64_t found = next_word(from), left = (uint64_t)(from->end - from->at);
    if (found <= left && found <= (uint64_t)most) return (I)found;
    from->bad = true;
    return 0;
}
