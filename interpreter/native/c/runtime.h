/* What every generated program needs: numbers, faults, memory for one step of a game, chance.

   A value that is none is NONE. What cannot go on here is a fault: it ends the game, which is then replayed by the
   interpreter, which says why. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int64_t I;
enum { MOST_LISTS = 16 };  /* sequences in cells, other than of numbers */
#define NONE INT64_MIN
#ifdef __OPTIMIZE__
#define INLINE static inline __attribute__((always_inline, unused))
#else  /* without optimisation, inlining only makes compiling slower */
#define INLINE static inline __attribute__((unused))
#endif
#define PLAIN static __attribute__((unused))
#define COLD static __attribute__((noinline, cold, unused))

/* The context of a thread: nothing in it outlives a game but its memory. */
typedef struct {
    jmp_buf fault;      /* where a game goes on that failed */
    char *memory;       /* for the values of one step of a game */
    size_t used, size;
    char *moves;        /* the legal moves of a decision, where they are listed */
    size_t room;
    size_t listed;      /* where they begin, in words, and how many they are, in play step by step */
    I count;
    char *kept_items;   /* sequences in cells of the state, in play step by step, and how many bytes there are */
    size_t kept_bytes;
    char *memories;     /* values that are remembered until pieces move; how many arrangements of them there were */
    uint64_t arrangements;
    void *log;          /* recorded positions */
    char *key;          /* the position that is recorded or looked up */
    size_t key_size;
    jmp_buf leave;      /* where a game goes on when its running rules are left, at `block` */
    int block;
    void *kept;         /* what has to survive that */
    struct { char *items; size_t room; } lists[MOST_LISTS];  /* sequences in cells */
    int32_t fuel;       /* loops until the clock is read */
    double limit;       /* when the game is given up; 0 until the clock is read */
    const volatile int32_t *stop;
} X;

enum { MOST_MEMORY = 1 << 28, FUEL = 1 << 14, MOST_SECONDS = 2 };

COLD _Noreturn void fault(X *x) { longjmp(x->fault, 1); }

COLD _Noreturn void leave(X *x, int block) {
    x->block = block;
    longjmp(x->leave, 1);
}

INLINE double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A game is given up when it has taken long or when everything is to stop. */
COLD void read_clock(X *x) {
    x->fuel = FUEL;
    double time = now();
    if (!x->limit) x->limit = time + MOST_SECONDS;
    if (*x->stop || time > x->limit) fault(x);
}

INLINE void poll(X *x) {
    if (__builtin_expect(--x->fuel < 0, 0)) read_clock(x);
}

/* ---------------------------------------------------------------- memory */

COLD void more_memory(X *x, size_t needed) {
    (void)needed;
    fault(x);
}

INLINE void *allot(X *x, size_t bytes) {
    size_t from = x->used;
    bytes = (bytes + 63) & ~(size_t)63;
    if (__builtin_expect(bytes > x->size - from, 0)) more_memory(x, bytes);
    x->used = from + bytes;
    return x->memory + from;
}

/* Room for one more item of a list that is full: another place with twice the room. */
INLINE void *longer(X *x, const void *items, size_t count, size_t room, size_t each) {
    void *found = allot(x, room * each);
    if (count) memcpy(found, items, count * each);
    return found;
}

PLAIN void make_room(X *x, size_t needed) {
    size_t room = x->room ? x->room : 1 << 12;
    while (room < needed) room *= 2;
    if (room > MOST_MEMORY) fault(x);
    char *found = realloc(x->moves, room);
    if (!found) fault(x);
    x->moves = found;
    x->room = room;
}

/* The items of a sequence in a cell. */
PLAIN const void *keep_list(X *x, int number, const void *items, size_t bytes) {
    if (bytes > x->lists[number].room) {
        char *found = bytes > MOST_MEMORY ? NULL : realloc(x->lists[number].items, 2 * bytes);
        if (!found) fault(x);
        x->lists[number].items = found;
        x->lists[number].room = 2 * bytes;
    }
    if (bytes) memmove(x->lists[number].items, items, bytes);
    return x->lists[number].items;
}

PLAIN const void *copied(X *x, const void *items, size_t bytes) {
    void *found = allot(x, bytes);
    return bytes ? memcpy(found, items, bytes) : found;
}

/* ---------------------------------------------------------------- numbers */

INLINE I at(X *x, I index, I count) {
    if (__builtin_expect((uint64_t)index >= (uint64_t)count, 0)) fault(x);
    return index;
}

/* A key of a table whose last entry is that of all other keys. */
INLINE I within(I key, I count) { return (uint64_t)key < (uint64_t)count ? key : count - 1; }

/* The place of an entry of a table, if it is there. */
INLINE I there(X *x, const uint8_t *known, I place) {
    if (__builtin_expect(!known[place], 0)) fault(x);
    return place;
}

INLINE I need(X *x, I value) {
    if (__builtin_expect(value == NONE, 0)) fault(x);
    return value;
}

INLINE I in_range(X *x, I value, I low, I high) {
    if (__builtin_expect(value != NONE && (value < low || value > high), 0)) fault(x);
    return value;
}

/* A result is never NONE by chance: it is the least number of all, and as much a fault as what is beyond it. */
INLINE I add(X *x, I a, I b) {
    I found;
    if (__builtin_expect(__builtin_add_overflow(a, b, &found), 0)) fault(x);
    return need(x, found);
}

INLINE I sub(X *x, I a, I b) {
    I found;
    if (__builtin_expect(__builtin_sub_overflow(a, b, &found), 0)) fault(x);
    return need(x, found);
}

INLINE I mul(X *x, I a, I b) {
    I found;
    if (__builtin_expect(__builtin_mul_overflow(a, b, &found), 0)) fault(x);
    return need(x, found);
}

INLINE I neg(X *x, I a) { return -need(x, a); }
INLINE I absolute(X *x, I a) { return a < 0 ? neg(x, a) : a; }

INLINE I product(X *x, I a, I b) {
    I found = mul(x, a, b);
    if (__builtin_expect(found > INT64_C(1000000000000000000) || found < -INT64_C(1000000000000000000), 0)) fault(x);
    return found;
}

/* Rounded down, as in the language. */
INLINE I floor_div(X *x, I a, I b) {
    if (__builtin_expect(b == 0 || a == NONE, 0)) fault(x);
    I found = a / b;
    return found - ((a % b != 0) & ((a < 0) != (b < 0)));
}

INLINE I floor_mod(X *x, I a, I b) {
    if (__builtin_expect(b == 0 || a == NONE, 0)) fault(x);
    I found = a % b;
    return found + (found != 0 && ((found < 0) != (b < 0)) ? b : 0);
}

INLINE I least(I a, I b) { return a <= b ? a : b; }
INLINE I greatest(I a, I b) { return a >= b ? a : b; }

/* ---------------------------------------------------------------- chance: interpreter/runtime/chance.py */

#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)
#define SEED_MULTIPLIER UINT64_C(0xD1B54A32D192ED03)
#define CHOICE_OFFSET UINT64_C(0x243F6A8885A308D3)
#define CHANCE_OFFSET UINT64_C(0x13198A2E03707344)

INLINE uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* One of `count` moves: nothing is drawn again, so that each decision takes one step. */
INLINE I chosen(uint64_t state, I count) {
    return (I)((unsigned __int128)mixed(state) * (uint64_t)count >> 64);
}

INLINE I below(uint64_t *state, I count) {
    uint64_t n = (uint64_t)count, threshold = (0 - n) % n;
    for (;;) {
        *state += GOLDEN;
        unsigned __int128 drawn = (unsigned __int128)mixed(*state) * n;
        if ((uint64_t)drawn >= threshold) return (I)(drawn >> 64);
    }
}
