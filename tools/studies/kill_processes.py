#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills processes of frond solve --survive in every phase, and looks whether the answer comes all the same.

Each run is drawn from the seed and its number: the problem, the number of processes, what they keep, who is killed, in which
phase, and when in it. Results go to a file, a line of JSON for each run; runs that are in it are not made again.

    tools/studies/kill_processes.py --frond build/release/tools/frond --runs 1000 --results kills.jsonl
    tools/studies/kill_processes.py --frond build/release/tools/frond --runs 100 --results stops.jsonl --stop
    tools/studies/kill_processes.py --frond build/release/tools/frond --runs 200 --results shared.jsonl --all-but-one --share-work
"""
import collections
import glob
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

from kills.campaign import campaign_parser, run_campaign, undisturbed_environment  # noqa: E402

PROBLEMS = {"elasticity3d": 26, "kkt3d": 26, "convection3d": 44}  # of 2 to 5 s in several processes on two cores
PHASES = ["in the reading", "in the analysis", "in the factorization", "in the solve", "in the refinement", "in the output",
          "at the end"]
RULES = ["static", "ss", "fsc", "mfsc", "gss", "tss", "fac", "wf", "rand", "awf-b", "awf-c", "awf-d", "awf-e", "af"]
MOST_SECONDS = 30
MOST_SECONDS_PER_LOSS = 10


def draw_work(draw):
    work = draw.choice(["ring", "random", "loaded", "pool"])
    return ["--work", work] + (["--set", f"chunks={draw.choice(RULES)}"] if work == "pool" else [])


class Campaign:
    """Runs of one program in a folder, with what they are compared with."""

    def __init__(self, arguments, folder):
        self.frond = os.path.abspath(arguments.frond)
        self.arguments = arguments
        self.folder = folder
        self.alone = {}
        self.seconds_of_phase = {}
        self.environment = undisturbed_environment()
        for kind, size in PROBLEMS.items():
            self.frond_output(["generate", kind, str(size), "-o", self.matrix(kind)])
            self.alone[kind] = json.loads(self.frond_output(["solve", self.matrix(kind), "--threads", "1", "--json", "-"]))

    def matrix(self, kind):
        return f"{self.folder}/{kind}.mtx"

    def frond_output(self, words):
        return subprocess.run([self.frond, *words], capture_output=True, text=True, check=True, env=self.environment).stdout

    def command(self, kind, processes, protection, folder, work=()):
        words = [self.frond, "solve", self.matrix(kind), "--threads", "1", "--processes", str(processes),
                 f"--survive={protection}", "--set", "heartbeat-limit=2", "--json", "-", "--out", f"{folder}/x.mtx", *work]
        return words + (["--checkpoint", f"{folder}/checkpoint"] if protection == "files" else [])

    def run(self, number):
        """Returns what is to be kept of a run."""
        draw = random.Random(f"{self.arguments.seed}-{number}")
        kind = draw.choice(sorted(PROBLEMS))
        processes = 8 if self.arguments.all_but_one else draw.choice([2, 4, 8])
        protection = draw.choice(["recompute", "copies", "files"])
        work = draw_work(draw) if self.arguments.share_work else []
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            command = self.command(kind, processes, protection, folder, work)
            if (kind, processes) not in self.seconds_of_phase:
                watched = Run(self.command(kind, processes, "recompute", folder), self.environment)
                self.seconds_of_phase[kind, processes] = watched.durations(MOST_SECONDS)
            victims = draw.sample(range(processes), self.num_victims(draw, processes))
            plan = {}
            for rank in victims:
                phase = self.arguments.phase or draw.choice(PHASES)
                plan[rank] = (phase, draw.random() * self.seconds_of_phase[kind, processes].get(phase, 0))
            stop = draw.choice([0.4, 4.0]) if self.arguments.stop else 0
            run = Run(command, self.environment)
            outcome = run.disturb(plan, stop, MOST_SECONDS + MOST_SECONDS_PER_LOSS * len(victims))
        outcome.update(run=number, problem=kind, processes=processes, protection=protection, work=work[1:], victims=len(victims))
        outcome["wrong"] = outcome.pop("wrong", None) or self.what_is_wrong(kind, run, outcome, stop)
        if outcome["wrong"]:
            outcome["errors"] = run.errors[-2000:]
        return outcome

    def num_victims(self, draw, processes):
        if self.arguments.all_but_one:
            return processes - 1
        return 1 if self.arguments.stop else draw.randint(1, processes - 1)

    def what_is_wrong(self, kind, run, outcome, stop):
        """None where the answer is right and nothing is left over."""
        if run.code != 0:
            return f"exit code {run.code}"
        try:
            answer = json.loads(run.output)
        except ValueError:
            return "no answer, or several: " + run.output[-200:]
        for key in ("verdict", "inertia"):
            if answer[key] != self.alone[kind][key]:
                return f"another {key}: {answer[key]}"
        if not answer["backward_error"] <= 1e-13:
            return f"backward error {answer['backward_error']}"
        if subprocess.run(["pgrep", "-f", self.matrix(kind)], capture_output=True, check=False).returncode == 0:
            return "processes are left over"
        lost = sorted(loss["process"] for loss in answer["survival"]["losses"])
        if stop and (len(lost) > 0) != (stop > 2 and len(outcome["phases"]) > 0):
            # One that was stopped so late that nothing was left to do for it is not missed.
            return None if stop > 2 and not lost else f"stopped for {stop} s, and lost: {lost}"
        outcome["lost"] = lost
        return None


class Run:
    """A run that is under way."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        self.processes = int(command[command.index("--processes") + 1])
        self.directory = None
        self.children = []
        end = time.time() + 20
        while time.time() < end and self.process.poll() is None:
            self.children = [int(word) for word in subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True,
                                                                 text=True, check=False).stdout.split()]
            self.directory = self.directory_of(self.children[0]) if self.children else None
            # All have started, in the order of their ranks, and met.
            if self.directory and len(self.children) == self.processes == len(glob.glob(f"{self.directory}/phase.*")):
                break
            time.sleep(0.005)
        self.output = self.errors = ""
        self.code = None

    @staticmethod
    def directory_of(child):
        try:
            with open(f"/proc/{child}/environ", encoding="utf-8") as variables:
                words = [word for word in variables.read().split("\0") if word.startswith("FROND_SURVIVOR=")]
        except OSError:
            return None
        return words[0].split("/", 3)[3] if words else None

    def phase(self, rank):
        """The lowest of those who live notes alone that all of them refine."""
        own = self.note(rank)
        if own == "in the solve":
            lowest = next((other for other in range(rank) if os.path.exists(f"/proc/{self.children[other]}")), rank)
            return self.note(lowest) if self.note(lowest) == "in the refinement" else own
        return own

    def note(self, rank):
        try:
            with open(f"{self.directory}/phase.{rank}", encoding="ascii") as note:
                return note.read()
        except OSError:
            return ""

    def finish(self, most_seconds):
        """False: it hangs, and is killed."""
        try:
            self.output, self.errors = self.process.communicate(timeout=most_seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return False
        self.code = self.process.returncode
        return True

    def durations(self, most_seconds):
        """Of the phases of rank 0, nobody being killed."""
        seconds = collections.defaultdict(float)
        last = time.time()
        while self.process.poll() is None and time.time() - last < most_seconds:
            phase, now = self.phase(0), time.time()
            seconds[phase] += now - last
            last = now
            time.sleep(0.001)
        self.finish(most_seconds)
        return seconds

    def disturb(self, plan, stop, most_seconds):
        """plan[rank] = (phase, seconds after it has begun). Returns the phases in which they were killed, or stopped."""
        begin = time.time()
        begun, phases, to_continue = {}, [], []
        waiting = dict(plan)
        while (waiting or to_continue) and self.process.poll() is None and time.time() - begin < most_seconds:
            now = time.time()
            for rank, (phase, delay) in list(waiting.items()):
                if rank not in begun and self.phase(rank) == phase:
                    begun[rank] = now
                if rank in begun and now - begun[rank] >= delay:
                    del waiting[rank]
                    try:
                        os.kill(self.children[rank], signal.SIGSTOP if stop else signal.SIGKILL)
                        phases.append(self.phase(rank))  # it writes no more
                        to_continue += [(now + stop, rank)] if stop else []
                    except ProcessLookupError:
                        pass
            for when, rank in list(to_continue):
                if now >= when:
                    to_continue.remove((when, rank))
                    try:
                        os.kill(self.children[rank], signal.SIGCONT)
                    except ProcessLookupError:
                        pass
            time.sleep(0.0005)
        is_over = self.finish(max(1.0, most_seconds - (time.time() - begin)))
        return {"phases": phases, "stopped": stop, "seconds": round(time.time() - begin, 2),
                "wrong": None if is_over else f"hangs after {most_seconds} s"}


def summarize(results):
    phases = collections.Counter(phase for result in results for phase in result["phases"])
    wrong = [result for result in results if result["wrong"]]
    print(f"runs {len(results)}, right {len(results) - len(wrong)}, killed or stopped {sum(phases.values())}, "
          f"longest {max((result['seconds'] for result in results), default=0)} s")
    for phase, number in phases.most_common():
        print(f"  {phase or '(before the first note)'}: {number}")
    for processes in (2, 4, 8):
        of_these = [result for result in results if result["processes"] == processes]
        print(f"  of {processes} processes: {len(of_these)} runs, {sum(len(result['phases']) for result in of_these)} killed or stopped")
    for result in wrong:
        print("WRONG", json.dumps(result))
    return not wrong


def main():
    parser = campaign_parser(__doc__, 1000)
    parser.add_argument("--phase", choices=PHASES, help="kill in this phase alone (default: in drawn ones)")
    parser.add_argument("--stop", action="store_true", help="stop processes for 0.4 or 4 s instead of killing them")
    parser.add_argument("--all-but-one", action="store_true", help="eight processes, and kill any seven (default: 2, 4 or 8, and any number)")
    parser.add_argument("--share-work", action="store_true", help="with a drawn --work, and chunks where it is pool (default: static)")
    arguments = parser.parse_args()
    return run_campaign(arguments, lambda folder: Campaign(arguments, folder), summarize)


if __name__ == "__main__":
    sys.exit(main())
