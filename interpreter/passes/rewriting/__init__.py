"""How passes rewrite the IR: names replaced by values, and given anew."""
