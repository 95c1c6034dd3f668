"""The laboratory: many games measured, compared and shown."""
