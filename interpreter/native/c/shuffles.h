/* Shuffles of what is in order. Expects G and Order. */

PLAIN void shuffle_order(G *g, Order *order) {
    for (int32_t last = order->n - 1; last > 0; last--) {
        I other = below(&g->chance, last + 1);
        item one = order->v[last];
        order->v[last] = order->v[other];
        order->v[other] = one;
    }
}
