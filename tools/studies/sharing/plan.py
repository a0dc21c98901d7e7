# SPDX-License-Identifier: BSD-3-Clause
"""What is simulated: matrices, ways of sharing work, disturbances, numbers of ranks. All of it is data; runs.py carries it out."""
import random
from dataclasses import dataclass

from load_exchange.errors import StudyError

RANKS_PER_NODE = 16  # as on the machine of the paper


@dataclass(frozen=True)
class Matrix:
    """A model problem of frond generate's."""

    kind: str
    size: int

    @property
    def label(self):
        return f"{self.kind}-{self.size}"


MATRICES = (Matrix("laplacian3d7", 40), Matrix("laplacian2d9", 500), Matrix("kkt3d", 20))

# All simulations have these. `loaded` goes by what ranks know of others' loads, which snapshots know at decisions only.
COMMON_OPTIONS = ("--load-exchange", "increments")


@dataclass(frozen=True)
class Mode:
    """A way of sharing work; the first one is what others are compared with."""

    name: str
    options: tuple


CHUNK_RULES = ("static", "ss", "fsc", "mfsc", "gss", "tss", "fac", "wf", "rand", "awf-b", "awf-c", "awf-d", "awf-e", "af")

MODES = (
    Mode("static", ("--work", "static")),
    Mode("ring", ("--work", "ring")),
    Mode("random", ("--work", "random")),
    Mode("loaded", ("--work", "loaded")),
) + tuple(Mode(f"pool-{rule}", ("--work", "pool", "--chunks", rule)) for rule in CHUNK_RULES)
MOST_MODES_ELSEWHERE = 4  # on other numbers of ranks than those of the first stage: the best ones there

UNDISTURBED = "undisturbed"
RESILIENCE = "resilience"  # against losses
FLEXIBILITY = "flexibility"  # against perturbations


@dataclass(frozen=True)
class Times:
    """Undisturbed seconds on as many ranks: of the same mode, and of the first one, by which disturbances that are the same for all
    modes are measured."""

    own: float
    first: float


@dataclass(frozen=True)
class Scenario:
    """A disturbance; options(random, ranks, times) draws it. Where nothing is drawn one seed says all."""

    name: str
    story: str
    robustness: str = ""  # the name of robustness against it; empty: there is no disturbance
    options: object = None
    draws: bool = True


def losses(count_of):
    """So many ranks die, at any time of the mode's undisturbed run. The others notice after a twentieth of it."""
    def options(draw, num_ranks, times):
        lost = draw.sample(range(num_ranks), count_of(num_ranks))
        words = ["--detect", f"{0.05 * times.first:.6g}"]
        for rank in lost:
            words += ["--lose", f"{rank}@{draw.uniform(0, times.own):.6g}"]
        return words
    return options


def node(*templates):
    """The same for each rank of a node; {} is the rank, {tenth} a tenth of the first mode's undisturbed time."""
    def options(draw, num_ranks, times):
        size = min(RANKS_PER_NODE, num_ranks)
        first = size * draw.randrange(num_ranks // size)
        tenth = f"{0.1 * times.first:.6g}"
        return [word.format(rank, tenth=tenth) for rank in range(first, first + size) for option in templates for word in option]
    return options


SLOWED = ("--slow", "{}:2")
DELAYED = ("--latency-of", "{}:10")
DELAYED_IN_PROPORTION = ("--latency-of", "{}:{tenth}")

SCENARIOS = (
    Scenario(UNDISTURBED, "nothing happens", options=lambda draw, num_ranks, times: [], draws=False),
    Scenario("one-loss", "one rank dies", RESILIENCE, losses(lambda num_ranks: 1)),
    Scenario("half-lost", "P/2 ranks die", RESILIENCE, losses(lambda num_ranks: num_ranks // 2)),
    Scenario("all-but-one-lost", "P-1 ranks die", RESILIENCE, losses(lambda num_ranks: num_ranks - 1)),
    Scenario("slow-node", f"{RANKS_PER_NODE} ranks take twice as long", FLEXIBILITY, node(SLOWED)),
    Scenario("late-node", f"10 s more for each message of {RANKS_PER_NODE} ranks", FLEXIBILITY, node(DELAYED)),
    Scenario("late-node-10%", f"a tenth of the undisturbed time more for each message of {RANKS_PER_NODE} ranks", FLEXIBILITY,
             node(DELAYED_IN_PROPORTION)),
    Scenario("slow-late-node", f"{RANKS_PER_NODE} ranks take twice as long, 10 s more for each of their messages", FLEXIBILITY,
             node(SLOWED, DELAYED)),
    Scenario("competing-load", "other programs on all ranks, for a quarter of the time", FLEXIBILITY,
             lambda draw, num_ranks, times: ["--competing-load", str(draw.randrange(2**31))]),
)


@dataclass(frozen=True)
class Stage:
    """One number of ranks, with so many seeds."""

    num_ranks: int
    seeds: int
    scenarios: tuple = tuple(scenario.name for scenario in SCENARIOS)
    matrices: int = len(MATRICES)  # the first ones


STAGES = (
    Stage(256, 5),
    Stage(32, 5),
    Stage(1024, 1, matrices=2),
    Stage(4096, 1, (UNDISTURBED,), 1),
)


@dataclass(frozen=True)
class Case:
    """One simulation."""

    matrix: str
    num_ranks: int
    mode: str
    scenario: str
    seed: int

    def draw(self):
        """Every mode meets the same disturbance."""
        return random.Random(f"{self.scenario} {self.num_ranks} {self.seed}")


def cases_of(stage, matrices, modes, scenarios):
    """Undisturbed ones first: others are measured by them."""
    return [Case(matrix.label, stage.num_ranks, mode.name, scenario.name, seed)
            for scenario in scenarios if scenario.name in stage.scenarios
            for matrix in matrices[:stage.matrices] for mode in modes for seed in range(stage.seeds if scenario.draws else 1)]


def named(what, known, names):
    """Those of `known` that have these names, None for all."""
    by_name = {getattr(one, "label", None) or getattr(one, "name", None): one for one in known}
    for name in names or []:
        if name not in by_name:
            raise StudyError(f"there is no {what} {name}; choose from: {', '.join(by_name)}")
    return [one for name, one in by_name.items() if names is None or name in names]
