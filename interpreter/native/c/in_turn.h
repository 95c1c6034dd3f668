/* The same groups in the order in which their pieces are chosen one by one. */
PLAIN Groups in_turn(X *x, G *g, set_p pieces) {
    Groups found = alike(x, g, pieces);
    Q *groups = (Q *)found.v;
    I *ranks = allot(x, sizeof(I) * (size_t)found.n);
    for (int32_t k = 0; k < found.n; k++) {
        Q group = groups[k];
        I piece = group.v[0], place = g->s[PIECE_CELLS + piece];
        I rank = place * (PIECES + 1) + (places[place].order >= 0 ? 0 : choice_ranks[zones[place]][piece]);
        int32_t to = k;
        for (; to > 0 && ranks[to - 1] > rank; to--) ranks[to] = ranks[to - 1], groups[to] = groups[to - 1];
        ranks[to] = rank;
        groups[to] = group;
    }
    return found;
}
