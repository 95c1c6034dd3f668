/* Choices of several members, as interpreter/runtime/subsets.py. Expects `Groups`, a sequence of sequences: members that
   nothing tells apart form a group, of which only the first ones are ever taken. */

enum { MOST_HANDFULS = 100000, LARGEST_HANDFUL = 512 };  /* on which the depth of a recursion depends */

PLAIN Groups singles(X *x, Q members) {
    Q *groups = allot(x, sizeof(Q) * (size_t)members.n);
    for (int32_t k = 0; k < members.n; k++) groups[k] = (Q){1, members.v + k};
    return (Groups){members.n, groups};
}

/* The number of members from each group on, and 0 after the last. */
PLAIN const I *members_from(X *x, Groups groups) {
    I *found = allot(x, sizeof(I) * (size_t)(groups.n + 1));
    found[groups.n] = 0;
    for (int32_t k = groups.n - 1; k >= 0; k--) found[k] = found[k + 1] + groups.v[k].n;
    return found;
}

/* The number of subsets of a size, for each size up to `most`; a fault if there are too many in all. */
PLAIN void check_number_of_subsets(X *x, Groups groups, I fewest, I most) {
    const I *remaining = members_from(x, groups);
    most = least(most, remaining[0]);
    if (most < 0) return;
    size_t room = sizeof(I) * (size_t)(most + 1);
    I *counts = allot(x, room), *more = allot(x, room), all = 0;
    memset(counts, 0, room);
    counts[0] = 1;
    for (int32_t g = 0; g < groups.n; g++) {
        memset(more, 0, room);
        for (I size = 0; size <= most; size++)
            for (I taken = 0; counts[size] && taken <= groups.v[g].n && size + taken <= most; taken++)
                more[size + taken] = least(more[size + taken] + counts[size], MOST_HANDFULS + 1);
        I *other = counts;
        counts = more;
        more = other;
    }
    for (I size = greatest(0, fewest); size <= most; size++) all += counts[size];
    if (all > MOST_HANDFULS) fault(x);
}

/* The members that may be taken next after a set, so that `fewest` in all can still be reached. */
#define SUBSETS_PICKS(S) \
    PLAIN Q picks_##S(X *x, Groups groups, set_##S chosen, I fewest) { \
        const I *remaining = members_from(x, groups); \
        I *taken = allot(x, sizeof(I) * (size_t)groups.n), *items = allot(x, sizeof(I) * (size_t)groups.n); \
        I all = 0; \
        int32_t last = 0, n = 0; \
        for (int32_t g = 0; g < groups.n; g++) { \
            taken[g] = 0; \
            for (int32_t k = 0; k < groups.v[g].n; k++) taken[g] += has_##S(chosen, groups.v[g].v[k]); \
            if (taken[g]) last = g; \
            all += taken[g]; \
        } \
        I needed = greatest(1, least(fewest, remaining[0]) - all); \
        for (int32_t g = last; g < groups.n; g++) \
            if (taken[g] < groups.v[g].n && remaining[g] - taken[g] >= needed) items[n++] = groups.v[g].v[taken[g]]; \
        return (Q){n, items}; \
    }

/* All subsets of some sizes, the small ones first. `sequence` is the type of a sequence of sets. */
#define SUBSETS_HANDFULS(S, sequence) \
    typedef struct { X *x; Groups groups; const I *remaining; set_##S *found; int32_t n, room; } Handfuls_##S; \
    PLAIN void extend_##S(Handfuls_##S *all, set_##S subset, int32_t first, I used, I left) { \
        if (!left) { \
            if (all->n == all->room) { \
                all->room *= 2; \
                all->found = longer(all->x, all->found, (size_t)all->n, (size_t)all->room, sizeof(set_##S)); \
            } \
            all->found[all->n++] = subset; \
            return; \
        } \
        for (int32_t g = first; g < all->groups.n; g++) { \
            I taken = g == first ? used : 0; \
            if (all->remaining[g] - taken < left) break; \
            if (taken < all->groups.v[g].n) \
                extend_##S(all, union_##S(subset, bit_##S(all->groups.v[g].v[taken])), g, taken + 1, left - 1); \
        } \
    } \
    PLAIN sequence handfuls_##S(X *x, Groups groups, I fewest, I most) { \
        check_number_of_subsets(x, groups, fewest, most); \
        if (most > LARGEST_HANDFUL && members_from(x, groups)[0] > LARGEST_HANDFUL) fault(x); \
        Handfuls_##S all = {x, groups, members_from(x, groups), allot(x, sizeof(set_##S) * 64), 0, 64}; \
        for (I size = greatest(0, fewest); size <= least(most, all.remaining[0]); size++) \
            extend_##S(&all, bit_##S(-1), 0, 0, size); \
        return (sequence){all.n, all.found}; \
    }
