"""The command line. Click, and words for people, stand here and nowhere else.

A command is a row of COMMANDS and a function in a file of its family. It may return its exit status; its file
imports what is slow to import inside the function, so that `arena --help` stays instant.
"""

import errno
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from types import FrameType
from typing import NamedTuple

import click

from arena import __version__
from arena.cli.tables import printable
from arena.errors import InputError, StorageError

__all__ = ["COMMANDS", "INTERRUPTED", "ISSUES_ARE_WELCOME", "exit_status", "group", "main"]

WELL, NO, INCONCLUSIVE, INPUT_ERROR, OWN_FAULT = range(5)
"""Exit statuses. NO is the answer of a check; INCONCLUSIVE of a test that ended undecided."""
INTERRUPTED = 130
"""As a shell reports SIGINT."""
BROKEN_PIPE = 141
"""As a shell reports SIGPIPE: whoever read the output wanted no more of it."""
MACHINE_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM}
"""What no traceback helps against."""
ISSUES_ARE_WELCOME = "This is a fault of the arena, not of a bot. Please report it with the lines above."


class Command(NamedTuple):
    """target: `module:function`, imported when it is called.  summary: its line in `arena --help`."""

    target: str
    summary: str


COMMANDS = {
    "run": Command("arena.cli.run:run", "Play a tournament, or go on with it."),
    "regress": Command("arena.cli.regress:regress", "Test a changed bot against its baseline."),
    "play": Command("arena.cli.play:play", "Play one game at the terminal, bots and people."),
    "bench": Command("arena.cli.bench:bench", "Measure how fast this machine plays."),
    "leaderboard": Command("arena.cli.results:leaderboard", "Show the Elo leaderboard of a run."),
    "export": Command("arena.cli.results:export", "Write the games of a run as JSON Lines or CSV."),
    "replay": Command("arena.cli.replay:replay", "Step through a stored game."),
    "verify": Command("arena.cli.results:verify", "Replay records and derive every score again."),
    "rate": Command("arena.cli.rate:rate", "Rate plain results from anywhere."),
    "stats": Command("arena.cli.stats:stats", "Calculate ratings and tests from counts of results."),
    "games": Command("arena.cli.reference:games", "List the games the arena plays."),
    "schema": Command("arena.cli.reference:schema", "Print the JSON Schema of the messages."),
}


class LazyGroup(click.Group):
    """The commands of COMMANDS, imported one by one as they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        if cmd_name not in COMMANDS:
            return None
        module, function = COMMANDS[cmd_name].target.split(":")
        command: click.Command = getattr(import_module(module), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in COMMANDS.items()])


@click.group(
    cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="arena")
@click.pass_context
def group(context: click.Context) -> None:
    """Tournaments of card-playing bots: play them, keep every game, rate the bots."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """The `arena` command."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)  # so that whatever a command holds is let go
    sys.exit(exit_status(sys.argv[1:]))


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def exit_status(arguments: Sequence[str]) -> int:
    """Run one command, with whatever goes wrong said on stderr."""
    try:
        with group.make_context("arena", list(arguments)) as context:
            status = group.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "arena"
        return _say(f"{' '.join(error.format_message().split())} (see {command} --help)", INPUT_ERROR)
    except InputError as error:
        return _say(str(error), INPUT_ERROR)
    except StorageError as error:
        return _say(str(error), OWN_FAULT)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python's last flush complains
        return BROKEN_PIPE
    except OSError as error:
        if error.errno not in MACHINE_ERRORS:
            traceback.print_exc()
        return _say(f"{error.filename or 'the output'}: {error.strerror}", OWN_FAULT)
    except Exception:  # noqa: BLE001 - the one place where a bug becomes an exit status
        traceback.print_exc()
        return _say(ISSUES_ARE_WELCOME, OWN_FAULT)
    return status or WELL


def _say(message: str, status: int) -> int:
    lines = [printable(line) for line in message.splitlines()]
    click.echo("error: " + "\n".join(lines), err=True)
    return status
