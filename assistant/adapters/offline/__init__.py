"""The offline model: a grammar and extractive summaries, without a provider."""
