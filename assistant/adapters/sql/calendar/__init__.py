"""The rows of the copy of a calendar."""
