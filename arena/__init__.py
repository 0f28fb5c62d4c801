"""The arena: bot processes, the referee, the store and the command line."""

__all__ = ["__version__"]

__version__ = "0.1.0"
