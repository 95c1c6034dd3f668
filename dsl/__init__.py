"""The Regelwerk language as text: sources, syntax trees, diagnostics and checks. Games are not run here."""
