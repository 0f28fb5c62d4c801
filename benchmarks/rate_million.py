"""Speed and memory of `arena rate` on a million games of four out of 100 bots, four games a deal.

Machines differ, so the time is given beside that of decoding the same lines with the standard library's json, one
by one, in the same call. Run: `python -m benchmarks.rate_million [GAMES]`.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

BOTS = 100
SEATS = 4
GAMES_A_DEAL = 4
RATE = "import sys; from arena.cli import main; sys.argv[0] = 'arena'; main()"
KIB_PER_MIB = 1024


def write_games(path: Path, games: int) -> None:
    """Plackett-Luce orders of bots whose strengths spread over 400 Elo."""
    rng = np.random.default_rng(1)
    strengths = np.linspace(-1.15, 1.15, BOTS)
    with path.open("w") as file:
        for first in range(0, games, 10_000):
            count = min(10_000, games - first)
            players = rng.random((count, BOTS)).argpartition(SEATS, axis=1)[:, :SEATS]
            order = (strengths[players] + rng.gumbel(size=players.shape)).argsort(axis=1)[:, ::-1]
            ranks = order.argsort(axis=1) + 1
            for number, (line, places) in enumerate(
                zip(players.tolist(), ranks.tolist(), strict=True), first
            ):
                names = [f"bot{bot:02}" for bot in line]
                game = {"deal": number // GAMES_A_DEAL, "players": names, "ranks": places}
                file.write(json.dumps(game, separators=(",", ":")) + "\n")


def decode_s(path: Path) -> float:
    """Seconds to decode every line with json."""
    start = time.perf_counter()
    with path.open("rb") as file:
        for line in file:
            json.loads(line)
    return time.perf_counter() - start


def rate_s(path: Path) -> float:
    """Seconds of the whole command, with its start."""
    start = time.perf_counter()
    command = [sys.executable, "-c", RATE, "rate", str(path), "--format", "csv"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main(games: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        write_games(path, games)
        rating_s, decoding_s = rate_s(path), decode_s(path)
    peak_mib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / KIB_PER_MIB
    print(f"{games} games: rated in {rating_s:.1f} s, decoded with json in {decoding_s:.1f} s")
    print(f"ratio {rating_s / decoding_s:.2f}, peak memory {peak_mib:.0f} MiB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
