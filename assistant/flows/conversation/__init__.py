"""Take in what the owner says, and let a model answer."""
