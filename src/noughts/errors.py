"""The faults a caller can make, each with a sentence that says what is wrong and what is allowed."""


class NoughtsError(ValueError):
    """Base of every error that is the caller's to mend."""


class ParseError(NoughtsError):
    """A text that cannot be read: a spec, a position, a file."""


class IllegalMove(NoughtsError):
    """A move that is not allowed in this position."""
