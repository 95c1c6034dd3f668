/* The results of games. Expects SEATS, CRITERIA, CONDITIONS (bits of the criteria that are conditions) and TEAMS. */

typedef struct {
    int64_t *scores;      /* SEATS * CRITERIA of each game */
    int64_t *teams;       /* SEATS of each game, if there are teams */
    uint64_t *winners;    /* the seats that win, as bits */
    int64_t *decisions, *choices, *widest;
    uint8_t *failed;      /* whether a game has to be replayed */
} Results;

/* The winners: those that nobody is ahead of, if they meet all conditions; seats of a team rank as the best of them.
   interpreter/runtime/ranking.py */
INLINE bool meets(const int64_t *of) {
    for (int k = 0; k < CRITERIA; k++)
        if ((CONDITIONS >> k & 1) && !of[k]) return false;
    return true;
}

INLINE int compared(const int64_t *one, const int64_t *other) {
    int by = (int)meets(one) - (int)meets(other);
    for (int k = 0; k < CRITERIA && !by; k++) by = (one[k] > other[k]) - (one[k] < other[k]);
    return by;
}

INLINE uint64_t winners_of(const int64_t *scores, const int64_t *teams) {
    int best[SEATS], first = 0;
    for (int seat = 0; seat < SEATS; seat++) {
        best[seat] = seat;
        if (TEAMS && teams[seat] != NONE)
            for (int other = 0; other < SEATS; other++)
                if (teams[other] == teams[seat] && compared(scores + CRITERIA * other, scores + CRITERIA * best[seat]) > 0)
                    best[seat] = other;
        if (compared(scores + CRITERIA * best[seat], scores + CRITERIA * best[first]) > 0) first = seat;
    }
    if (!meets(scores + CRITERIA * best[first])) return 0;
    uint64_t found = 0;
    for (int seat = 0; seat < SEATS; seat++)
        if (!compared(scores + CRITERIA * best[seat], scores + CRITERIA * best[first])) found |= UINT64_C(1) << seat;
    return found;
}
