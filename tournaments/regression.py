"""A regression test under way: which games make a block, and what the blocks say so far.

All games of a block share the deal, and in every seat the same seed for a bot's own randomness. So a candidate that
decides like the baseline makes all games of a block the same game, and what differs is the candidate's doing.

Blocks are judged in the order of their numbers, whole ones only, and the first that decides is the last that counts:
the verdict is a function of the games, whichever ended first. At each block, in this order:

- a fault of the candidate is new if it now has more faults of that kind than the baseline. New faults fail the test.
- if all moves were the same so far, and the candidate has played SAME_GAMES games, nothing has changed: the test
  passes if it asks that nothing was lost (elo0 < 0) and fails if it asks for a gain. Where the test ends before, the
  same holds for what was played, from FIRST_LOOK blocks on.
- else the sequential test of strength. Where every block has the same score there is no variance and no likelihood
  ratio, however good or bad the candidate; then Markov's inequality decides.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from tournaments.results import placement_scores
from tournaments.schedule import Fixture
from tournaments.sprt import FIRST_LOOK, Blocks, Design, Sprt, State, Verdict

__all__ = ["BASELINE", "CANDIDATE", "BlockFault", "BlockGame", "Cause", "Regression", "block_fixtures"]

CANDIDATE, BASELINE = "candidate", "baseline"

SAME_GAMES = 600
"""Games of the candidate: what shows in one game of 200 is missed once in 20 times, as 0.995 ** 600 = 0.049."""

Cause = Literal["strength", "same_moves", "faults"]
"""What decided: the likelihood ratio, that nothing differed, or new faults of the candidate."""


class BlockFault(Struct, frozen=True):
    """A bot's forfeit. key, position: of the game's fixture.  bot: its name in the fixture."""

    key: str
    position: int
    seat: int
    bot: str
    reason: str
    detail: str


class BlockGame(Struct, frozen=True):
    """A finished game of the test. position: of its fixture.  ranks: by seat.

    transcript: equal for equal moves and forfeits.
    decisions: that the bots made, the referee's in a forfeited seat's place left out; by seat.
    """

    block: int
    position: int
    ranks: tuple[int, ...]
    faults: tuple[BlockFault, ...]
    transcript: bytes
    decisions: tuple[int, ...]


def block_fixtures(design: Design, field: Sequence[str], block: int) -> list[Fixture]:
    """The games of one block, the tested bot once in every seat; in a field candidate and baseline in turn."""
    others = list(field) or [BASELINE] * (design.seats - 1)
    tested = (CANDIDATE, BASELINE) if design.field else (CANDIDATE,)
    places = [(seat, bot) for seat in range(design.seats) for bot in tested]
    return [
        Fixture(
            key=f"{block}/{seat}/{bot}",
            position=block * design.games + index,
            deal_number=block,
            seats=_rotated([bot, *others], seat),
            luck=str(block),
        )
        for index, (seat, bot) in enumerate(places)
    ]


def _rotated(bots: list[str], seat: int) -> tuple[str, ...]:
    """The first bot in `seat`, the others behind it in their order."""
    return (*bots[len(bots) - seat :], *bots[: len(bots) - seat])


class Regression:
    """Takes in games as they end, in any order, until it has a verdict.

    blocks: at most; later ones are not judged.
    """

    def __init__(self, sprt: Sprt, design: Design, blocks: int) -> None:
        self.verdict: Verdict = "inconclusive"
        self.cause: Cause | None = None
        self.faults: list[BlockFault] = []
        """Of candidate and baseline, in the judged blocks."""
        self.new_faults: list[BlockFault] = []
        self.same_decisions: int | None = 0
        """Decisions of the candidate while all moves were the same; None once some differed."""
        self.design = design
        self._limit = blocks
        self._blocks = Blocks(sprt, design)
        self._judged = 0
        self._waiting: dict[int, list[BlockGame]] = {}

    @property
    def is_over(self) -> bool:
        """Whether further games could change nothing."""
        return self.cause is not None or self._judged == self._limit

    @property
    def games(self) -> int:
        """Judged so far: these are the ones at the first positions."""
        return self._judged * self.design.games

    @property
    def state(self) -> State:
        return self._blocks.state()

    def add(self, game: BlockGame) -> None:
        """Take in a game, once each."""
        self._waiting.setdefault(game.block, []).append(game)
        while not self.is_over and len(self._waiting.get(self._judged, ())) == self.design.games:
            block = sorted(self._waiting.pop(self._judged), key=lambda game: game.position)
            self._judge(block)

    def _judge(self, block: list[BlockGame]) -> None:
        by_strength = self._blocks.add(self._judged, self._score(block))
        self._judged += 1
        if by_strength == "inconclusive":
            by_strength = self._without_variance()
        self.faults += [
            fault for game in block for fault in game.faults if fault.bot in (CANDIDATE, BASELINE)
        ]
        self._compare_moves(block)
        if new := self._new_faults(block):
            self.new_faults = new
            self.verdict, self.cause = "failed", "faults"
        elif self.same_decisions is not None and self._is_enough_of_the_same():
            self.verdict = "passed" if self._blocks.test.elo0 < 0 else "failed"
            self.cause = "same_moves"
        elif by_strength != "inconclusive":
            self.verdict, self.cause = by_strength, "strength"

    def _score(self, block: list[BlockGame]) -> float:
        """X of the block. The candidate has seats 0, 1, … in turn, in a field before the baseline in each."""
        step = self.design.games // self.design.seats
        scores = [placement_scores(game.ranks)[index // step] for index, game in enumerate(block)]
        return self.design.score(scores[::step], scores[1::2] if self.design.field else ())

    def _without_variance(self) -> Verdict:
        """With a mean of at most 1/2, a block scores x or more with a probability of at most 1/(2x)."""
        state, test = self.state, self._blocks.test
        if state.mean is None or state.llr is not None or state.blocks < FIRST_LOOK:
            return "inconclusive"
        if state.mean > 0.5 and (0.5 / state.mean) ** state.blocks <= test.alpha:
            return "passed"
        if state.mean < 0.5 and (0.5 / (1 - state.mean)) ** state.blocks <= test.beta:
            return "failed"
        return "inconclusive"

    def _compare_moves(self, block: list[BlockGame]) -> None:
        """In a field only the two games with the same bots in the other seats can be the same."""
        alike = 2 if self.design.field else self.design.games
        if any(
            game.transcript != block[index - index % alike].transcript for index, game in enumerate(block)
        ):
            self.same_decisions = None
        elif self.same_decisions is not None:
            tested = block[:: self.design.games // self.design.seats]
            self.same_decisions += sum(game.decisions[seat] for seat, game in enumerate(tested))

    def _is_enough_of_the_same(self) -> bool:
        enough = max(FIRST_LOOK, -(-SAME_GAMES // self.design.seats))
        return self._judged >= min(enough, max(self._limit, FIRST_LOOK))

    def _new_faults(self, block: list[BlockGame]) -> list[BlockFault]:
        """The candidate's in this block, of the kinds that it now shows more often than the baseline."""
        counts = Counter((fault.bot, fault.reason) for fault in self.faults)
        return [
            fault
            for game in block
            for fault in game.faults
            if fault.bot == CANDIDATE and counts[CANDIDATE, fault.reason] > counts[BASELINE, fault.reason]
        ]
