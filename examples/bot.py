#!/usr/bin/env python3
"""A complete bot: any open cell, drawn from the seed. docs/protocols.md explains the lines.

noughts play ultimate --x "external:cmd=python3 examples/bot.py" --o random
"""

import random
import sys


def choose(settings):
    random.seed(int(settings["seed"]))
    return random.choice(settings["cells"].split("/"))


for line in sys.stdin:
    message, *words = line.split()
    if message == "noughts":
        answer = "noughts 1 any cell"
    elif message == "go":
        answer = f"move {choose(dict(word.split('=') for word in words))}"
    elif message == "quit":
        break
    else:  # game, position
        answer = "ok"
    print(answer, flush=True)
