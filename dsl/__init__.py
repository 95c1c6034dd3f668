"""The Regelwerk language as text: source, syntax tree, diagnostics and checks. No game is run here."""
