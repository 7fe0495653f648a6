"""What the cards of calendar changes say: when they lapse, what is in the way, and of a series."""
