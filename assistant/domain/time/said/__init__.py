"""Days, times, lengths and repeats that a person says, in languages that are tables."""
