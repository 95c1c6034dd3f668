/* Pieces and places: the moves of pieces of interpreter/runtime/primitives.py.

   Expects of the program: `set_p`, the set of pieces, with its functions through P(name); PIECES, PLACES, PIECE_CELLS
   (the first of the cells with the places of the pieces, within g->s), places[], kinds[], attached[]. */

INLINE void set_filled(G *g, const Place *place, bool on) {
    if (place->filled < 0) return;
    word *words = (word *)((char *)g + place->filled) + (place->bit >> 6);
    uint64_t bit = UINT64_C(1) << (place->bit & 63);
    *words = on ? *words | bit : *words & ~bit;
}

PLAIN void take_out(Order *order, I piece) {
    int32_t n = order->n, k = n - 1;
    while (k >= 0 && order->v[k] != piece) k--;
    if (k < 0) return;
    memmove(order->v + k, order->v + k + 1, sizeof order->v[0] * (size_t)(n - k - 1));
    order->n = n - 1;
}

#ifndef MOVED
#define MOVED(x, g) ((void)0)
#endif

PLAIN void put(X *x, G *g, const I *pieces, I count, I target, bool bottom, bool crowded) {
    MOVED(x, g);
    set_p moved = P(bit)(-1);
    for (I k = 0; k < count; k++) {
        I piece = at(x, pieces[k], PIECES), source = at(x, g->s[PIECE_CELLS + piece], PLACES);
        const Place *from = &places[source];
        g->s[PIECE_CELLS + piece] = target;
        g->p[from->mask] = P(minus)(g->p[from->mask], P(bit)(piece));
        if (P(is_empty)(g->p[from->mask])) set_filled(g, from, false);
        if (from->order >= 0) take_out(&g->q[from->order], piece);
        moved = P(union)(moved, P(bit)(piece));
    }
    const Place *to = &places[at(x, target, PLACES)];
    if (to->single && !crowded && (!P(is_empty)(g->p[to->mask]) || count > 1)) fault(x);
    g->p[to->mask] = P(union)(g->p[to->mask], moved);
    if (count) set_filled(g, to, true);
    if (to->order >= 0) {
        Order *order = &g->q[to->order];
        if (order->n + count > ROOM) fault(x);
        I from = bottom ? 0 : order->n;
        memmove(order->v + from + count, order->v + from, sizeof order->v[0] * (size_t)(order->n - from));
        for (I k = 0; k < count; k++) order->v[from + (bottom && to->stack ? count - 1 - k : k)] = (item)pieces[k];
        order->n += (int32_t)count;
    }
}

/* The pieces at a place: a row from the left, a stack from the top. */
PLAIN Q contents(X *x, G *g, I place) {
    const Place *at_place = &places[at(x, place, PLACES)];
    Q found = {0, 0};
    if (at_place->order < 0) {
        set_p left = g->p[at_place->mask];
        I *items = allot(x, sizeof(I) * (size_t)P(size)(left));
        while (!P(is_empty)(left)) items[found.n++] = P(next)(&left);
        found.v = items;
        return found;
    }
    const Order *order = &g->q[at_place->order];
    I *items = allot(x, sizeof(I) * (size_t)order->n);
    found.n = order->n;
    for (int32_t k = 0; k < order->n; k++) items[k] = order->v[at_place->stack ? order->n - 1 - k : k];
    found.v = items;
    return found;
}

PLAIN void move_set(X *x, G *g, set_p pieces, I target, bool bottom, bool crowded) {
    I count = P(size)(pieces), n = 0;
    if (!count) return;
    I *items = allot(x, sizeof(I) * (size_t)count);
    I source = at(x, g->s[PIECE_CELLS + at(x, P(lowest)(pieces), PIECES)], PLACES);
    if (count > 1 && places[source].order >= 0) {
        Q lying = contents(x, g, source);
        for (int32_t k = 0; k < lying.n; k++)
            if (P(has)(pieces, lying.v[k])) items[n++] = lying.v[k];
    }
    if (n < count)
        for (n = 0; n < count;) items[n++] = P(next)(&pieces);
    put(x, g, items, count, target, bottom, crowded);
}

PLAIN void move_some(X *x, G *g, I count, I source, I target, bool bottom) {
    if (count <= 0) return;
    Q lying = contents(x, g, source);
    put(x, g, lying.v, least(count, lying.n), target, bottom, false);
}

PLAIN void move_kind(X *x, G *g, I count, set_p kind, I source, I target, bool bottom) {
    if (count <= 0) return;
    Q lying = contents(x, g, source);
    I n = 0, *items = allot(x, sizeof(I) * (size_t)lying.n);
    for (int32_t k = 0; k < lying.n && n < count; k++)
        if (P(has)(kind, lying.v[k])) items[n++] = lying.v[k];
    put(x, g, items, n, target, bottom, false);
}

PLAIN void insert(X *x, G *g, I piece, I target, I anchor, bool after) {
    if (piece == NONE) return;
    put(x, g, &piece, 1, target, false, false);
    const Place *to = &places[target];
    if (to->order < 0) fault(x);
    Order *order = &g->q[to->order];
    take_out(order, piece);
    int32_t k = 0;
    while (k < order->n && order->v[k] != anchor) k++;
    if (k == order->n) fault(x);
    k += after != to->stack;
    memmove(order->v + k + 1, order->v + k, sizeof order->v[0] * (size_t)(order->n - k));
    order->v[k] = (item)piece;
    order->n++;
}

PLAIN I nth(X *x, G *g, I number, I place) {
    Q lying = contents(x, g, place);
    return number < 1 || number > lying.n ? NONE : lying.v[number - 1];
}

PLAIN bool before(X *x, G *g, I a, I b) {
    if (a == NONE || b == NONE) return false;
    I place = at(x, g->s[PIECE_CELLS + at(x, a, PIECES)], PLACES);
    if (place != g->s[PIECE_CELLS + at(x, b, PIECES)] || places[place].order < 0) return false;
    const Order *order = &g->q[places[place].order];
    for (int32_t k = 0; k < order->n; k++) {
        if (order->v[k] == a && a != b) return !places[place].stack;
        if (order->v[k] == b) return places[place].stack && a != b;
    }
    return false;
}

/* Whether something distinguishes a piece from equal ones at the same place. */
PLAIN bool is_apart(X *x, G *g, I piece, I place) {
    if (places[place].order >= 0) return true;
    for (const Attached *each = attached + attached_from[piece]; each < attached + attached_from[piece + 1]; each++)
        if (!P(is_empty)(g->p[each->mask])) return true;
    (void)x;
    return false;
}

/* One of equal pieces that lie together, the first. */
PLAIN Q distinct(X *x, G *g, set_p pieces) {
    Q found = {0, 0};
    I *items = allot(x, sizeof(I) * (size_t)P(size)(pieces));
    while (!P(is_empty)(pieces)) {
        I piece = at(x, P(next)(&pieces), PIECES), place = at(x, g->s[PIECE_CELLS + piece], PLACES);
        bool again = false;
        if (!is_apart(x, g, piece, place))
            for (int32_t k = found.n - 1; k >= 0 && kinds[items[k]] == kinds[piece] && !again; k--)  /* in order */
                again = g->s[PIECE_CELLS + items[k]] == place && !is_apart(x, g, items[k], place);
        if (!again) items[found.n++] = piece;
    }
    found.v = items;
    return found;
}

PLAIN void shuffle(X *x, G *g, I place) {
    const Place *at_place = &places[at(x, place, PLACES)];
    if (at_place->order >= 0) shuffle_order(g, &g->q[at_place->order]);
}
