/* Copies of the state. Expects G.

   Hypotheses copy it very often, and it is a few kilobytes: a loop of vectors is faster there than a call of memcpy, so
   that where every move is tried first a fifth more random games are played. */

typedef uint64_t block __attribute__((vector_size(32), aligned(8), may_alias));
enum { BLOCKS_OF_STATE = sizeof(G) / sizeof(block), LARGE_STATE = 1 << 13 };

INLINE void copy_cells(G *to, const G *from) {
    if (sizeof(G) > LARGE_STATE) {
        memcpy(to, from, sizeof(G));
        return;
    }
    block *target = (block *)to;
    const block *source = (const block *)from;
    int k = 0;
    for (; k + 4 <= BLOCKS_OF_STATE; k += 4) {
        block one = source[k], two = source[k + 1], three = source[k + 2], four = source[k + 3];
        target[k] = one, target[k + 1] = two, target[k + 2] = three, target[k + 3] = four;
        __asm__ volatile("" : : : "memory");  /* otherwise this would become a call of memcpy */
    }
    memcpy(target + k, source + k, sizeof(G) - sizeof(block) * (size_t)k);
}
