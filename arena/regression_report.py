"""What a regression test came to: a verdict, the three gates that make it, and what each of them rests on."""

import shlex
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from arena.record import Record
from arena.regress import RegressionRun
from arena.store import Store
from tournaments.regression import BASELINE, CANDIDATE, BlockFault, Cause, Regression
from tournaments.regression_spec import RegressionSpec
from tournaments.sprt import State, Verdict

__all__ = ["Gate", "Report", "ReportedFault", "Times", "report", "strength_line", "times_of"]

GateVerdict: TypeAlias = Verdict | Literal["undecided"]
"""undecided: the test ended for another reason before this could be judged."""

TIME_FAULTS = {"timeout"}
"""Kinds of faults that are the time gate's; all others are reliability's."""


class ReportedFault(BlockFault, frozen=True, kw_only=True):
    """is_new: it counts against the candidate.  replay: the command that shows the game.  log: file or folder."""

    is_new: bool
    replay: str
    log: str

    @property
    def text(self) -> str:
        return f"{self.bot}, seat {self.seat} of game {self.key}: {self.reason}: {self.detail}"

    @property
    def lines(self) -> list[str]:
        """What it was and where to look."""
        return [self.text, f"  see the game: {self.replay}", f"  its output: {self.log}"]


class Times(Struct, frozen=True):
    """Of a bot's decisions, as charged to it. None where there is none."""

    decisions: int
    median_ms: float | None
    p99_ms: float | None
    worst_ms: float | None

    @property
    def text(self) -> str:
        if self.median_ms is None:
            return "no decision"
        return f"median {self.median_ms:.1f} ms, p99 {self.p99_ms:.1f} ms, worst {self.worst_ms:.1f} ms"


class Gate(Struct, frozen=True):
    """One question of the test. text: the answer in one line.  faults: that fail it."""

    name: Literal["strength", "reliability", "time"]
    verdict: GateVerdict
    text: str
    faults: tuple[ReportedFault, ...] = ()


class Report(Struct, frozen=True):
    """Everything that is said about a test, for people and programs.

    candidate, baseline, field: as they were named.  run: the folder that keeps the games.
    faults: of candidate and baseline, in the judged games.  times: by bot.
    """

    verdict: Verdict
    cause: Cause | None
    candidate: str
    baseline: str
    field: list[str]
    game: str
    options: dict[str, Any]
    seats: int
    seed: str
    elo0: float
    elo1: float
    alpha: float
    beta: float
    max_games: int
    blocks: int
    games: int
    mean: float | None
    nelo: float | None
    nelo_pm95: float | None
    llr: float | None
    lower: float
    upper: float
    run: str
    gates: list[Gate]
    faults: list[ReportedFault]
    times: dict[str, Times]

    @property
    def headline(self) -> str:
        return f"{self.verdict}: {self.candidate} against {self.baseline}, {self.game}, {self.seats} seats"


def report(run: RegressionRun) -> Report:
    """The report on a test that is over."""
    spec, regression, state = run.test.spec, run.regression, run.regression.state
    faults = [_reported(run, fault) for fault in regression.faults]
    times = times_of((CANDIDATE, BASELINE), _first_records(run.store, regression.games))
    shown = ("blocks", "games", "mean", "nelo", "nelo_pm95", "llr", "lower", "upper")
    given = ("candidate", "baseline", "field", "seats", "seed")
    return Report(
        verdict=regression.verdict,
        cause=regression.cause,
        game=run.test.game.name,
        options=run.test.game.options,
        max_games=spec.blocks * spec.design.games,
        run=str(run.store.folder),
        gates=[
            Gate("strength", _strength_verdict(regression), _strength(regression, state, spec)),
            _fault_gate("reliability", faults, _reliability(faults, state.games)),
            _fault_gate("time", faults, "; ".join(f"{bot}: {of.text}" for bot, of in times.items())),
        ],
        faults=faults,
        times=times,
        **msgspec.structs.asdict(spec.sprt),
        **{name: getattr(state, name) for name in shown},
        **{name: getattr(spec, name) for name in given},
    )


def strength_line(state: State) -> str:
    """How the sequential test stands."""
    if state.mean is None:
        return "no block yet"
    line = f"{state.blocks} blocks, {state.games} games, mean {state.mean:.4f}"
    if state.nelo is None or state.llr is None:
        return f"{line}, all blocks alike"
    nelo = f"nElo {state.nelo:+.1f} ± {state.nelo_pm95:.1f}"
    return f"{line}, {nelo}, LLR {state.llr:.2f} in [{state.lower:.2f}, {state.upper:.2f}]"


def _strength_verdict(regression: Regression) -> GateVerdict:
    return "undecided" if regression.cause == "faults" else regression.verdict


def _strength(regression: Regression, state: State, spec: RegressionSpec) -> str:
    line = strength_line(state)
    match regression.cause:
        case "same_moves":
            but = "" if regression.verdict == "passed" else ", so nothing was gained"
            return (
                f"no functional change: on the same cards and with the same seeds candidate and baseline "
                f"made the same moves in {state.blocks} blocks of {spec.design.games} games, "
                f"{regression.same_decisions} decisions of the candidate{but}"
            )
        case "strength":
            accepted = spec.sprt.elo1 if regression.verdict == "passed" else spec.sprt.elo0
            other = spec.sprt.elo0 if regression.verdict == "passed" else spec.sprt.elo1
            return f"{line}: nElo {accepted:+g} accepted against {other:+g}"
        case "faults":
            return f"not judged, as a new fault ended the test; {line}"
    same = "" if regression.same_decisions is None else ", all moves were the same"
    return f"undecided between nElo {spec.sprt.elo0:+g} and {spec.sprt.elo1:+g}: {line}{same}"


def _reliability(faults: Sequence[ReportedFault], games: int) -> str:
    def counted(bot: str) -> str:
        kinds = Counter(fault.reason for fault in faults if fault.bot == bot)
        return ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "none"

    return f"faults in {games} games: candidate {counted(CANDIDATE)}; baseline {counted(BASELINE)}"


def _fault_gate(name: Literal["reliability", "time"], faults: Sequence[ReportedFault], text: str) -> Gate:
    mine = tuple(
        fault for fault in faults if fault.is_new and (fault.reason in TIME_FAULTS) == (name == "time")
    )
    return Gate(name, "failed" if mine else "passed", text, mine)


def _reported(run: RegressionRun, fault: BlockFault) -> ReportedFault:
    folder = run.store.folder
    log = run.logs.get((fault.position, fault.seat), folder / "logs" / fault.bot)
    return ReportedFault(
        **msgspec.structs.asdict(fault),
        is_new=fault in run.regression.new_faults,
        replay=shlex.join(["arena", "replay", str(folder), fault.key]),
        log=str(log),
    )


def times_of(bots: Sequence[str], records: Iterable[Record]) -> dict[str, Times]:
    """By bot, from records with times."""
    taken = {bot: array("d") for bot in bots}
    for record in records:
        for entry in record.moves:
            if entry.ms is not None and (bot := record.seats[entry.seat]) in taken:
                taken[bot].append(entry.ms)
    return {bot: _summed_up(sorted(times)) for bot, times in taken.items()}


def _first_records(store: Store, games: int) -> Iterator[Record]:
    """The games at the first positions, with times."""
    decode = msgspec.json.Decoder(Record).decode
    for position, line in zip(store.positions(), store.records(timings=True), strict=True):
        if position >= games:
            return
        yield decode(line)


def _summed_up(times: Sequence[float]) -> Times:
    """times: ascending."""
    if not times:
        return Times(0, None, None, None)
    at = [times[ceil(share * len(times)) - 1] for share in (0.5, 0.99)]
    return Times(len(times), at[0], at[1], times[-1])
