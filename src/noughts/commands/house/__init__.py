"""Commands about the house itself: what there is, how fast, what is stored."""
