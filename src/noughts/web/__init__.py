"""The page: a small server, and what the browser is given."""
