"""All that one seat may be shown: its view, its moves in notation, reasons, and nothing that is hidden from it."""
