"""The processes of one machine, and the signs that they live."""
