"""Cat in the Box: see RULES.md for the rules, and protocol/cat_in_the_box.py for what bots see."""

from arena.games.cat_in_the_box.rules import CatInTheBox

__all__ = ["CatInTheBox"]
