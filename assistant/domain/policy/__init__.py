"""What decides, and by which rules."""
