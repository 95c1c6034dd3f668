"""The hunt for faults: small changes of rules that nothing notices, and what a search over games finds."""
