"""The queue of record."""
