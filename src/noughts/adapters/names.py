"""The names under which Gymnasium finds our games.

A name in Gymnasium has no room for `=` and `,`, so boards without options have one of their own and
`noughts/Game-v0` takes every spec: `gymnasium.make("noughts/Game-v0", game="3x3:flip=0.1")`.
"""

NAMED = {
    "Game": "3x3",
    "3x3": "3x3",
    "4x4": "4x4",
    "3x3x3": "3x3x3",
    "Qubic": "qubic",
    "Ultimate": "ultimate",
}


def env_id(name: str) -> str:
    """The whole name, as `gymnasium.make` takes it."""
    return f"noughts/{name}-v0"


def register_names() -> None:
    """Tell Gymnasium; a name that it knows already is left alone."""
    import gymnasium

    for name, spec in NAMED.items():
        if env_id(name) not in gymnasium.registry:
            gymnasium.register(
                env_id(name),
                entry_point="noughts.adapters.gym:NoughtsEnv",
                vector_entry_point="noughts.adapters.vector:NoughtsVectorEnv",
                kwargs={"game": spec},
            )
