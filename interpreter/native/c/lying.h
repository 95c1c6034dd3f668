/* The places of some pieces with the kinds that lie there, in order: equal for equal pieces that are exchanged. Expects
   `Lying`, a row of a place and a kind, and `AllLying`, a sequence of these. */

PLAIN int by_place(const void *one, const void *other) {
    const Lying *a = one, *b = other;
    return a->f0 != b->f0 ? (a->f0 > b->f0) - (a->f0 < b->f0) : (a->f1 > b->f1) - (a->f1 < b->f1);
}

PLAIN AllLying lying(X *x, G *g, set_p pieces) {
    int32_t n = 0;
    Lying *found = allot(x, sizeof(Lying) * (size_t)P(size)(pieces));
    while (!P(is_empty)(pieces)) {
        I piece = at(x, P(next)(&pieces), PIECES);
        found[n++] = (Lying){g->s[PIECE_CELLS + piece], kinds[piece]};
    }
    qsort(found, (size_t)n, sizeof(Lying), by_place);
    return (AllLying){n, found};
}
