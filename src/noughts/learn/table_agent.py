"""`table` as an agent."""

from dataclasses import dataclass

from noughts.learn.agent import LearnedAgent


@dataclass(eq=False, repr=False)
class TableAgent(LearnedAgent):
    """Plays a table that a run has learned."""

    name = "table"
