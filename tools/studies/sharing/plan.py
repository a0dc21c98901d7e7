# SPDX-License-Identifier: BSD-3-Clause
"""What is simulated: factorizations and batches, ways of sharing work, disturbances, numbers of ranks. All of it is data; runs.py
carries it out."""
import os
import random
from dataclasses import dataclass

from load_exchange.errors import StudyError

RANKS_PER_NODE = 16  # as on the machine of the paper


# All simulations of factorizations have these. `loaded` goes by what ranks know of others' loads, which snapshots know at decisions only.
COMMON_OPTIONS = ("--load-exchange", "increments")


@dataclass(frozen=True)
class Matrix:
    """A model problem of frond generate's, to be factorized."""

    kind: str
    size: int

    @property
    def label(self):
        return f"{self.kind}-{self.size}"

    def path(self, folder):
        return os.path.join(folder, self.label + ".mtx")

    def scaled(self, scale):
        return Matrix(self.kind, max(2, round(scale * self.size)))

    def prepare(self, folder, succeed):
        """Writes the matrix and its ordering, unless they are there."""
        path = self.path(folder)
        if not os.path.exists(path):
            os.makedirs(folder, exist_ok=True)
            succeed(["generate", self.kind, str(self.size), "-o", path + ".part.mtx"])
            succeed(["analyze", path + ".part.mtx", "--write-ordering", path + ".order"])
            os.replace(path + ".part.mtx", path)

    def command(self, folder):
        return ["simulate", self.path(folder), "--ordering", self.path(folder) + ".order", *COMMON_OPTIONS]

    @staticmethod
    def facts(run):
        """What is kept of a run, per-rank lists as sums and largest values."""
        kept = {key: run[key] for key in ("predicted_seconds", "busy_seconds_mean", "load_imbalance", "peak_bytes_max", "tasks_taken",
                                          "request_rounds", "empty_request_rounds", "main_messages", "main_message_bytes",
                                          "load_messages")}
        kept["peak_bytes_sum"] = sum(run["peak_bytes_per_rank"])
        kept["restarts"] = len(run["restarts"])
        kept["lost"] = sum(run["is_lost_per_rank"])
        return kept


@dataclass(frozen=True)
class Batch:
    """So many systems, by a law of frond simulate-batch's."""

    name: str
    num_systems: int
    seconds: str

    @property
    def label(self):
        return f"{self.name}-{self.num_systems}"

    def scaled(self, scale):
        return Batch(self.name, max(2, round(scale * self.num_systems)), self.seconds)

    def prepare(self, folder, succeed):
        """Nothing is to be written."""

    def command(self, folder):
        return ["simulate-batch", str(self.num_systems), "--seconds", self.seconds]

    @staticmethod
    def facts(run):
        kept = {key: run[key] for key in ("predicted_seconds", "seconds_of_all_systems", "systems_done", "chunks_given", "copies_given",
                                          "results_dropped", "messages", "message_bytes")}
        kept["busy_seconds_sum"] = sum(run["busy_seconds_per_rank"])
        kept["lost"] = sum(run["is_lost_per_rank"])
        return kept


MATRICES = (Matrix("laplacian3d7", 40), Matrix("laplacian2d9", 700), Matrix("kkt3d", 28))

BATCHES = (Batch("equal", 20000, "1"), Batch("unequal", 20000, "1:1"))


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
# frond batch has no use for the two rules that want to know beforehand what tasks and ranks are like.
BATCH_RULES = tuple(rule for rule in CHUNK_RULES if rule not in ("fsc", "wf"))
BATCH_MODES = tuple(Mode(rule + suffix, ("--chunks", rule, "--reissue", reissue))
                    for suffix, reissue in (("+copies", "on"), ("", "off")) for rule in BATCH_RULES)

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


def losses(count_of, is_noticed=True):
    """So many ranks die, at any time of the mode's undisturbed run. The others notice after a twentieth of it, or not at all: then the
    first one is spared, which deals out."""
    def options(draw, num_ranks, times):
        first = 0 if is_noticed else 1
        lost = draw.sample(range(first, num_ranks), min(count_of(num_ranks), num_ranks - first))
        words = ["--detect", f"{0.05 * times.first:.6g}"] if is_noticed else []
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

NOTHING = (Scenario(UNDISTURBED, "nothing happens", options=lambda draw, num_ranks, times: [], draws=False),)


def lossy_scenarios(is_noticed):
    return (
        Scenario("one-loss", "one rank dies", RESILIENCE, losses(lambda num_ranks: 1, is_noticed)),
        Scenario("half-lost", "P/2 ranks die", RESILIENCE, losses(lambda num_ranks: num_ranks // 2, is_noticed)),
        Scenario("all-but-one-lost", "P-1 ranks die", RESILIENCE, losses(lambda num_ranks: num_ranks - 1, is_noticed)),
    )


PERTURBATIONS = (
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
    scenarios: tuple = ()  # empty: all
    problems: int = 0  # the first ones; 0: all


@dataclass(frozen=True)
class Family:
    """Problems that share their modes and scenarios. The first of these is the undisturbed one, the first mode that with which others
    are compared."""

    name: str
    problems: tuple
    modes: tuple
    scenarios: tuple
    stages: tuple


SCENARIOS = NOTHING + lossy_scenarios(is_noticed=True) + PERTURBATIONS
BATCH_SCENARIOS = NOTHING + lossy_scenarios(is_noticed=False) + PERTURBATIONS

FAMILIES = (
    Family("batches", BATCHES, BATCH_MODES, BATCH_SCENARIOS, (Stage(256, 5), Stage(32, 5), Stage(1024, 5), Stage(4096, 1))),
    Family("factorizations", MATRICES, MODES, SCENARIOS,
           (Stage(256, 5), Stage(32, 5), Stage(1024, 1, problems=2), Stage(4096, 1, (UNDISTURBED,), 1))),
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


def cases_of(family, stage, modes):
    """Undisturbed ones first: others are measured by them."""
    return [Case(problem.label, stage.num_ranks, mode.name, scenario.name, seed)
            for scenario in family.scenarios if not stage.scenarios or scenario.name in stage.scenarios
            for problem in family.problems[:stage.problems or None]
            for mode in modes for seed in range(stage.seeds if scenario.draws else 1)]


def name_of(one):
    return one.label if hasattr(one, "label") else one.name


def check_names(what, known, names):
    """Raises StudyError for names that nothing has."""
    offered = list(dict.fromkeys(name_of(one) for one in known))
    for name in names or []:
        if name not in offered:
            raise StudyError(f"there is no {what} {name}; choose from: {', '.join(offered)}")


def named(known, names):
    """Those that have these names, None for all."""
    return tuple(one for one in known if names is None or name_of(one) in names)
