"""Cat Box: see RULES.md for the rules, and protocol/cat_box.py for what bots see."""

from arena.games.cat_box.rules import CatBox

__all__ = ["CatBox"]
