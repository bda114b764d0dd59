from typing import Final

KNOWLEDGE: Final = 128

def forget_games() -> None: ...
