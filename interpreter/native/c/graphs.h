/* Searches over graphs: those of interpreter/graphs, without their caches. P is the form of sets of places, E of edges. */

typedef struct { I count; const int32_t *from, *edges, *others; } Links;

#define EDGES_OF(place, k) for (int32_t k = links->from[place]; k < links->from[(place) + 1]; k++)

#define SEARCH_REACH(P, E) \
    PLAIN set_##P reach_##P##_##E(X *x, const Links *links, I start, set_##E edges) { \
        set_##P reached = bit_##P(at(x, start, links->count)), waiting = reached; \
        while (!is_empty_##P(waiting)) { \
            I place = next_##P(&waiting); \
            EDGES_OF(place, k) if (has_##E(edges, links->edges[k]) && !has_##P(reached, links->others[k])) { \
                reached = union_##P(reached, bit_##P(links->others[k])); \
                waiting = union_##P(waiting, bit_##P(links->others[k])); \
            } \
        } \
        return reached; \
    }

#define SEARCH_NEAR(P, E) \
    PLAIN set_##P near_##P##_##E(X *x, const Links *links, I start, set_##E edges) { \
        set_##P found = bit_##P(-1); \
        I place = at(x, start, links->count); \
        EDGES_OF(place, k) if (has_##E(edges, links->edges[k])) found = union_##P(found, bit_##P(links->others[k])); \
        return found; \
    }

/* The components, by lowest member. `sequence` is the type of a sequence of sets. */
#define SEARCH_GROUPS(P, E, sequence) \
    PLAIN sequence groups_##P##_##E(X *x, const Links *links, set_##P places, set_##E edges) { \
        set_##P *found = allot(x, sizeof(set_##P) * (size_t)size_##P(places)), left = places; \
        int32_t n = 0; \
        while (!is_empty_##P(left)) { \
            set_##P group = bit_##P(next_##P(&left)), waiting = group; \
            while (!is_empty_##P(waiting)) { \
                I place = at(x, next_##P(&waiting), links->count); \
                EDGES_OF(place, k) if (has_##E(edges, links->edges[k]) && has_##P(left, links->others[k])) { \
                    set_##P other = bit_##P(links->others[k]); \
                    left = minus_##P(left, other); \
                    group = union_##P(group, other); \
                    waiting = union_##P(waiting, other); \
                } \
            } \
            found[n++] = group; \
        } \
        return (sequence){n, found}; \
    }

/* The edges of the shortest path that breadth-first search finds. */
#define SEARCH_PATH(R, E) \
    PLAIN opt_##R path_##R##_##E(X *x, const Links *links, I start, I goal, set_##E edges) { \
        opt_##R found = {bit_##R(-1), start == goal}; \
        if (start == goal) return found; \
        size_t room = sizeof(int32_t) * (size_t)links->count; \
        int32_t *queue = allot(x, room), *before = allot(x, room), *over = allot(x, room), n = 0; \
        memset(over, -1, room); \
        queue[n++] = (int32_t)at(x, start, links->count); \
        for (int32_t done = 0; done < n; done++) { \
            int32_t place = queue[done]; \
            EDGES_OF(place, k) { \
                int32_t other = links->others[k]; \
                if (!has_##E(edges, links->edges[k]) || other == start || over[other] >= 0) continue; \
                over[other] = links->edges[k]; \
                before[other] = place; \
                if (other == goal) { \
                    for (I back = goal; back != start; back = before[back]) \
                        found.v = union_##R(found.v, bit_##R(over[back])); \
                    found.there = true; \
                    return found; \
                } \
                queue[n++] = other; \
            } \
        } \
        return found; \
    }

/* The components where every link counts, by lowest member. */
#define SEARCH_HANGING(P, sequence) \
    PLAIN sequence hanging_##P(X *x, const set_##P *neighbours, I count, set_##P places) { \
        set_##P *found = allot(x, sizeof(set_##P) * (size_t)size_##P(places)), left = places; \
        int32_t n = 0; \
        while (!is_empty_##P(left)) { \
            set_##P group = bit_##P(next_##P(&left)), waiting = group; \
            while (!is_empty_##P(waiting)) { \
                set_##P more = both_##P(neighbours[at(x, next_##P(&waiting), count)], left); \
                waiting = union_##P(waiting, more); \
                left = minus_##P(left, more); \
                group = union_##P(group, more); \
            } \
            found[n++] = group; \
        } \
        return (sequence){n, found}; \
    }

#define SEARCH_JOINED(P) \
    PLAIN bool joined_##P(X *x, const set_##P *neighbours, I count, set_##P places, set_##P ends, set_##P others) { \
        set_##P waiting = both_##P(places, ends), left = minus_##P(places, waiting); \
        others = both_##P(others, places); \
        if (!is_empty_##P(both_##P(waiting, others))) return true; \
        while (!is_empty_##P(waiting)) { \
            set_##P more = both_##P(neighbours[at(x, next_##P(&waiting), count)], left); \
            if (!is_empty_##P(both_##P(more, others))) return true; \
            waiting = union_##P(waiting, more); \
            left = minus_##P(left, more); \
        } \
        return false; \
    }

PLAIN I steps_on(X *x, const I *steps, I places, I ways, I place, I way, I count) {
    if (count > 0) at(x, way, ways);
    for (I k = 0; k < count && place != NONE; k++) place = steps[at(x, place, places) * ways + way];
    return place;
}

#define SEARCH_SEEN_OVER(P) \
    PLAIN set_##P seen_over_##P(const int32_t *steps, const set_##P *inner, int count, set_##P ends, set_##P over) { \
        set_##P found = bit_##P(-1); \
        for (int k = 0; k < count; k++) { \
            set_##P way = both_##P(over, inner[k]), new = both_##P(up_##P(ends, steps[k]), way); \
            while (!is_empty_##P(new)) { \
                new = up_##P(new, steps[k]); \
                found = union_##P(found, new); \
                new = both_##P(new, way); \
            } \
            new = both_##P(down_##P(ends, steps[k]), way); \
            while (!is_empty_##P(new)) { \
                new = down_##P(new, steps[k]); \
                found = union_##P(found, new); \
                new = both_##P(new, way); \
            } \
        } \
        return found; \
    }

/* The rays of a place upwards, then downwards; a ray counts if its places before the first of `ends` are of `over`. */
#define SEARCH_ENCLOSED(P) \
    PLAIN set_##P enclosed_##P(const int32_t *from, const set_##P *rays, const set_##P *firsts, I place, \
                               set_##P ends, set_##P over) { \
        set_##P found = bit_##P(-1); \
        for (int32_t k = from[2 * place]; k < from[2 * place + 1]; k++) { \
            set_##P ray = rays[k], stop = minus_##P(ray, over), end; \
            I last = is_empty_##P(stop) ? 64 * (I)sizeof(set_##P) : lowest_##P(stop) + 1; \
            end = minus_##P(both_##P(both_##P(ray, ends), below_##P(last)), firsts[k]); \
            if (!is_empty_##P(end)) found = union_##P(found, both_##P(ray, below_##P(last_##P(end)))); \
        } \
        for (int32_t k = from[2 * place + 1]; k < from[2 * place + 2]; k++) { \
            set_##P ray = rays[k], stop = minus_##P(ray, over), end; \
            I first = is_empty_##P(stop) ? 0 : last_##P(stop); \
            end = minus_##P(minus_##P(both_##P(ray, ends), below_##P(first)), firsts[k]); \
            if (!is_empty_##P(end)) found = union_##P(found, minus_##P(ray, below_##P(lowest_##P(end) + 1))); \
        } \
        return found; \
    }
