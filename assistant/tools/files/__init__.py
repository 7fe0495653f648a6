"""The file store's tools: three scopes, versions that are kept."""
