/* Values that have occurred since a decision began to list its moves: a table by hash, with room doubled as it fills. Keys
   are words without gaps, all of one size. */

typedef struct { char *keys; uint8_t *filled; size_t count, room, size; } Seen;

PLAIN bool enter(Seen *seen, const void *key, size_t size) {
    for (size_t k = hash_of(key, size) & (seen->room - 1);; k = (k + 1) & (seen->room - 1)) {
        if (!seen->filled[k]) {
            seen->filled[k] = 1;
            seen->count++;
            memcpy(seen->keys + size * k, key, size);
            return true;
        }
        if (!memcmp(seen->keys + size * k, key, size)) return false;
    }
}

PLAIN bool is_new(X *x, Seen *seen, const void *key, size_t size) {
    if (2 * (seen->count + 1) > seen->room) {
        Seen before = *seen;
        seen->room = before.room ? 2 * before.room : 64;
        seen->count = 0;
        seen->keys = allot(x, size * seen->room);
        seen->filled = allot(x, seen->room);
        memset(seen->filled, 0, seen->room);
        for (size_t k = 0; k < before.room; k++)
            if (before.filled[k]) enter(seen, before.keys + size * k, size);
    }
    return enter(seen, key, size);
}
