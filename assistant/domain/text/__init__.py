"""Text that strangers may have written: bounded, marked, matched."""
