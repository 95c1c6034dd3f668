/* Paths and trails, as the sets of their places or edges: interpreter/graphs/paths.py, trails.py. S is the form of these
   sets. Memory for a search is given back when it is done; only its result is kept. */

enum { MOST_PATHS = 100000, MOST_WALKS = 2000000 };

/* Keep the last items that were allotted, and none of what was allotted since `mark`. */
INLINE void *kept(X *x, size_t mark, const void *items, size_t bytes) {
    char *found = x->memory + mark;
    if (bytes) memmove(found, items, bytes);
    x->used = mark + ((bytes + 63) & ~(size_t)63);
    return found;
}

/* Walks that have begun, each by what it has visited and where it ends, each once. `slots` is a table by hash, with the
   number of a walk counted from 1. `precedes` is the order of ascending lists of members. */
#define WALKS(S) \
    typedef struct { set_##S seen; I last; } walk_##S; \
    typedef struct { walk_##S *v; int32_t *slots; int32_t n, room, cap; } walks_##S; \
    INLINE uint64_t hash_##S(set_##S a, uint64_t found) { \
        for (int k = 0; k < (int)(sizeof a / 8); k++) found = mixed(found ^ word_##S(a, k)); \
        return found; \
    } \
    PLAIN void more_walks_##S(X *x, walks_##S *walks) { \
        int32_t room = walks->room ? 2 * walks->room : 64; \
        walks->v = longer(x, walks->v, (size_t)walks->n, (size_t)(room / 2), sizeof(walk_##S)); \
        walks->slots = allot(x, sizeof(int32_t) * (size_t)room); \
        memset(walks->slots, 0, sizeof(int32_t) * (size_t)room); \
        walks->room = room; \
        for (int32_t n = 0; n < walks->n; n++) { \
            uint64_t k = hash_##S(walks->v[n].seen, (uint64_t)walks->v[n].last * GOLDEN); \
            while (walks->slots[k & (uint64_t)(room - 1)]) k++; \
            walks->slots[k & (uint64_t)(room - 1)] = n + 1; \
        } \
    } \
    PLAIN void begin_##S(X *x, walks_##S *walks, set_##S seen, I last) { \
        if (2 * walks->n >= walks->room) more_walks_##S(x, walks); \
        uint64_t k = hash_##S(seen, (uint64_t)last * GOLDEN); \
        for (;; k++) { \
            int32_t *slot = &walks->slots[k & (uint64_t)(walks->room - 1)]; \
            if (!*slot) { \
                if (walks->n >= walks->cap) fault(x); \
                walks->v[walks->n] = (walk_##S){seen, last}; \
                *slot = ++walks->n; \
                return; \
            } \
            if (walks->v[*slot - 1].last == last && equal_##S(walks->v[*slot - 1].seen, seen)) return; \
        } \
    } \
    PLAIN bool precedes_##S(set_##S a, set_##S b) { \
        set_##S apart = union_##S(minus_##S(a, b), minus_##S(b, a)); \
        if (is_empty_##S(apart)) return false; \
        I first = lowest_##S(apart); \
        set_##S upto = below_##S(first + 1); \
        return has_##S(a, first) ? !is_empty_##S(minus_##S(b, upto)) : is_empty_##S(minus_##S(a, upto)); \
    } \
    /* Sort: insertion in short runs, then runs are merged. */ \
    PLAIN set_##S *sorted_##S(X *x, set_##S *items, int32_t n) { \
        enum { RUN = 8 }; \
        for (int32_t from = 0; from < n; from += RUN) \
            for (int32_t k = from + 1; k < n && k < from + RUN; k++) { \
                set_##S item = items[k]; \
                int32_t to = k; \
                for (; to > from && precedes_##S(item, items[to - 1]); to--) items[to] = items[to - 1]; \
                items[to] = item; \
            } \
        if (n <= RUN) return items; \
        set_##S *others = allot(x, sizeof(set_##S) * (size_t)n); \
        for (int32_t run = RUN; run < n; run *= 2) { \
            poll(x); \
            for (int32_t from = 0; from < n; from += 2 * run) { \
                int32_t middle = (int32_t)least(n, from + (I)run), end = (int32_t)least(n, from + 2 * (I)run); \
                int32_t a = from, b = middle, to = from; \
                while (a < middle && b < end) others[to++] = precedes_##S(items[b], items[a]) ? items[b++] : items[a++]; \
                while (a < middle) others[to++] = items[a++]; \
                while (b < end) others[to++] = items[b++]; \
            } \
            set_##S *swapped = items; \
            items = others; \
            others = swapped; \
        } \
        return items; \
    } \
    /* What walks of `fewest` members or more have visited, each set once and in order; what was allotted since `mark` \
       is given back. */ \
    PLAIN set_##S *visited_##S(X *x, size_t mark, const walks_##S *walks, I fewest, int32_t *count) { \
        set_##S *items = allot(x, sizeof(set_##S) * (size_t)walks->n); \
        int32_t n = 0, once = 0; \
        for (int32_t k = 0; k < walks->n; k++) \
            if (size_##S(walks->v[k].seen) >= fewest) items[n++] = walks->v[k].seen; \
        items = sorted_##S(x, items, n); \
        for (int32_t k = 0; k < n; k++) \
            if (!once || !equal_##S(items[once - 1], items[k])) items[once++] = items[k]; \
        *count = once; \
        return kept(x, mark, items, sizeof(set_##S) * (size_t)once); \
    }

/* The paths of `fewest` places or more; `neighbours` are those of each place, within `places`. */
#define WALK_PATHS(S, sequence) \
    PLAIN sequence paths_among_##S(X *x, size_t mark, const set_##S *neighbours, set_##S places, I fewest, int32_t cap) { \
        walks_##S walks = {.cap = cap}; \
        sequence found; \
        for (set_##S left = places; !is_empty_##S(left);) { \
            I place = next_##S(&left); \
            begin_##S(x, &walks, bit_##S(place), place); \
        } \
        for (int32_t done = 0; done < walks.n; done++) { \
            walk_##S walk = walks.v[done]; \
            set_##S left = minus_##S(neighbours[walk.last], walk.seen); \
            poll(x); \
            while (!is_empty_##S(left)) { \
                I place = next_##S(&left); \
                begin_##S(x, &walks, union_##S(walk.seen, bit_##S(place)), place); \
            } \
        } \
        found.v = visited_##S(x, mark, &walks, fewest, &found.n); \
        return found; \
    }

/* For each place its neighbours over `edges`, both ends in `places`. */
#define WALK_NEIGHBOURS(P, E) \
    PLAIN set_##P *neighbours_##P##_##E(X *x, const Links *links, set_##P places, set_##E edges) { \
        set_##P *found = allot(x, sizeof(set_##P) * (size_t)links->count); \
        for (I place = 0; place < links->count; place++) found[place] = bit_##P(-1); \
        for (set_##P left = places; !is_empty_##P(left);) { \
            I place = at(x, next_##P(&left), links->count); \
            EDGES_OF(place, k) if (has_##E(edges, links->edges[k]) && has_##P(places, links->others[k])) \
                found[place] = union_##P(found[place], bit_##P(links->others[k])); \
        } \
        return found; \
    }

/* The same from the neighbours of each of the places, in ascending order. */
#define WALK_BY_PLACE(S, sequence) \
    PLAIN set_##S *by_place_##S(X *x, set_##S places, sequence linked) { \
        set_##S *found = allot(x, sizeof(set_##S) * (size_t)(is_empty_##S(places) ? 0 : last_##S(places) + 1)); \
        set_##S left = places; \
        for (int32_t k = 0; !is_empty_##S(left); k++) { \
            if (k >= linked.n) fault(x); \
            found[next_##S(&left)] = both_##S(linked.v[k], places); \
        } \
        return found; \
    }

/* The trails over `edges` with `fewest` edges or more; they pass only through places in `through`. */
#define WALK_TRAILS(P, E, sequence) \
    PLAIN sequence trails_##P##_##E(X *x, const Links *links, set_##P through, set_##E edges, I fewest) { \
        size_t mark = x->used; \
        walks_##E walks = {.cap = MOST_PATHS}; \
        sequence found; \
        for (I place = 0; place < links->count; place++) \
            EDGES_OF(place, k) if (has_##E(edges, links->edges[k])) \
                begin_##E(x, &walks, bit_##E(links->edges[k]), links->others[k]); \
        for (int32_t done = 0; done < walks.n; done++) { \
            walk_##E walk = walks.v[done]; \
            poll(x); \
            if (!has_##P(through, walk.last)) continue; \
            EDGES_OF(walk.last, k) if (has_##E(edges, links->edges[k]) && !has_##E(walk.seen, links->edges[k])) \
                begin_##E(x, &walks, union_##E(walk.seen, bit_##E(links->edges[k])), links->others[k]); \
        } \
        found.v = visited_##E(x, mark, &walks, fewest, &found.n); \
        return found; \
    }

/* The components of `places`, by lowest member; a link in either direction joins. */
#define WALK_GROUPS_BY(S, sequence) \
    PLAIN sequence groups_by_##S(X *x, set_##S places, sequence linked) { \
        set_##S *found = allot(x, sizeof(set_##S) * (size_t)linked.n); \
        int32_t n = 0; \
        for (int32_t k = 0; !is_empty_##S(places); k++) { \
            if (k >= linked.n) fault(x); \
            set_##S joined = union_##S(linked.v[k], bit_##S(next_##S(&places))); \
            int32_t apart = 0; \
            poll(x); \
            for (int32_t j = 0; j < n; j++) { \
                if (is_empty_##S(both_##S(found[j], joined))) found[apart++] = found[j]; \
                else joined = union_##S(joined, found[j]); \
            } \
            n = apart; \
            found[n++] = joined; \
        } \
        for (int32_t k = 1; k < n; k++) { \
            set_##S group = found[k]; \
            int32_t to = k; \
            for (; to > 0 && lowest_##S(group) < lowest_##S(found[to - 1]); to--) found[to] = found[to - 1]; \
            found[to] = group; \
        } \
        return (sequence){n, found}; \
    }
