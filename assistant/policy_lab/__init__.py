"""Try out a policy: replay, explain, suggest. Nothing on a call's path imports this package."""
