/* Sequences of numbers; their items live as long as one step of a game. Expects `Order`, a sequence in a cell. */

PLAIN Q order_of(X *x, const Order *order) {
    I *items = allot(x, sizeof(I) * (size_t)order->n);
    for (int32_t k = 0; k < order->n; k++) items[k] = order->v[k];
    return (Q){order->n, items};
}

PLAIN void store_order(X *x, Order *order, Q those) {
    if (those.n > ROOM) fault(x);
    for (int32_t k = 0; k < those.n; k++) {
        if (those.v[k] != (I)(item)those.v[k]) fault(x);
        order->v[k] = (item)those.v[k];
    }
    order->n = those.n;
}

PLAIN Q span(X *x, I low, I high) {
    I count = high < low ? 0 : add(x, sub(x, high, low), 1);
    if (count > ROOM * 1024) fault(x);
    I *items = allot(x, sizeof(I) * (size_t)count);
    for (I k = 0; k < count; k++) items[k] = low + k;
    return (Q){(int32_t)count, items};
}

PLAIN bool in_list(I value, Q those) {
    for (int32_t k = 0; k < those.n; k++)
        if (those.v[k] == value) return true;
    return false;
}

PLAIN Q take(Q those, I count) { return (Q){(int32_t)greatest(0, least(count, those.n)), those.v}; }

PLAIN Q reversed(X *x, Q those) {
    I *items = allot(x, sizeof(I) * (size_t)those.n);
    for (int32_t k = 0; k < those.n; k++) items[k] = those.v[those.n - 1 - k];
    return (Q){those.n, items};
}

PLAIN Q behind(X *x, Q those, I count) {
    if (count < 0) fault(x);
    I gone = least(count, those.n);
    return (Q){(int32_t)(those.n - gone), those.v + gone};
}

/* All but the last `count`, of which there is at least one. */
PLAIN Q without_last(X *x, Q those, I count) {
    if (count < 1) fault(x);
    return (Q){(int32_t)greatest(0, those.n - count), those.v};
}

PLAIN Q appended(X *x, Q one, Q other) {
    I *items = allot(x, sizeof(I) * (size_t)(one.n + other.n));
    if (one.n) memcpy(items, one.v, sizeof(I) * (size_t)one.n);
    if (other.n) memcpy(items + one.n, other.v, sizeof(I) * (size_t)other.n);
    return (Q){one.n + other.n, items};
}

#define MEMBERS_AS_LIST(S) \
    PLAIN Q members_##S(X *x, set_##S a) { \
        Q found = {0, 0}; \
        I *items = allot(x, sizeof(I) * (size_t)size_##S(a)); \
        while (!is_empty_##S(a)) items[found.n++] = next_##S(&a); \
        found.v = items; \
        return found; \
    }

#define LIST_AS_SET(S) \
    PLAIN set_##S as_set_##S(X *x, Q those) { \
        set_##S found = bit_##S(-1); \
        for (int32_t k = 0; k < those.n; k++) found = union_##S(found, single_##S(x, those.v[k])); \
        return found; \
    }

#define LIST_WITHOUT(S) \
    PLAIN Q without_##S(X *x, Q those, set_##S gone) { \
        Q found = {0, 0}; \
        I *items = allot(x, sizeof(I) * (size_t)those.n); \
        for (int32_t k = 0; k < those.n; k++) \
            if (!has_##S(gone, those.v[k])) items[found.n++] = those.v[k]; \
        found.v = items; \
        return found; \
    }
