"""HTML mail as a person sees it: the text that is seen, and the text that is hidden, apart."""
