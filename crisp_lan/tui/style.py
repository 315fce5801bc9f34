"""How the painter's words for styles look.

Only the terminal's own eight colours, bold, underline and reverse: they follow its theme, dark or
light, and are there on the poorest. Nothing is said by colour alone; without colour the rest stays.
"""

from __future__ import annotations

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

STYLE = Style.from_dict({})


def depth(colour: bool) -> ColorDepth | None:
    """None leaves it to the terminal, and to NO_COLOR."""
    return None if colour else ColorDepth.MONOCHROME
