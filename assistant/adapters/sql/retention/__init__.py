"""What goes after its time, and how much there is."""
