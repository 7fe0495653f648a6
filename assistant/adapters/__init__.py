"""The outside world, one library a file. Nothing here decides anything."""
