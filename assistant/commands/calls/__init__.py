"""Commands about calls: what waits, the yes or no, what was done, and taking it back."""
