"""Games as programs that learn see them: tensors of what a seat may see, numbered actions, many games at once."""
