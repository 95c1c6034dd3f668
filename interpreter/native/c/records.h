/* Recorded positions. A cell holds how many positions it has recorded; what they are is in the log of the cell, where
   those after that number belong to hypotheses and are overwritten. The key of a position is written first. */

typedef struct { uint64_t hash, sum; size_t from, size; int32_t next; } Entry;  /* `sum`: of the hashes so far */
typedef struct { Entry *entries; char *keys; int32_t *heads; int32_t count, room; size_t bytes; } Log;

enum { HEADS = 1 << 10, MOST_RECORDED = 1 << 20, LONGEST_KEY = 1 << 14 };

INLINE Log *logs_of(X *x) { return x->log; }

PLAIN void begin_key(X *x) { x->key_size = 0; }

PLAIN void note(X *x, const void *value, size_t size) {
    if (!x->key && !(x->key = malloc(LONGEST_KEY))) fault(x);
    if (x->key_size + size > LONGEST_KEY) fault(x);
    memcpy(x->key + x->key_size, value, size);
    x->key_size += size;
}

PLAIN uint64_t hash_of(const void *key, size_t size) {
    uint64_t found = size, part;
    for (size_t k = 0; k + 8 <= size; k += 8) {
        memcpy(&part, (const char *)key + k, 8);
        found = mixed(found ^ part);
    }
    return found;
}

PLAIN void forget(X *x) {
    for (int k = 0; k < LOGS; k++) {
        Log *log = logs_of(x) + k;
        if (log->heads) memset(log->heads, -1, sizeof(int32_t) * HEADS);
        log->count = 0;
    }
}

/* Room for one more entry with the key that was written. */
PLAIN void widen(X *x, Log *log, size_t from) {
    if (log->count == log->room) {
        int32_t room = log->room ? 2 * log->room : 256;
        Entry *entries = room > MOST_RECORDED ? NULL : realloc(log->entries, sizeof(Entry) * (size_t)room);
        if (!entries) fault(x);
        log->entries = entries;
        log->room = room;
    }
    if (from + x->key_size > log->bytes) {
        size_t bytes = 2 * (from + x->key_size);
        char *keys = bytes > MOST_MEMORY ? NULL : realloc(log->keys, bytes);
        if (!keys) fault(x);
        log->keys = keys;
        log->bytes = bytes;
    }
    if (!log->heads) {
        if (!(log->heads = malloc(sizeof(int32_t) * HEADS))) fault(x);
        memset(log->heads, -1, sizeof(int32_t) * HEADS);
    }
}

PLAIN I recorded(X *x, int number, I before) {
    Log *log = logs_of(x) + number;
    while (log->count > before) {  /* later entries come first in their lists */
        Entry *entry = &log->entries[--log->count];
        log->heads[entry->hash % HEADS] = entry->next;
    }
    size_t from = log->count ? log->entries[log->count - 1].from + log->entries[log->count - 1].size : 0;
    widen(x, log, from);
    uint64_t hash = hash_of(x->key, x->key_size);
    memcpy(log->keys + from, x->key, x->key_size);
    uint64_t sum = mixed(hash) + (log->count ? log->entries[log->count - 1].sum : 0);
    log->entries[log->count] = (Entry){hash, sum, from, x->key_size, log->heads[hash % HEADS]};
    log->heads[hash % HEADS] = log->count++;
    return before + 1;
}

PLAIN I times(X *x, int number, I known) {
    const Log *log = logs_of(x) + number;
    uint64_t hash = hash_of(x->key, x->key_size);
    I found = 0;
    if (!log->heads) return 0;
    for (int32_t k = log->heads[hash % HEADS]; k >= 0; k = log->entries[k].next) {
        const Entry *entry = log->entries + k;
        found += k < known && entry->hash == hash && entry->size == x->key_size
                 && !memcmp(log->keys + entry->from, x->key, x->key_size);
    }
    return found;
}

PLAIN void release(X *x) {
    for (int k = 0; x->log && k < LOGS; k++) {
        free(logs_of(x)[k].entries);
        free(logs_of(x)[k].keys);
        free(logs_of(x)[k].heads);
    }
    free(x->log);
    free(x->key);
}
