"""Reading the audit to check it: rows that somebody may have tampered with."""
