/* Sets that share no member: all choices of such sets, and the best one. S is the form of the sets.
   interpreter/graphs/disjoint_sets.py, set_packing.py */

enum { MOST_PACKINGS = 200000, MOST_DEEP = 512, SHARES = 1 << 20 };

#define MOST_WORTH (INT64_C(1) << 30)

/* The best choice of listed sets, by dynamic programming: the highest total for the members that are left is computed
   once. Members that no set can join any more are solved apart; `mates` are for each member others, over which every
   set that has it is connected. A set is tried only if it can lead to something better: a member adds at most its
   `most`, the greatest worth of a set with it divided by the members of that set, in units of 1 / SHARES. The recursion
   is no deeper than the number of members.

   Of the best choices it is the first in order: with an earlier set of the least member that any of them has. */
#define BEST_PACKING(S, sequence) \
    typedef struct { set_##S left; I total; bool there; } known_##S; \
    typedef struct { \
        const set_##S *sets, *mates; \
        const I *worths; \
        I *bounds, *most;            /* for each set the sum over its members; for each member */ \
        int32_t *from, *in_order, *by_loss; /* for each member the sets that begin with it, in order and by loss */ \
        known_##S *known; \
        uint64_t count, room; \
    } packing_##S; \
    PLAIN known_##S *place_of_##S(const packing_##S *packing, set_##S left) { \
        uint64_t k = hash_##S(left, 0); \
        while (packing->known[k & (packing->room - 1)].there && !equal_##S(packing->known[k & (packing->room - 1)].left, left)) k++; \
        return &packing->known[k & (packing->room - 1)]; \
    } \
    PLAIN void more_known_##S(X *x, packing_##S *packing) { \
        known_##S *before = packing->known; \
        uint64_t room = packing->room; \
        packing->room = room ? 2 * room : 64; \
        packing->known = allot(x, sizeof(known_##S) * packing->room); \
        for (uint64_t k = 0; k < packing->room; k++) packing->known[k].there = false; \
        for (uint64_t k = 0; k < room; k++) \
            if (before[k].there) *place_of_##S(packing, before[k].left) = before[k]; \
    } \
    INLINE I loss_##S(const packing_##S *packing, int32_t set) { \
        return packing->bounds[set] - packing->worths[set] * SHARES; \
    } \
    /* The highest total for the members that are left, which is at most bound / SHARES. */ \
    PLAIN I highest_##S(X *x, packing_##S *packing, set_##S left, I bound) { \
        if (is_empty_##S(left) || bound < SHARES) return 0; \
        const known_##S *known = place_of_##S(packing, left); \
        if (known->there) return known->total; \
        poll(x); \
        I first = lowest_##S(left), total = 0; \
        set_##S part = bit_##S(first); \
        for (set_##S waiting = part; !is_empty_##S(waiting);) { \
            set_##S more = minus_##S(both_##S(packing->mates[next_##S(&waiting)], left), part); \
            part = union_##S(part, more); \
            waiting = union_##S(waiting, more); \
        } \
        if (!equal_##S(part, left)) { \
            I of_part = 0; \
            for (set_##S rest = part; !is_empty_##S(rest);) of_part += packing->most[next_##S(&rest)]; \
            total = highest_##S(x, packing, part, of_part) + highest_##S(x, packing, minus_##S(left, part), bound - of_part); \
        } else { \
            for (int32_t k = packing->from[first]; k < packing->from[first + 1]; k++) { \
                int32_t set = packing->by_loss[k]; \
                if (bound - loss_##S(packing, set) < (total + 1) * SHARES) break; \
                if (!is_empty_##S(minus_##S(packing->sets[set], left))) continue; \
                I rest = highest_##S(x, packing, minus_##S(left, packing->sets[set]), bound - packing->bounds[set]); \
                total = greatest(total, packing->worths[set] + rest); \
            } \
            I without = bound - packing->most[first]; \
            if (without >= (total + 1) * SHARES) \
                total = greatest(total, highest_##S(x, packing, minus_##S(left, bit_##S(first)), without)); \
        } \
        if (2 * packing->count >= packing->room) more_known_##S(x, packing); \
        packing->count++; \
        *place_of_##S(packing, left) = (known_##S){left, total, true}; \
        return total; \
    } \
    /* The sets in order by their least members, with those worth something; the members of these. */ \
    PLAIN set_##S prepared_##S(X *x, packing_##S *packing, int32_t n) { \
        set_##S all = bit_##S(-1); \
        int32_t count = 0; \
        for (int32_t k = 0; k < n; k++) \
            if (packing->worths[k] > 0) { all = union_##S(all, packing->sets[k]); count++; } \
        if (size_##S(all) > MOST_DEEP) fault(x); \
        I members = is_empty_##S(all) ? 0 : last_##S(all) + 1; \
        packing->bounds = allot(x, sizeof(I) * (size_t)n); \
        packing->most = allot(x, sizeof(I) * (size_t)members); \
        packing->from = allot(x, sizeof(int32_t) * (size_t)(members + 2)); \
        packing->in_order = allot(x, sizeof(int32_t) * (size_t)count); \
        packing->by_loss = allot(x, sizeof(int32_t) * (size_t)count); \
        memset(packing->most, 0, sizeof(I) * (size_t)members); \
        memset(packing->from, 0, sizeof(int32_t) * (size_t)(members + 2)); \
        for (int32_t k = 0; k < n; k++) { \
            I worth = packing->worths[k]; \
            if (worth <= 0 || is_empty_##S(packing->sets[k])) continue; \
            if (worth > MOST_WORTH) fault(x); \
            I size = size_##S(packing->sets[k]), share = (worth * SHARES + size - 1) / size; \
            for (set_##S left = packing->sets[k]; !is_empty_##S(left);) { \
                I member = next_##S(&left); \
                packing->most[member] = greatest(packing->most[member], share); \
            } \
            packing->from[lowest_##S(packing->sets[k]) + 2]++; \
        } \
        for (I member = 0; member < members; member++) packing->from[member + 2] += packing->from[member + 1]; \
        for (int32_t k = 0; k < n; k++) { \
            if (packing->worths[k] <= 0 || is_empty_##S(packing->sets[k])) continue; \
            packing->bounds[k] = 0; \
            for (set_##S left = packing->sets[k]; !is_empty_##S(left);) packing->bounds[k] += packing->most[next_##S(&left)]; \
            int32_t *end = &packing->from[lowest_##S(packing->sets[k]) + 1]; \
            packing->in_order[(*end)++] = k; \
        } \
        return all; \
    } \
    /* Sort the sets that begin with each member by loss: heaps. */ \
    PLAIN void by_loss_##S(const packing_##S *packing, int32_t *v, int32_t n) { \
        for (int32_t end = n, root = n / 2; end > 1;) { \
            int32_t at_end; \
            if (root) at_end = v[--root]; \
            else { at_end = v[--end]; v[end] = v[0]; } \
            int32_t k = root; \
            for (int32_t child; (child = 2 * k + 1) < end; k = child) { \
                if (child + 1 < end && loss_##S(packing, v[child]) < loss_##S(packing, v[child + 1])) child++; \
                if (loss_##S(packing, at_end) >= loss_##S(packing, v[child])) break; \
                v[k] = v[child]; \
            } \
            v[k] = at_end; \
        } \
    } \
    PLAIN I chosen_##S(X *x, size_t mark, const set_##S *mates, sequence sets, const I *worths, sequence *chosen) { \
        packing_##S packing = {.sets = sets.v, .mates = mates, .worths = worths}; \
        set_##S left = prepared_##S(x, &packing, sets.n), *found = allot(x, sizeof(set_##S) * (size_t)size_##S(left)); \
        I bound = 0, total, wanted; \
        int32_t n = 0; \
        if (!is_empty_##S(left)) { \
            I members = last_##S(left) + 1; \
            memcpy(packing.by_loss, packing.in_order, sizeof(int32_t) * (size_t)packing.from[members]); \
            for (I member = 0; member < members; member++) { \
                int32_t from = packing.from[member]; \
                by_loss_##S(&packing, packing.by_loss + from, packing.from[member + 1] - from); \
                bound += packing.most[member]; \
            } \
        } \
        more_known_##S(x, &packing); \
        wanted = total = highest_##S(x, &packing, left, bound); \
        while (wanted) { \
            I first = next_##S(&left); \
            I without = bound - packing.most[first]; \
            int32_t k = packing.from[first]; \
            set_##S with = union_##S(left, bit_##S(first)), rest = left; \
            for (; k < packing.from[first + 1]; k++) { \
                int32_t set = packing.in_order[k]; \
                if (!is_empty_##S(minus_##S(sets.v[set], with))) continue; \
                if (bound - loss_##S(&packing, set) < wanted * SHARES) continue; \
                rest = minus_##S(left, sets.v[set]); \
                if (worths[set] + highest_##S(x, &packing, rest, bound - packing.bounds[set]) == wanted) { \
                    found[n++] = sets.v[set]; \
                    wanted -= worths[set]; \
                    bound -= packing.bounds[set]; \
                    left = rest; \
                    break; \
                } \
            } \
            if (k == packing.from[first + 1]) bound = without; \
        } \
        chosen->n = n; \
        chosen->v = kept(x, mark, found, sizeof(set_##S) * (size_t)n); \
        return total; \
    } \
    /* For each member the members of all sets that have it. */ \
    PLAIN set_##S *mates_##S(X *x, sequence sets) { \
        set_##S all = bit_##S(-1); \
        for (int32_t k = 0; k < sets.n; k++) all = union_##S(all, sets.v[k]); \
        I members = is_empty_##S(all) ? 0 : last_##S(all) + 1; \
        set_##S *found = allot(x, sizeof(set_##S) * (size_t)members); \
        for (I member = 0; member < members; member++) found[member] = bit_##S(-1); \
        for (int32_t k = 0; k < sets.n; k++) \
            for (set_##S left = sets.v[k]; !is_empty_##S(left);) { \
                I member = next_##S(&left); \
                found[member] = union_##S(found[member], sets.v[k]); \
            } \
        return found; \
    }

/* Every choice of the sets in which no two share a member, the empty choice first. */
#define ALL_PACKINGS(S, sequence, sequences) \
    PLAIN sequences packings_##S(X *x, sequence sets) { \
        set_##S *taken = allot(x, sizeof(set_##S) * (size_t)(sets.n + 1)), *items = 0; \
        int32_t *chosen = allot(x, sizeof(int32_t) * (size_t)sets.n), *ends = 0; \
        int32_t n = 0, room = 0, filled = 0, space = 0, depth = 0, following = 0; \
        taken[0] = bit_##S(-1); \
        for (;;) { \
            poll(x); \
            if (n == MOST_PACKINGS) fault(x); \
            if (n == room) { room = room ? 2 * room : 16; ends = longer(x, ends, (size_t)n, (size_t)room, sizeof(int32_t)); } \
            if (filled + depth > space) { \
                space = 2 * (filled + depth) + 16; \
                items = longer(x, items, (size_t)filled, (size_t)space, sizeof(set_##S)); \
            } \
            for (int32_t k = 0; k < depth; k++) items[filled++] = sets.v[chosen[k]]; \
            ends[n++] = filled; \
            for (;;) { \
                while (following < sets.n && !is_empty_##S(both_##S(sets.v[following], taken[depth]))) following++; \
                if (following < sets.n || !depth) break; \
                following = chosen[--depth] + 1; \
            } \
            if (following == sets.n) break; \
            taken[depth + 1] = union_##S(taken[depth], sets.v[following]); \
            chosen[depth++] = following++; \
        } \
        sequence *found = allot(x, sizeof(sequence) * (size_t)n); \
        for (int32_t k = 0; k < n; k++) found[k] = (sequence){ends[k] - (k ? ends[k - 1] : 0), items + (k ? ends[k - 1] : 0)}; \
        return (sequences){n, found}; \
    }

/* The sum over the places of a row. */
#define SUM_OVER(S) \
    PLAIN I sum_over_##S(X *x, Q added, set_##S row) { \
        I found = 0; \
        while (!is_empty_##S(row)) found = add(x, found, added.v[at(x, next_##S(&row), added.n)]); \
        return found; \
    }

/* The lines that lie inside a set of places. */
#define LINES_IN(S, sequence) \
    PLAIN sequence lines_in_##S(X *x, sequence lines, set_##S places) { \
        set_##S *found = allot(x, sizeof(set_##S) * (size_t)lines.n); \
        int32_t n = 0; \
        for (int32_t k = 0; k < lines.n; k++) \
            if (is_empty_##S(minus_##S(lines.v[k], places))) found[n++] = lines.v[k]; \
        return (sequence){n, found}; \
    }
