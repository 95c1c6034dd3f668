/* Recorded positions. A cell holds how many positions it has recorded; what they are is in the log of the cell, where
   those after that number belong to hypotheses and are overwritten. */

typedef struct { uint64_t hash; int32_t next; } Entry;
typedef struct { Entry *entries; char *keys; int32_t *heads; int32_t count, room; size_t size; } Log;

enum { HEADS = 1 << 10, MOST_RECORDED = 1 << 20 };

PLAIN uint64_t hash_of(const void *key, size_t size) {
    const uint64_t __attribute__((may_alias)) *words = key;
    uint64_t found = size;
    for (size_t k = 0; k < size / 8; k++) found = mixed(found ^ words[k]);
    return found;
}

PLAIN void forget(X *x) {
    Log *logs = x->log;
    for (int k = 0; k < LOGS; k++) {
        if (logs[k].heads) memset(logs[k].heads, -1, sizeof(int32_t) * HEADS);
        logs[k].count = 0;
    }
}

PLAIN I recorded(X *x, int number, I before, const void *key, size_t size) {
    Log *log = (Log *)x->log + number;
    while (log->count > before) {  /* later entries come first in their lists */
        Entry *entry = &log->entries[--log->count];
        log->heads[entry->hash % HEADS] = entry->next;
    }
    if (before >= log->room || !log->heads) {
        int32_t room = log->room ? 2 * log->room : 256;
        if (room > MOST_RECORDED) fault(x);
        Entry *entries = realloc(log->entries, sizeof(Entry) * (size_t)room);
        if (entries) log->entries = entries;
        char *keys = realloc(log->keys, size * (size_t)room);
        if (keys) log->keys = keys;
        if (!log->heads && (log->heads = malloc(sizeof(int32_t) * HEADS))) memset(log->heads, -1, sizeof(int32_t) * HEADS);
        if (!entries || !keys || !log->heads) fault(x);
        log->room = room;
        log->size = size;
    }
    uint64_t hash = hash_of(key, size);
    memcpy(log->keys + size * (size_t)log->count, key, size);
    log->entries[log->count] = (Entry){hash, log->heads[hash % HEADS]};
    log->heads[hash % HEADS] = log->count++;
    return before + 1;
}

PLAIN I times(X *x, int number, I known, const void *key, size_t size) {
    const Log *log = (const Log *)x->log + number;
    uint64_t hash = hash_of(key, size);
    I found = 0;
    if (log->heads)
        for (int32_t k = log->heads[hash % HEADS]; k >= 0; k = log->entries[k].next)
            found += k < known && log->entries[k].hash == hash && !memcmp(log->keys + size * (size_t)k, key, size);
    return found;
}

PLAIN void release(X *x) {
    Log *logs = x->log;
    for (int k = 0; logs && k < LOGS; k++) {
        free(logs[k].entries);
        free(logs[k].keys);
        free(logs[k].heads);
    }
    free(logs);
}
