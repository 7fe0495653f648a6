"""Prose for the model, kept as prose."""

from importlib.resources import files


def prose(name: str) -> str:
    """The text of ``name.md`` beside this file."""
    return (files(__package__) / f"{name}.md").read_text(encoding="utf-8").strip()
