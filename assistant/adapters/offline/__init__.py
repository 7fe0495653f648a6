"""A model without a provider."""
