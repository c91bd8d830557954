"""What results are worth: intervals of means, Elo, ratings, and when to stop.

Nothing here knows a game or an agent, and nothing is drawn at random: the same results give the
same intervals. `docs/statistics.md` has the methods, their references and how often they hold.
"""
