# SPDX-License-Identifier: BSD-3-Clause
"""Runs of frond simulate, several at a time, each of which becomes a line of a file: what is there is not simulated again."""
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field

from load_exchange.errors import StudyError
from load_exchange.simulations import fingerprint
from sharing.plan import UNDISTURBED, Case, Times

@dataclass
class Results:
    """A file of lines, each a JSON object with a case, and what came of it."""

    path: str
    known: dict = field(default_factory=dict)
    simulators: set = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self):
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                for line in file:
                    if line.endswith("\n"):  # one that was not finished is simulated again
                        self.add(json.loads(line))

    def add(self, record):
        self.known[Case(**record["case"])] = record
        self.simulators.add(record["simulator"])

    def run(self, case):
        record = self.known.get(case)
        return record["run"] if record else None

    def keep(self, record):
        os.makedirs(os.path.dirname(os.path.abspath(self.path)), exist_ok=True)
        with self.lock:
            self.end_broken_line()
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(record) + "\n")
            self.add(record)

    def end_broken_line(self):
        """Takes away what an interruption has left at the end."""
        if not os.path.exists(self.path):
            return
        with open(self.path, "rb+") as file:
            text = file.read()
            if text and not text.endswith(b"\n"):
                file.truncate(text.rfind(b"\n") + 1)


@dataclass
class Simulator:
    frond: str
    results: Results
    folder: str  # of matrices
    problems: dict  # by label
    modes: dict  # by name, the first one first
    scenarios: dict  # by name
    jobs: int
    deadline: float  # by time.monotonic()
    failed: list = field(default_factory=list)
    num_ended: int = 0

    def run_missing(self, cases):
        """Returns whether there was time for all. Undisturbed cases before all others."""
        missing = [case for case in cases if self.results.run(case) is None]
        for label in sorted({case.matrix for case in missing}):
            self.problems[label].prepare(self.folder, self.succeed)
        for is_first in True, False:
            chosen = [case for case in missing if (case.scenario == UNDISTURBED) == is_first]
            self.num_ended = 0
            with ThreadPoolExecutor(self.jobs) as pool:
                list(pool.map(lambda case: self.run_in_time(case, len(chosen)), chosen))
        failed = {case for case, _ in self.failed}
        return all(self.results.run(case) is not None or case in failed for case in missing)

    def succeed(self, arguments):
        ended = subprocess.run([self.frond, *arguments], capture_output=True, text=True, check=False)
        if ended.returncode:
            raise StudyError(f"{self.frond} {' '.join(arguments)}: {ended.stderr.strip()}")

    def times(self, case):
        """Undisturbed seconds; None where they have failed."""
        runs = [self.results.run(Case(case.matrix, case.num_ranks, mode, UNDISTURBED, 0)) for mode in (case.mode, next(iter(self.modes)))]
        return Times(*(run["predicted_seconds"] for run in runs)) if all(runs) else None

    def run_in_time(self, case, num_cases):
        if time.monotonic() < self.deadline:
            self.run(case, num_cases)

    def run(self, case, num_cases):
        times = Times(0, 0) if case.scenario == UNDISTURBED else self.times(case)
        if times is None:
            self.failed.append((case, "the undisturbed run, by which it is measured, has failed"))
            return
        disturbance = self.scenarios[case.scenario].options(case.draw(), case.num_ranks, times)
        problem = self.problems[case.matrix]
        start = time.monotonic()
        run, error = self.simulate([*problem.command(self.folder), "--ranks", str(case.num_ranks), *self.modes[case.mode].options,
                                    *disturbance])
        seconds = time.monotonic() - start
        if run is None:
            self.failed.append((case, error))
        else:
            self.results.keep({"case": asdict(case), "simulator": fingerprint(self.frond), "wall_seconds": round(seconds, 3), "run": problem.facts(run)})
        self.num_ended += 1
        print(f"[{self.num_ended}/{num_cases}] {case.matrix}, {case.num_ranks} ranks, {case.mode}, {case.scenario}, seed {case.seed}: "
              f"{error or 'done'}, {seconds:.1f} s", file=sys.stderr, flush=True)

    def simulate(self, arguments):
        """The JSON, or None, and what the program said when it failed."""
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "run.json")
            ended = subprocess.run([self.frond, *arguments, "--json", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, check=False)
            if ended.returncode:
                said = [line for line in ended.stderr.splitlines() if "error: " in line]
                return None, said[-1] if said else f"exit code {ended.returncode}"
            with open(path, encoding="utf-8") as file:
                return json.load(file), ""
