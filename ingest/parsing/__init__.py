"""Read the parts of a mail: its messages, their facts, their texts and their files."""
