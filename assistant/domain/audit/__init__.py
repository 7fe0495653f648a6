"""The audit: an append-only record of decisions and effects."""
