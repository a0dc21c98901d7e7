#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Kills processes of frond batch --processes 8 at drawn moments, and compares with a run that nobody disturbs.

Seven of eight are killed in each run: all workers while nobody watches, or with --survive any. The chunk rule, the moments from
the start to some part of the expected time, or past it, and whether solutions are written are drawn from the seed and the number of the run.
Results go to a file, a line of JSON for each run; runs that are in it are not made again.

    tools/studies/kill_batches.py --frond build/release/tools/frond --runs 200 --results kills.jsonl
    tools/studies/kill_batches.py --frond build/release/tools/frond --runs 200 --results kills.jsonl --survive
"""
import collections
import glob
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

from kills.campaign import campaign_parser, run_campaign, undisturbed_environment  # noqa: E402

PROCESSES = 8
KINDS = {"laplacian2d9": 60, "helmholtz3d": 11, "elasticity3d": 9, "convection3d": 13}
TIMES = 25  # each kind
RULES = ["ss", "static", "gss", "fac", "awf-e", "af", "tss", "rand"]
MOST_SECONDS = 60


class Campaign:
    """Runs of one program over one list, with what they are compared with."""

    def __init__(self, arguments, folder):
        self.frond = os.path.abspath(arguments.frond)
        self.arguments = arguments
        self.folder = folder
        self.list = f"{folder}/list"
        self.environment = undisturbed_environment()
        for kind, size in KINDS.items():
            subprocess.run([self.frond, "generate", kind, str(size), "-o", f"{folder}/{kind}.mtx"], check=True,
                           capture_output=True, env=self.environment)
        with open(f"{folder}/singular.mtx", "w", encoding="ascii") as file:
            file.write("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 1\n")
        with open(f"{folder}/unreadable.mtx", "w", encoding="ascii") as file:
            file.write("no matrix\n")
        with open(self.list, "w", encoding="ascii") as file:
            for _ in range(TIMES):
                file.writelines(f"{kind}.mtx\n" for kind in KINDS)
            file.write("singular.mtx\nunreadable.mtx\nnowhere.mtx\n")
        begin = time.time()
        undisturbed = self.start(f"{folder}/undisturbed", "ss", [])
        output = undisturbed.communicate(timeout=MOST_SECONDS)[0]
        self.seconds = time.time() - begin
        self.code = undisturbed.returncode
        self.table = table_of(output)
        self.verdicts = verdicts_of(f"{folder}/undisturbed")[0]

    def start(self, results, rule, more):
        words = [self.frond, "batch", self.list, "--processes", str(PROCESSES), "--chunks", rule, "--results", results, *more]
        if self.arguments.survive:
            words += ["--survive", "--set", "heartbeat-limit=2"]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)

    def run(self, number):
        """Returns what is to be kept of a run."""
        draw = random.Random(f"{self.arguments.seed}-{number}")
        rule = draw.choice(RULES)
        candidates = range(PROCESSES) if self.arguments.survive else range(1, PROCESSES)
        victims = draw.sample(candidates, PROCESSES - 1)
        until = draw.choice([0.1, 0.3, 0.6, 1.1]) * self.seconds
        plan = sorted((draw.random() * until, rank) for rank in victims)
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            solutions = f"{folder}/x" if draw.random() < 0.5 else ""
            run = self.start(f"{folder}/results", rule, ["--out", solutions] if solutions else [])
            begin = time.time()
            children = Children(run.pid)
            killed = kill(run, plan, begin, children)
            try:
                output, errors = run.communicate(timeout=MOST_SECONDS)
                wrong = self.what_is_wrong(run.returncode, output, f"{folder}/results", solutions)
            except subprocess.TimeoutExpired:
                run.kill()
                output, errors = run.communicate()
                wrong = f"hangs after {MOST_SECONDS} s"
            left = left_over(self.list, children)
        lost = re.search(r"^lost processes .*: (.*)$", output, re.MULTILINE)
        named = [int(word) for word in lost.group(1).split(",")] if lost else []
        if not wrong and left:
            wrong = f"left over: {left}"
        if not wrong and not set(killed) >= set(named):
            wrong = f"killed {killed}, but the summary says {named}"
        outcome = {"run": number, "rule": rule, "killed": killed, "lost": named, "seconds": round(time.time() - begin, 2),
                   "survive": self.arguments.survive, "wrong": wrong}
        if wrong:
            outcome["output"], outcome["errors"] = output[-2000:], errors[-2000:]
        return outcome

    def what_is_wrong(self, code, output, results, solutions):
        """None where all is as in the undisturbed run."""
        if code != self.code:
            return f"exit code {code} instead of {self.code}"
        if table_of(output) != self.table:
            return "another table"
        verdicts, doubles = verdicts_of(results)
        if verdicts != self.verdicts:
            return "other verdicts"
        if doubles and not self.arguments.survive:
            return f"results twice: {doubles}"
        num_solutions = len(glob.glob(f"{solutions}/*.x.mtx")) if solutions else 0
        expected = sum(verdict in ("solved", "singular") for verdict in self.verdicts.values())
        if solutions and not expected - 1 <= num_solutions <= expected:
            return f"{num_solutions} solutions"
        return None


def table_of(output):
    """The lines from the table on, but for who was lost."""
    lines = output.splitlines()
    begin = next((k for k, line in enumerate(lines) if line.startswith("verdict")), len(lines))
    return [line for line in lines[begin:] if not line.startswith("lost processes")]


def verdicts_of(results):
    """By the number of the system; and the numbers that are there twice."""
    verdicts, doubles = {}, []
    with open(results, encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            if line["system"] in verdicts:
                doubles.append(line["system"])
            if line["verdict"] == "solved" and not line["backward_error"] <= 1e-13:
                line["verdict"] = f"backward error {line['backward_error']}"
            verdicts[line["system"]] = line["verdict"]
    return verdicts, doubles


class Children:
    """The processes that a run has started so far, by rank, and the directory in which they agree."""

    def __init__(self, parent):
        self.parent = parent
        self.ranks = {}
        self.directory = None

    def look(self):
        found = subprocess.run(["pgrep", "-P", str(self.parent)], capture_output=True, text=True, check=False).stdout.split()
        for child in found:
            try:
                with open(f"/proc/{child}/environ", encoding="utf-8") as variables:
                    words = [word for word in variables.read().split("\0") if word.startswith("FROND_SURVIVOR=")]
            except OSError:
                continue
            if words:
                rank, _, _, self.directory = words[0].split("=", 1)[1].split("/", 3)
                self.ranks[int(rank)] = int(child)


def kill(run, plan, begin, children):
    """plan: seconds after the beginning, and rank. Returns the ranks that were killed."""
    killed = []
    for seconds, rank in plan:
        time.sleep(max(0.0, begin + seconds - time.time()))
        while rank not in children.ranks and run.poll() is None and time.time() - begin < MOST_SECONDS:
            children.look()
        if rank in children.ranks:
            try:
                os.kill(children.ranks[rank], signal.SIGKILL)
                killed.append(rank)
            except ProcessLookupError:
                pass
    return killed


def left_over(name, children):
    """Processes of the list, and the directory of the run."""
    found = subprocess.run(["pgrep", "-f", f"frond.* batch {name}"], capture_output=True, text=True, check=False).stdout.split()
    return found + ([children.directory] if children.directory and os.path.exists(children.directory) else [])


def summarize(results):
    wrong = [result for result in results if result["wrong"]]
    killed = collections.Counter(len(result["killed"]) for result in results)
    print(f"runs {len(results)}, right {len(results) - len(wrong)}, "
          f"killed {sum(number * times for number, times in killed.items())}, in {killed[PROCESSES - 1]} runs all seven; "
          f"longest {max((result['seconds'] for result in results), default=0)} s")
    for result in wrong:
        print("WRONG", json.dumps(result))
    return not wrong


def main():
    parser = campaign_parser(__doc__, 200)
    parser.add_argument("--survive", action="store_true", help="with --survive; any seven are killed")
    arguments = parser.parse_args()
    return run_campaign(arguments, lambda folder: Campaign(arguments, folder), summarize)


if __name__ == "__main__":
    sys.exit(main())
