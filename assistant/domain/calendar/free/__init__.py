"""When the owner is free, when not, and what else would do."""
