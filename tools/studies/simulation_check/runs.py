# SPDX-License-Identifier: BSD-3-Clause
"""Runs frond under mpiexec and in simulation, and keeps what each run tells as a file of its own."""
import json
import os
import resource
import shutil
import subprocess
import sys
import time

from load_exchange.errors import StudyError

SCALARS = "double,complex double"  # of the generated matrices
TOUCHED = 2  # times the memory for factors and fronts: there are matrix and analysis, too
LONGEST_SECONDS = 900  # of a program, before it is taken for stuck


def find_mpiexec(given):
    found = shutil.which(given)
    if not found:
        raise StudyError(f"there is no {given}: install MPICH (Debian's package mpich), or name its launcher with --mpiexec FILE")
    return found


def environment():
    """Without what would make runs compute by other kernels than calibration."""
    return {name: value for name, value in os.environ.items() if name != "OPENBLAS_CORETYPE"}


def run_program(arguments):
    try:
        ended = subprocess.run(arguments, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                               timeout=LONGEST_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise StudyError(f"this has not ended within {LONGEST_SECONDS} s: {' '.join(arguments)}") from error
    if ended.returncode:
        told = (ended.stderr.strip().splitlines() or ["it tells nothing"])[-1]
        raise StudyError(f"exit code {ended.returncode} of {' '.join(arguments)}: {told}")


def busy_seconds():
    """Of all cores together, since the machine started, with the time that others took from a virtual machine."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def available_bytes():
    with open("/proc/meminfo", encoding="ascii") as file:
        kibibytes = next((int(line.split()[1]) for line in file if line.startswith("MemAvailable:")), 0)
    return 1024 * kibibytes


def touch_memory(num_bytes):
    """Hosts of virtual machines take pages back that nobody uses, and the first to touch one again waits: not a run. See
    tools/program/process/memory_probe.hpp."""
    run_program([sys.executable, "-c", "import sys; bytearray(b'1') * int(sys.argv[1])", str(min(num_bytes, available_bytes() // 2))])


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def tell(text, end="\n"):
    print(text, end=end, file=sys.stderr, flush=True)


class Runs:
    """All figures, by configuration, in a folder."""

    def __init__(self, frond, mpiexec, folder, machine, num_cores, reuses):
        self.frond = frond
        self.mpiexec = mpiexec
        self.folder = folder
        self.machine = machine
        self.num_cores = num_cores
        self.reuses = reuses
        self.real = {}  # [configuration]: JSON of each run
        self.simulated = {}  # [configuration]: JSON
        self.others = []  # share of a core that other programs used during each run
        os.makedirs(os.path.join(folder, "runs"), exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def calibrate(self):
        """Measures the machine unless that was done."""
        if os.path.exists(self.machine):
            return
        tell("calibrating: about a minute ... ", end="")
        run_program([self.mpiexec, "-n", "2", self.frond, "calibrate", "--scalar", SCALARS, "-o", self.machine])
        tell("done")

    def prepare(self, matrix):
        """A matrix and its ordering, which all runs and simulations then share."""
        if not os.path.exists(self.path(matrix.file_name + ".mtx")):
            run_program([self.frond, "generate", matrix.kind, str(matrix.size), "-o", self.path(matrix.file_name + ".mtx")])
        if not os.path.exists(self.path(matrix.file_name + ".order")):
            run_program([self.frond, "analyze", self.path(matrix.file_name + ".mtx"),
                         "--write-ordering", self.path(matrix.file_name + ".order")])

    def arguments(self, configuration, json_path):
        """Of a run as of a simulation."""
        name = self.path(configuration.matrix.file_name)
        return [name + ".mtx", "--ordering", name + ".order", "--threads", "1", "--work", "static",
                "--schedule", configuration.schedule, "--json", json_path]

    def run(self, configuration, round_number):
        path = self.path(f"runs/{configuration.file_name}_run{round_number}.json")
        if not (self.reuses and os.path.exists(path + ".others")):
            touch_memory(TOUCHED * configuration.num_ranks * self.simulated[configuration]["peak_bytes_max"])
            before = busy_seconds(), children_seconds(), time.monotonic()
            run_program([self.mpiexec, "-n", str(configuration.num_ranks), self.frond, "solve", "--set", f"load-exchange={configuration.mechanism}",
                         *self.arguments(configuration, path)])
            busy, own, passed = busy_seconds() - before[0], children_seconds() - before[1], time.monotonic() - before[2]
            with open(path + ".others", "w", encoding="ascii") as file:
                json.dump(max(0.0, (busy - own) / passed), file)
        self.others.append(read_json(path + ".others"))
        told = read_json(path)
        if "task_seconds" not in told:
            raise StudyError(f"{self.frond} does not tell task_seconds, the time without what comes before the tasks: it is older than "
                             "this script")
        if told["ranks"] != configuration.num_ranks:
            raise StudyError(f"{self.mpiexec} has started {told['ranks']} processes instead of {configuration.num_ranks}")
        self.real.setdefault(configuration, []).append(told)
        return told

    def simulate(self, configuration):
        path = self.path(f"runs/{configuration.file_name}_simulated.json")
        if not (self.reuses and os.path.exists(path)):
            run_program([self.frond, "simulate", *self.arguments(configuration, path), "--load-exchange", configuration.mechanism, "--ranks", str(configuration.num_ranks),
                         "--hosts", "1", "--cores", str(self.num_cores), "--machine", self.machine])
        self.simulated[configuration] = read_json(path)
        return self.simulated[configuration]

    def carry_out(self, configurations, num_rounds):
        """Round after round, so that what disturbs the machine for a while does not disturb one configuration alone."""
        for matrix in dict.fromkeys(configuration.matrix for configuration in configurations):
            tell(f"{matrix.label}: matrix and ordering")
            self.prepare(matrix)
        self.calibrate()
        for number, configuration in enumerate(configurations, 1):
            predicted = self.simulate(configuration)["predicted_seconds"]
            tell(f"[{number}/{len(configurations)}] simulated {configuration.label}: {predicted:.3g} s")
        for round_number in range(1, num_rounds + 1):
            for number, configuration in enumerate(configurations, 1):
                seconds = self.run(configuration, round_number)["task_seconds"]
                tell(f"[round {round_number}/{num_rounds}, {number}/{len(configurations)}] {configuration.label}: {seconds:.3g} s")
