"""Whole mails, made here or written by hand, each with what a person would find in it."""
