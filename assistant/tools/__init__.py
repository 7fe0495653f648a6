"""What the model may ask for: one file a family, each a tuple of ``Tool`` values."""
