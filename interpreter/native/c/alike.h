/* Groups of equal pieces, as interpreter/runtime/subset_calls.py. Expects `Groups`; for `in_turn` also zones[], the zone
   of each place, and choice_ranks[], by zone and piece. */

/* Pieces that no rule can tell apart, because they are equal and lie together; groups are in order of their first. */
PLAIN Groups alike(X *x, G *g, set_p pieces) {
    size_t count = (size_t)P(size)(pieces);
    Q *groups = allot(x, sizeof(Q) * count);
    I *items = allot(x, sizeof(I) * count * count), *places_of = allot(x, sizeof(I) * count);
    int32_t n = 0;
    while (!P(is_empty)(pieces)) {
        I piece = at(x, P(next)(&pieces), PIECES), place = at(x, g->s[PIECE_CELLS + piece], PLACES);
        int32_t k = n - 1;
        if (is_apart(x, g, piece, place)) place = NONE, k = -1;
        while (k >= 0 && kinds[groups[k].v[0]] == kinds[piece] && places_of[k] != place) k--;  /* equal ones in order */
        if (k < 0 || kinds[groups[k].v[0]] != kinds[piece] || places_of[k] == NONE) {
            k = n++;
            groups[k] = (Q){0, items + count * (size_t)k};
            places_of[k] = place;
        }
        ((I *)groups[k].v)[groups[k].n++] = piece;
    }
    return (Groups){n, groups};
}
