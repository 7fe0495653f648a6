"""Models of providers."""
