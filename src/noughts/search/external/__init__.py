"""Programs as agents, and agents as programs: two line protocols, each spoken from both ends.

`drive_*` asks a program for moves, `serve_*` answers as one. docs/protocols.md describes what is
said, with transcripts.
"""

from noughts.search.external.agent import ExternalAgent

__all__ = ["ExternalAgent"]
