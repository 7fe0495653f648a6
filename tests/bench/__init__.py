"""Each promise about speed as a ratio to something measured beside it, in the same run."""
