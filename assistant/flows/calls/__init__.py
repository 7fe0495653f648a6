"""Judge, record, run and undo calls."""
