"""What keeps everything going."""
