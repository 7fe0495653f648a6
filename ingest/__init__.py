"""How mail comes in: a door stores it, then it is read, summarised and announced."""
