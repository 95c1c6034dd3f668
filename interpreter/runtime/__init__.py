"""The functions that generated code calls: moves of pieces, chance, subsets."""
