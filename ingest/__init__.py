"""Take in mail: a door stores it, then jobs read, summarise and announce it."""
