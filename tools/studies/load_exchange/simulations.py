# SPDX-License-Identifier: BSD-3-Clause
"""Runs of frond simulate --sweep, of which each result is kept as a file of its own: what is there is not simulated again."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field, replace

from load_exchange.errors import StudyError

DEFAULT_MECHANISMS = ["naive", "increments", "snapshot", "partial-snapshot"]


@dataclass(frozen=True)
class Machine:
    """What the options of frond simulate say of the simulated machine; one of its files depends on the number of ranks."""

    name: str
    story: str
    options: tuple = ()
    platform: object = None  # ranks -> text of a platform file

    def arguments(self, num_ranks, folder):
        if self.platform is None:
            return list(self.options)
        path = os.path.join(folder, f"{self.name}-{num_ranks}.xml")
        os.makedirs(folder, exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(self.platform(num_ranks))
        return [*self.options, "--platform", path]


DEFAULT_MACHINE = Machine("default", "5 GFlop/s, 5 us, 1 GB/s: what frond simulate assumes")


@dataclass(frozen=True)
class Case:
    """One simulation of a matrix."""

    label: str
    num_ranks: int
    mechanism: str
    schedule: str
    load_thread: str  # "on" or "off"
    machine: str = DEFAULT_MACHINE.name


def cases_of(labels, ranks, mechanisms, kinds, machines=(DEFAULT_MACHINE,)):
    """All combinations, those of few ranks first; a kind is a pair of schedule and load thread."""
    return [Case(label, num_ranks, mechanism, *kind, machine.name)
            for num_ranks in sorted(ranks) for label in labels for machine in machines for kind in kinds for mechanism in mechanisms]


# Programs ------------------------------------------------------------------------------------------------------------------------


def find_frond(given, root):
    """The program that --frond names, that of the build folder, or the one on the PATH."""
    if given:
        if not (os.path.isfile(given) and os.access(given, os.X_OK)):
            raise StudyError(f"{given} is no program: name the frond that was built, such as --frond build/release/tools/frond")
        return os.path.abspath(given)
    built = os.path.join(root, "build", "release", "tools", "frond")
    found = built if os.access(built, os.X_OK) else shutil.which("frond")
    if not found:
        raise StudyError(f"there is no frond, neither {built} nor on the PATH: build it, or name it with --frond FILE")
    return found


def mechanisms_of(frond):
    """Those that frond simulate --help-all lists."""
    shown = subprocess.run([frond, "simulate", "--help-all"], capture_output=True, text=True, check=False)
    if shown.returncode:
        raise StudyError(f"{frond} does not simulate: {shown.stderr.strip() or shown.stdout.strip()}")
    listed = re.search(r"know each other's load by ([a-z, -]+) \(default", " ".join(shown.stdout.split()))
    return listed.group(1).split(", ") if listed else DEFAULT_MECHANISMS


def fingerprint(frond):
    """Of the program that simulates: its results are those of one build."""
    folder = os.path.dirname(os.path.realpath(frond))
    places = [os.path.join(folder, "frond-simulator"), os.path.join(os.path.dirname(folder), "libexec", "frond", "frond-simulator"), frond]
    found = next((place for place in places if os.path.exists(place)), None)
    if found is None:
        raise StudyError(f"{frond} is gone; build it again, and the same command goes on where this one was")
    with open(found, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:12]


# Results -------------------------------------------------------------------------------------------------------------------------


@dataclass
class Results:
    """The files of results in a folder, with one ordering of every matrix."""

    folder: str
    ordering: str
    known: dict = field(default_factory=dict)

    def path(self, case):
        words = [self.ordering, case.machine, f"{case.num_ranks}-ranks", case.schedule, f"thread-{case.load_thread}", case.mechanism]
        return os.path.join(self.folder, case.label, "_".join(words) + ".json")

    def record(self, case):
        """What is kept of the case: None if it was not simulated."""
        if case not in self.known:
            path = self.path(case)
            if not os.path.exists(path):
                return None
            with open(path, encoding="utf-8") as file:
                self.known[case] = json.load(file)
        return self.known[case]

    def run(self, case):
        """What frond simulate tells of the case, or None."""
        record = self.record(case)
        return record["run"] if record else None

    def keep(self, case, record):
        path = self.path(case)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump(record, file)
        os.replace(path + ".part", path)
        self.known[case] = record

    def simulators(self, cases):
        """Fingerprints of the programs that the results are from."""
        return sorted({record["simulator"] for record in map(self.record, cases) if record})


def sweeps_of(cases):
    """Cases that one sweep simulates: of one matrix, machine, number of ranks and schedule, every mechanism with every kind of thread."""
    threads = defaultdict(lambda: defaultdict(list))
    for case in cases:
        mechanisms = threads[replace(case, mechanism="", load_thread="")]
        mechanisms[case.mechanism].append(case.load_thread)
    sweeps = []
    for common, mechanisms in threads.items():
        together = defaultdict(list)
        for mechanism, kinds in mechanisms.items():
            together[tuple(kinds)].append(mechanism)
        for kinds, names in together.items():
            sweeps.append([replace(common, mechanism=name, load_thread=kind) for name in names for kind in kinds])
    return sweeps


@dataclass
class Simulator:
    """Runs sweeps with a program, and keeps what they tell."""

    frond: str
    results: Results
    matrices: dict  # by label
    orderings: dict  # files, by label
    machines: dict  # by name
    platform_folder: str
    jobs: int = 0

    def run_missing(self, cases):
        """Simulates what is not there yet. Returns what failed: (case, reason)."""
        missing = [case for case in cases if self.results.record(case) is None]
        self.warn_of_other_builds(cases)
        print(f"{len(cases)} simulations, {len(cases) - len(missing)} of them are there already", file=sys.stderr, flush=True)
        sweeps = sweeps_of(missing)
        failed = []
        for number, sweep in enumerate(sweeps, 1):
            first = sweep[0]
            print(f"[{number}/{len(sweeps)}] {first.label}, {first.num_ranks} ranks, machine {first.machine}, schedule {first.schedule}: "
                  f"{len(sweep)} simulations ... ", end="", file=sys.stderr, flush=True)
            start = time.monotonic()
            failed += self.run_sweep(sweep)
            print(f"{time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
        return failed

    def warn_of_other_builds(self, cases):
        others = [name for name in self.results.simulators(cases) if name != fingerprint(self.frond)]
        if others:
            print(f"note: results of another build of the simulator are used; remove {self.results.folder} to simulate anew",
                  file=sys.stderr)

    def run_sweep(self, sweep):
        first = sweep[0]
        threads = list(dict.fromkeys(case.load_thread for case in sweep))
        mechanisms = list(dict.fromkeys(case.mechanism for case in sweep))
        matrix = self.matrices[first.label]
        arguments = ["--sweep", "--work", "static", "--method", matrix.method, "--ordering", self.orderings[first.label], "--ranks", str(first.num_ranks),
                     "--load-exchange", ",".join(mechanisms), "--schedule", first.schedule, "--load-thread", ",".join(threads),
                     "--jobs", str(self.jobs), "--threads", str(self.jobs),
                     *self.machines[first.machine].arguments(first.num_ranks, self.platform_folder)]
        start = time.monotonic()
        told, error = self.simulate(matrix.path, arguments)
        common = {"simulator": fingerprint(self.frond), "arguments": arguments, "order": matrix.order, "entries": matrix.entries,
                  "sweep_seconds": time.monotonic() - start, "sweep_runs": len(sweep)}
        for run in told.get("runs", []):
            self.results.keep(replace(first, **told_case(run)), {**common, "run": run})
        reasons = {(run["load_exchange"], run["load_thread"]): run["error"] for run in told.get("failed_runs", [])}
        return [(case, reasons.get((case.mechanism, case.load_thread == "on"), error))
                for case in sweep if self.results.record(case) is None]

    def simulate(self, path, arguments):
        """The JSON of a sweep, empty if there is none, and what the program said of it."""
        with tempfile.TemporaryDirectory() as scratch:
            json_path = os.path.join(scratch, "sweep.json")
            ended = subprocess.run([self.frond, "simulate", path, *arguments, "--json", json_path], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, check=False)
            error = (ended.stderr.strip().splitlines() or [f"exit code {ended.returncode}"])[-1]
            if not os.path.exists(json_path):
                return {}, error
            with open(json_path, encoding="utf-8") as file:
                return json.load(file), error


def told_case(run):
    return {"num_ranks": run["ranks"], "mechanism": run["load_exchange"], "schedule": run["schedule"],
            "load_thread": "on" if run["load_thread"] else "off"}
