"""The invariants of modules by topic; `verifier.py` combines them."""
