"""Who may import what: the packages point in one direction, and each outside concern has one place."""

import ast
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
OURS = ("protocol", "tournaments", "arena", "sample_bots")

OWN_IMPORTS = {
    # files: the modules of this repository they may import, with all that is in them
    "protocol/*": ("protocol",),
    "tournaments/*": ("tournaments",),
    "arena/games/*": ("protocol", "arena.games"),
    "sample_bots/*": ("protocol", "arena.games"),
}
PLACES = {
    # module: the only files that may import it
    "zmq": (
        "arena/bots/transport.py",
        "arena/bench.py",
        "arena/cli/bench.py",
        "protocol/client.py",
        "tests/*",
        "benchmarks/*",
    ),
    "click": ("arena/cli/*", "tests/*"),
    "psutil": ("arena/bots/*", "tests/*", "benchmarks/*"),
    "subprocess": ("arena/bots/*", "tests/*", "benchmarks/*"),
}
PURE = ("time", "random.seed", "socket", "os", "asyncio", "threading", "multiprocessing")
"""What rules never import: time and the outside world reach them as arguments."""

FILES = sorted(
    path.relative_to(REPOSITORY)
    for folder in (*OURS, "tests", "benchmarks")
    for path in (REPOSITORY / folder).rglob("*.py")
)


def imports(file: Path) -> Iterator[str]:
    """Full names of what a file imports: for `from a import b` both `a` and `a.b`."""
    for node in ast.walk(ast.parse((REPOSITORY / file).read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            yield from (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))


def is_within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def test_there_is_something_to_look_at() -> None:
    assert {path.parts[0] for path in FILES} >= {"protocol", "tournaments", "arena", "tests"}
    assert "arena.errors" in set(imports(Path("arena/store.py")))


@pytest.mark.parametrize("pattern", OWN_IMPORTS)
def test_packages_import_in_one_direction(pattern: str) -> None:
    for file in FILES:
        if fnmatch(str(file), pattern):
            own = {name for name in imports(file) if is_within(name, OURS)}
            strangers = {name for name in own if not is_within(name, OWN_IMPORTS[pattern])}
            assert not strangers, f"{file} imports {strangers}"


@pytest.mark.parametrize("module", PLACES)
def test_each_outside_concern_has_its_place(module: str) -> None:
    for file in FILES:
        if any(is_within(name, (module,)) for name in imports(file)):
            assert any(fnmatch(str(file), place) for place in PLACES[module]), f"{file} imports {module}"


def test_rules_are_pure() -> None:
    for file in FILES:
        if fnmatch(str(file), "arena/games/*"):
            impure = {name for name in imports(file) if is_within(name, PURE)}
            assert not impure, f"{file} imports {impure}"
