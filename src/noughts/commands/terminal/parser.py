"""A parser that answers wrong words in one sentence, as all of Noughts does."""

import argparse
from typing import Any, NoReturn

from noughts.games.grammar import did_you_mean


class Parser(argparse.ArgumentParser):
    """An argparse parser whose errors are one line; its sub-parsers are of its kind."""

    def error(self, message: str) -> NoReturn:
        told = f"{message[:1].upper()}{message[1:]}."
        self.exit(2, f"{self.prog}: {told} '{self.prog} --help' explains.\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Say which words there are; argparse asks here whether a choice is one of them."""
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        name = "/".join(action.option_strings) or action.metavar or action.dest
        question = did_you_mean(str(value), known)
        raise argparse.ArgumentError(
            None, f"{name} is one of {', '.join(known)}, not '{value}'{question}"
        )
