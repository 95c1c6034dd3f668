/* Where pieces can be. Expects G, with the cells. */
#include <stddef.h>

typedef struct {
    int32_t mask, order;      /* numbers within g->p and g->q; -1: none */
    int32_t filled, bit;      /* the byte of G where the filled places begin, -1: none */
    bool single, stack;
} Place;

typedef struct { int32_t mask; } Attached;  /* a place on a piece, which distinguishes it from equal ones */

typedef uint64_t __attribute__((may_alias)) word;
