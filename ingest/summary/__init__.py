"""Say what a mail says: its letters as a model sees them, and what of the answer they bear out."""
