"""Loop optimisations: restricting, unrolling and eliminating loops, and moving invariants out of them."""
