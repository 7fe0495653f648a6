"""The tables of the copy of a calendar."""
