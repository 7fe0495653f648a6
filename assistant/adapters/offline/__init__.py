"""The offline model: a grammar, without a provider."""
