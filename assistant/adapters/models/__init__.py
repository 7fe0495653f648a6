"""Language models of providers."""
