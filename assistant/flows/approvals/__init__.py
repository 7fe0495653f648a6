"""Answer calls that wait for their owner."""
