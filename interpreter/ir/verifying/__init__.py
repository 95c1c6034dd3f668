"""What a module in intermediate form must keep to, topic by topic; `verifier.py` puts them together."""
