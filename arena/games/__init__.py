"""The games the arena knows: one row each."""

from typing import Any

from arena.games.base import Game, OptionError
from arena.games.cat_box import CatBox
from arena.games.cat_in_the_box import CatInTheBox

__all__ = ["GAMES", "Game", "OptionError"]

GAMES: dict[str, type[Game[Any, Any]]] = {game.name: game for game in (CatInTheBox, CatBox)}
