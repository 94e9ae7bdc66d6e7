"""How the lamp turns."""

TURN = 20  # seconds
FLASHES = (0.0, 2.5)  # after the begin of a turn


def is_lit(seconds: float) -> bool:
    """Whether a ship sees the light at this moment."""
    at = seconds % TURN
    return any(flash <= at < flash + 0.4 for flash in FLASHES)
