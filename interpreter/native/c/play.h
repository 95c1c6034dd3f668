/* Playing games: `game` plays one and fills in its results. */

/* Play games with consecutive seeds until all are played, time is up or `stop` is set; how many were played. A game
   that failed counts; its results mean nothing. */
int64_t play_games(uint64_t seed, int64_t count, double seconds, const volatile int32_t *stop, Results *results) {
    X *x = calloc(1, sizeof(X));
    volatile int64_t played = 0;
    double end = now() + seconds;
    if (!x) return 0;
    x->size = MEMORY;
    x->memory = malloc(x->size);
    x->stop = stop;
    x->log = calloc(LOGS + 1, sizeof(Log));
    x->kept = calloc(1, KEPT);
    if (x->memory && x->log && x->kept) {
        if (setjmp(x->fault)) {
            if (*stop) goto done;
            results->failed[played++] = 1;
        }
        while (played < count && !*stop) {
            int64_t number = played;
            if (number && now() > end) break;
            /* Reading the clock costs as much as a short game: play several until it is read again. */
            for (int64_t until = number + 16 < count ? number + 16 : count; number < until; number++) {
                x->used = 0;
                x->fuel = FUEL;
                x->limit = 0;
                played = number;
                game(x, seed + (uint64_t)number, results, number);
                played = number + 1;
            }
        }
    }
done:
    free(x->memory);
    free(x->moves);
    free(x->kept);
    for (int k = 0; k < MOST_LISTS; k++) free(x->lists[k].items);
    release(x);
    free(x);
    return played;
}
