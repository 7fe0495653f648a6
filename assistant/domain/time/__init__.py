"""The clock, moments in words, and times that a person typed."""
