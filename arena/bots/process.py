"""A bot's process: spawn it, know when it ends, and leave nothing of it behind."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

__all__ = ["BotProcess", "adopt_orphans", "sweep"]

GRACE_PERIOD_S = 1.0
"""From SIGTERM to SIGKILL."""
LOG_TAIL_BYTES = 2000

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
    """Become the parent of what dead bots leave behind, so that `sweep` finds it (Linux)."""
    if _PRCTL is not None:
        _PRCTL(_PR_SET_CHILD_SUBREAPER, 1)


class BotProcess:
    """One run of a bot's program, in a session of its own, with stdout and stderr in `log`.

    token: in its environment as ARENA_TOKEN; tells its descendants from everybody else's.
    pidfd: readable once it has ended (Linux; None elsewhere).
    Raises OSError if the program cannot be started.
    """

    def __init__(self, argv: Sequence[str], folder: Path, environment: Mapping[str, str], log: Path) -> None:
        self.log = log
        self.token = environment["ARENA_TOKEN"]
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as output:
            self._log_start = output.tell()
            self._popen = subprocess.Popen(
                argv,
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=_die_with_parent(os.getpid()),
            )
        self.pid = self._popen.pid
        self.pidfd = os.pidfd_open(self.pid) if sys.platform == "linux" else None

    def exit_status(self) -> str | None:
        """How it ended (`exit status 1`, `signal SIGSEGV`), or None while it runs."""
        code = self._popen.poll()
        if code is None:
            return None
        return f"signal {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"

    def log_tail(self) -> str:
        """The end of what this run printed."""
        with self.log.open("rb") as output:
            end = output.seek(0, os.SEEK_END)
            output.seek(max(self._log_start, end - LOG_TAIL_BYTES))
            return output.read().decode("utf-8", "replace")

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
        sweep({self.token})


def sweep(tokens: set[str]) -> None:
    """Kill and reap what processes with these tokens have left behind, until nothing is."""
    while left := [process for process in _descendants(os.getpid()) if _token(process) in tokens]:
        _kill_all(left)


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
    with suppress(ProcessLookupError):
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
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=GRACE_PERIOD_S)
