"""How careful the assistant is: modes, signals, budget."""
