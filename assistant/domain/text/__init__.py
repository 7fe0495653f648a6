"""Handle text that strangers may have written: fence, truncate, clean and match it."""
