"""What the style of a document says of an element. Nothing is loaded, and nothing laid out."""
