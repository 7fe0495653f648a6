"""What settings are called in the environment. Apart from them, as it is needed without them."""

PREFIX = "ASSISTANT_"
