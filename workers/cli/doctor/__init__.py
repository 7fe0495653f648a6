"""What `assistant doctor` tries, and what it says is wrong."""
