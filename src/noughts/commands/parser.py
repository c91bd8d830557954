"""A parser that answers wrong words in one sentence, as all of Noughts does."""

import argparse
import re
from typing import NoReturn

CHOICE = re.compile(r"argument (\S+): invalid choice: ['\"](.*)['\"] \(choose from (.*)\)")


class Parser(argparse.ArgumentParser):
    """An argparse parser whose errors are one line; its sub-parsers are of its kind."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {sentence(message)} '{self.prog} --help' explains.\n")


def sentence(message: str) -> str:
    """What argparse found wrong, as a sentence."""
    from noughts.games.grammar import did_you_mean

    found = CHOICE.match(message)
    if found is None:
        return f"{message[:1].upper()}{message[1:]}."
    argument, word, choices = found.groups()
    known = [choice.strip("' ") for choice in choices.split(",")]
    question = did_you_mean(word, known)
    return f"{argument} is one of {', '.join(known)}, not '{word}'{question}."
