"""The tools that find a mail and read it."""
