"""A bot's process: spawn it, know when it ends, and leave nothing of it behind."""

import ctypes
import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import psutil

from arena.errors import ArenaError

__all__ = ["GRACE_PERIOD_S", "BotProcess", "ProgramError", "adopt_orphans"]

GRACE_PERIOD_S = 1.0
"""From SIGTERM to SIGKILL."""
SWEEP_S = 5.0
LOG_TAIL_BYTES = 2000
PROGRAM_ERRORS = {errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.ENOEXEC, errno.ELOOP, errno.ENAMETOOLONG}
"""Of starting a program: what its manifest is to blame for."""

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def _prctl() -> Callable[[int, int], int] | None:
    """Linux's process control, or None elsewhere."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    return lambda option, value: int(libc.prctl(option, value, 0, 0, 0))


_PRCTL = _prctl()


def adopt_orphans() -> None:
    """Become the parent of what dead bots leave behind, so that it can be found and killed (Linux)."""
    if _PRCTL is not None:
        _PRCTL(_PR_SET_CHILD_SUBREAPER, 1)


class ProgramError(Exception):
    """A bot's program that cannot be started: one line."""


class BotProcess:
    """One run of a bot's program, in a session of its own, with stdout and stderr in `log`.

    token: in its environment as ARENA_TOKEN; tells its descendants from everybody else's.
    pidfd: readable once it has ended (Linux; None elsewhere).
    Raises ProgramError if the program is not there or is none, and OSError for any fault of the machine.
    """

    def __init__(self, argv: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path) -> None:
        self.log = log
        self.token = environment["ARENA_TOKEN"]
        log.parent.mkdir(parents=True, exist_ok=True)
        self._output = log.open("w+b")
        self._tail = ""
        try:
            self._popen = _spawn(argv, folder, environment, self._output)
        except BaseException:
            self._output.close()
            raise
        self.pid = self._popen.pid
        self.pidfd = os.pidfd_open(self.pid) if sys.platform == "linux" else None

    def exit_status(self) -> str | None:
        """How it ended (`exit status 1`, `signal SIGSEGV`), or None while it runs."""
        code = self._popen.poll()
        if code is None:
            return None
        return f"signal {_signal_name(-code)}" if code < 0 else f"exit status {code}"

    def log_tail(self) -> str:
        """The end of what this run printed, whatever the bot has done to its log since."""
        if not self._output.closed:
            file = self._output.fileno()
            start = max(0, os.fstat(file).st_size - LOG_TAIL_BYTES)
            self._tail = os.pread(file, LOG_TAIL_BYTES, start).decode("utf-8", "replace")
        return self._tail

    def terminate(self) -> None:
        """Ask the process and its group to end."""
        _signal_group(self.pid, signal.SIGTERM)

    def wait(self, timeout_s: float) -> bool:
        """Whether it has ended within `timeout_s`."""
        try:
            self._popen.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill(self) -> None:
        """End it now with all its descendants, and reap it."""
        descendants = _descendants(self.pid)
        _signal_group(self.pid, signal.SIGKILL)
        _kill_all(descendants)
        self._popen.wait()
        if self.pidfd is not None:
            os.close(self.pidfd)
        self.log_tail()
        self._output.close()
        _sweep(self.token)


def _sweep(token: str) -> None:
    """Kill and reap what the process with this token has left behind, until nothing is or SWEEP_S have passed."""
    deadline_s = time.monotonic() + SWEEP_S
    while left := [process for process in _descendants(os.getpid()) if _token(process) == token]:
        _kill_all(left)
        if time.monotonic() > deadline_s:
            raise ArenaError(f"cannot kill what a bot has left behind: processes {[p.pid for p in left]}")


def _spawn(
    argv: Sequence[str], folder: Path, environment: Mapping[str, str], output: BinaryIO
) -> "subprocess.Popen[bytes]":
    try:
        return subprocess.Popen(
            argv,
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_die_with_parent(os.getpid()),
        )
    except OSError as error:
        if error.errno in PROGRAM_ERRORS:
            raise ProgramError(f"cannot start {argv[0]}: {error.strerror}") from None
        raise


def _signal_name(number: int) -> str:
    """SIGKILL, or the bare number of a signal without a name, such as a real-time one."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _die_with_parent(parent: int) -> Callable[[], None] | None:
    prctl = _PRCTL
    if prctl is None:
        return None

    def before_exec() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)

    return before_exec


def _signal_group(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def _descendants(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _token(process: psutil.Process) -> str | None:
    try:
        return process.environ().get("ARENA_TOKEN")
    except psutil.Error:
        return None


def _kill_all(processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(processes, timeout=GRACE_PERIOD_S)
