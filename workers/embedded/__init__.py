"""Embedded servers for a machine that has none: prepare their files and start them."""
