"""The faults a caller can make, each told in one sentence: what is wrong, what is allowed."""


class NoughtsError(ValueError):
    """Base of every error that is the caller's to mend."""


class ParseError(NoughtsError):
    """A text that cannot be read: a spec, a position, a file."""


class IllegalMove(NoughtsError):
    """A move that is not allowed in this position."""


class NoughtsWarning(UserWarning):
    """Something could not be done that the answer does not depend on."""
