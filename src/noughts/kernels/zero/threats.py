"""What is seen without a search: wins at once, moves that allow one, and wins with the next move.

A *threat* of a player is a mini board in which one mark would win him the game, if he may play
there. Everything said here is exact, so it counts as a proof.
"""

from noughts.kernels.jit import kernel
from noughts.kernels.zero.mini_boards import (
    ANYWHERE,
    DRAWN,
    FORCED,
    FREE,
    LOSS,
    OWN,
    OWNERS,
    STATE,
    TURN,
    UNKNOWN,
    legal_cells,
    play,
)


@kernel(allocates=False, inlined=True)
def winning_minis(tables, state, player):
    """The mini boards in which one mark would win the game for a player, as nine bits."""
    wanted = tables.completing[state[OWNERS + player]]
    found = 0
    if wanted:
        for mini in range(9):
            if (wanted >> mini) & 1 and tables.winning_cells[state[9 * player + mini]]:
                found |= 1 << mini
    return found


@kernel(allocates=False, inlined=True)
def can_win_now(tables, state):
    """Does the player on turn have a move that wins the game?"""
    found = winning_minis(tables, state, state[TURN])
    return found != 0 and (state[FORCED] == ANYWHERE or (found >> state[FORCED]) & 1 != 0)


@kernel(allocates=False)
def is_answered_by_a_win(tables, state, move, threats):
    """Would the opponent, with these winning mini boards, win right after this move?

    False for a move that decides its mini board: it may end the game or change what is open.
    """
    mini = move // 9
    cell = move - 9 * mini
    me = state[TURN]
    before = state[9 * me + mini]
    after = tables.next_own[before, cell]
    if after != before and after <= DRAWN:
        return False
    left = tables.next_theirs[state[9 * (1 - me) + mini], cell]
    if (threats >> mini) & 1 and not tables.winning_cells[left]:
        threats &= ~(1 << mini)
    free = state[FREE + cell]
    if cell == mini:
        free &= ~(1 << cell)
    if free:
        return (threats >> cell) & 1 != 0
    return threats != 0


@kernel(allocates=False)
def wins_in_three(tables, state, moves, n, ahead):
    """Which of n legal moves wins with the next one, whatever is answered: its place, or -1.

    Most moves are ruled out by where their answers lead: to a mini board that is neither closed
    nor a threat. `ahead` [2, STATE] is scratch.
    """
    me = state[TURN]
    owners = state[OWNERS + me]
    if owners == 0:
        return -1
    threats = winning_minis(tables, state, me)
    closed = 0
    for mini in range(9):
        if state[FREE + mini] == 0:
            closed |= 1 << mini
    for k in range(n):
        mini = moves[k] // 9
        cell = moves[k] - 9 * mini
        own = tables.next_own[state[9 * me + mini], cell]
        hoped = threats
        if own == OWN:
            hoped |= tables.completing[owners | (1 << mini)]
        elif (tables.completing[owners] >> mini) & 1 and tables.winning_cells[own]:
            hoped |= 1 << mini
        answers = state[FREE + cell]
        if cell == mini:
            answers = 0 if own <= DRAWN else answers & ~(1 << cell)
        if hoped == 0 or answers & ~(hoped | closed | (1 << mini) | (1 << cell)):
            continue
        for i in range(STATE):
            ahead[0, i] = state[i]
        result = play(tables, ahead[0], moves[k])
        if result == UNKNOWN and _all_moves_lose(tables, ahead[0], ahead[1]):
            return k
    return -1


@kernel(allocates=False)
def _all_moves_lose(tables, state, after):
    """Is every move of the player on turn answered by a win? `after` [STATE] is scratch."""
    me = state[TURN]
    threats = winning_minis(tables, state, 1 - me)
    if threats == 0 or can_win_now(tables, state):
        return False
    for mini in range(9):
        cells = legal_cells(state, mini)
        for cell in range(9):
            move = 9 * mini + cell
            if (cells >> cell) & 1 == 0 or is_answered_by_a_win(tables, state, move, threats):
                continue
            if tables.next_own[state[9 * me + mini], cell] > DRAWN:
                return False
            for i in range(STATE):
                after[i] = state[i]
            result = play(tables, after, move)
            if result == LOSS or (result == UNKNOWN and can_win_now(tables, after)):
                continue
            return False
    return True
