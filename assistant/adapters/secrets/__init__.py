"""Encryption of passwords, and the key for it."""
