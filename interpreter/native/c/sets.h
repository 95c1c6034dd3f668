/* Sets of values as bits: u1 of up to 64, u2 of up to 128, and wN of N words.

   All forms have the same functions. `next_` takes the first member out of a set, `lowest_` only finds it; neither may be
   called with an empty set. */

typedef uint64_t set_u1;
typedef unsigned __int128 set_u2;

#define OPTIONAL_SET(S) typedef struct { set_##S v; bool there; } opt_##S;
OPTIONAL_SET(u1)
OPTIONAL_SET(u2)

INLINE set_u1 union_u1(set_u1 a, set_u1 b) { return a | b; }
INLINE set_u1 both_u1(set_u1 a, set_u1 b) { return a & b; }
INLINE set_u1 minus_u1(set_u1 a, set_u1 b) { return a & ~b; }
INLINE bool is_empty_u1(set_u1 a) { return !a; }
INLINE bool equal_u1(set_u1 a, set_u1 b) { return a == b; }
INLINE I size_u1(set_u1 a) { return __builtin_popcountll(a); }
INLINE I lowest_u1(set_u1 a) { return __builtin_ctzll(a); }
INLINE I last_u1(set_u1 a) { return a ? 63 - __builtin_clzll(a) : NONE; }
INLINE bool has_u1(set_u1 a, I i) { return (uint64_t)i < 64 && (a >> i & 1); }
INLINE set_u1 bit_u1(I i) { return (uint64_t)i < 64 ? UINT64_C(1) << i : 0; }
INLINE I next_u1(set_u1 *a) { I found = __builtin_ctzll(*a); *a &= *a - 1; return found; }
INLINE set_u1 up_u1(set_u1 a, I n) { return n < 64 ? a << n : 0; }
INLINE set_u1 down_u1(set_u1 a, I n) { return n < 64 ? a >> n : 0; }
INLINE set_u1 below_u1(I n) { return n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0); }
INLINE uint64_t word_u1(set_u1 a, int n) { return n ? 0 : a; }
INLINE set_u1 of_words_u1(const uint64_t *w) { return w[0]; }

INLINE set_u2 union_u2(set_u2 a, set_u2 b) { return a | b; }
INLINE set_u2 both_u2(set_u2 a, set_u2 b) { return a & b; }
INLINE set_u2 minus_u2(set_u2 a, set_u2 b) { return a & ~b; }
INLINE bool is_empty_u2(set_u2 a) { return !a; }
INLINE bool equal_u2(set_u2 a, set_u2 b) { return a == b; }
INLINE I size_u2(set_u2 a) { return __builtin_popcountll((uint64_t)a) + __builtin_popcountll((uint64_t)(a >> 64)); }
INLINE I lowest_u2(set_u2 a) {
    return (uint64_t)a ? __builtin_ctzll((uint64_t)a) : 64 + __builtin_ctzll((uint64_t)(a >> 64));
}
INLINE I last_u2(set_u2 a) {
    uint64_t high = (uint64_t)(a >> 64);
    return high ? 127 - __builtin_clzll(high) : last_u1((uint64_t)a);
}
INLINE bool has_u2(set_u2 a, I i) { return (uint64_t)i < 128 && (a >> i & 1); }
INLINE set_u2 bit_u2(I i) { return (uint64_t)i < 128 ? (set_u2)1 << i : 0; }
INLINE I next_u2(set_u2 *a) { I found = lowest_u2(*a); *a &= *a - 1; return found; }
INLINE set_u2 up_u2(set_u2 a, I n) { return n < 128 ? a << n : 0; }
INLINE set_u2 down_u2(set_u2 a, I n) { return n < 128 ? a >> n : 0; }
INLINE set_u2 below_u2(I n) { return n < 128 ? ((set_u2)1 << n) - 1 : ~(set_u2)0; }
INLINE uint64_t word_u2(set_u2 a, int n) { return n == 0 ? (uint64_t)a : n == 1 ? (uint64_t)(a >> 64) : 0; }
INLINE set_u2 of_words_u2(const uint64_t *w) { return (set_u2)w[1] << 64 | w[0]; }

/* Unrolled, the words of a set can be kept in registers; clang does so unasked. */
#if defined(__clang__)
#define EACH(N) for (int k = 0; k < N; k++)
#else
#define EACH(N) _Pragma("GCC unroll 8") for (int k = 0; k < N; k++)
#endif
#define WIDE_SET(S, N) \
    typedef struct { uint64_t w[N]; } set_##S; \
    OPTIONAL_SET(S) \
    INLINE set_##S union_##S(set_##S a, set_##S b) { EACH(N) a.w[k] |= b.w[k]; return a; } \
    INLINE set_##S both_##S(set_##S a, set_##S b) { EACH(N) a.w[k] &= b.w[k]; return a; } \
    INLINE set_##S minus_##S(set_##S a, set_##S b) { EACH(N) a.w[k] &= ~b.w[k]; return a; } \
    INLINE bool is_empty_##S(set_##S a) { uint64_t any = 0; EACH(N) any |= a.w[k]; return !any; } \
    INLINE bool equal_##S(set_##S a, set_##S b) { uint64_t any = 0; EACH(N) any |= a.w[k] ^ b.w[k]; return !any; } \
    INLINE I size_##S(set_##S a) { I n = 0; EACH(N) n += __builtin_popcountll(a.w[k]); return n; } \
    INLINE I lowest_##S(set_##S a) { EACH(N) if (a.w[k]) return 64 * k + __builtin_ctzll(a.w[k]); return NONE; } \
    INLINE I last_##S(set_##S a) { \
        for (int k = N - 1; k >= 0; k--) if (a.w[k]) return 64 * k + 63 - __builtin_clzll(a.w[k]); \
        return NONE; \
    } \
    INLINE bool has_##S(set_##S a, I i) { return (uint64_t)i < 64 * N && (a.w[i >> 6] >> (i & 63) & 1); } \
    INLINE set_##S bit_##S(I i) { \
        set_##S a = {{0}}; \
        if ((uint64_t)i < 64 * N) a.w[i >> 6] = UINT64_C(1) << (i & 63); \
        return a; \
    } \
    INLINE I next_##S(set_##S *a) { \
        EACH(N) if (a->w[k]) { I found = 64 * k + __builtin_ctzll(a->w[k]); a->w[k] &= a->w[k] - 1; return found; } \
        return NONE; \
    } \
    INLINE set_##S up_##S(set_##S a, I n) { \
        set_##S found = {{0}}; \
        for (int k = (int)(n >> 6); k < N; k++) { \
            found.w[k] = a.w[k - (n >> 6)] << (n & 63); \
            if ((n & 63) && k > (n >> 6)) found.w[k] |= a.w[k - (n >> 6) - 1] >> (64 - (n & 63)); \
        } \
        return found; \
    } \
    INLINE set_##S down_##S(set_##S a, I n) { \
        set_##S found = {{0}}; \
        for (int k = 0; k + (n >> 6) < N; k++) { \
            found.w[k] = a.w[k + (n >> 6)] >> (n & 63); \
            if ((n & 63) && k + (n >> 6) + 1 < N) found.w[k] |= a.w[k + (n >> 6) + 1] << (64 - (n & 63)); \
        } \
        return found; \
    } \
    INLINE set_##S below_##S(I n) { set_##S a; EACH(N) a.w[k] = below_u1(least(64, greatest(0, n - 64 * k))); return a; } \
    INLINE uint64_t word_##S(set_##S a, int n) { return n < N ? a.w[n] : 0; } \
    INLINE set_##S of_words_##S(const uint64_t *w) { set_##S a; EACH(N) a.w[k] = w[k]; return a; }

/* Members, from the first on; the number of a member counts from 0. */
#define MEMBERS(S, BITS) \
    INLINE I first_##S(set_##S a) { return is_empty_##S(a) ? NONE : lowest_##S(a); } \
    INLINE set_##S single_##S(X *x, I i) { return bit_##S(i == NONE ? -1 : at(x, i, 8 * (I)sizeof(set_##S))); } \
    PLAIN I select_##S(set_##S a, I number) { \
        I low = 0; \
        for (I step = (BITS) / 2; step; step /= 2) { \
            I under = size_##S(both_##S(down_##S(a, low), below_##S(step))); \
            if (number >= under) { number -= under; low += step; } \
        } \
        return low; \
    } \
    PLAIN I nth_member_##S(I number, set_##S a) { \
        return number < 1 || number > size_##S(a) ? NONE : select_##S(a, number - 1); \
    } \
    /* The same over several sets: a member comes once for each set that has it, in the order of the sets. */ \
    PLAIN I select_way_##S(const set_##S *sets, int count, I number, I *way) { \
        I low = 0; \
        for (I step = (BITS) / 2; step; step /= 2) { \
            I under = 0; \
            for (int k = 0; k < count; k++) under += size_##S(both_##S(down_##S(sets[k], low), below_##S(step))); \
            if (number >= under) { number -= under; low += step; } \
        } \
        for (int k = 0; k < count; k++) \
            if (has_##S(sets[k], low) && number-- == 0) { *way = k; break; } \
        return low; \
    }
MEMBERS(u1, 64)
MEMBERS(u2, 128)

/* A set in another form; what does not fit is a fault. */
#define CAST(FROM, TO, WORDS_FROM, WORDS_TO) \
    INLINE set_##TO FROM##_to_##TO(X *x, set_##FROM a) { \
        uint64_t w[WORDS_TO] = {0}; \
        for (int k = 0; k < WORDS_FROM; k++) { \
            if (k < WORDS_TO) w[k] = word_##FROM(a, k); \
            else if (word_##FROM(a, k)) fault(x); \
        } \
        return of_words_##TO(w); \
    }
