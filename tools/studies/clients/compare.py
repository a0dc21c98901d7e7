#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs that call MUMPS by MUMPS and by Frond in turn, and compares what they print and how long calls take.

compare.py PROGRAMS FROND [--rounds N] [--threads T] [--only NAME]: PROGRAMS is the folder of the programs that
try_clients.sh compiled, FROND that of the libraries in the place of MUMPS. What programs print has to agree line by line, numbers to
1e-6; steps may differ by 3 and 20 %. Seconds are those of all calls of a run, medians of the rounds.
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
SIZES = (1000, 3000, 10000, 30000, 100000)


def clients():
    """Name, command with {programs}, library of MUMPS, architecture of PETSc."""
    for family in ("quartic", "qp", "bilinear", "control"):
        for size in SIZES:
            yield f"Ipopt {family} {size}", ["{programs}/ipopt_problems", family, str(size)], "lib@mumps_seq-5.5.so", ""
    for kind, size in (("poisson", 60), ("poisson", 150), ("elasticity", 6), ("elasticity", 12), ("stokes", 20), ("stokes", 50),
                       ("helmholtz", 60), ("helmholtz", 200)):
        command = ["FreeFem++-nw", "-v", "0", str(HERE / "freefem.edp"), kind, str(size)]
        yield f"FreeFEM {kind} {size}", command, "lib@mumps_seq-5.5.so", ""
    for size in (20, 100):
        yield f"GetFEM Poisson {size}", ["/usr/bin/python3", str(HERE / "getfem_poisson.py"), str(size)], "lib@mumps_seq-5.5.so", ""
    yield "siconos 20000", ["{programs}/siconos", "20000"], "lib@mumps_seq-5.5.so", ""
    for processes in (1, 2, 3):
        ranks = ["mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", str(processes)]
        for architecture in ("real", "complex"):
            for kind in ("lu", "cholesky", "indefinite"):
                command = [*ranks, "/usr/bin/python3", str(HERE / "petsc.py"), kind, "100"]
                yield f"PETSc {architecture} {kind} x{processes}", command, "lib@mumps-5.5.so", architecture
        yield f"Amesos 100 x{processes}", [*ranks, "{programs}/amesos", "100"], "lib@mumps-5.5.so", ""


def run(command, library, architecture, folder, options):
    """The lines that the program prints, and the seconds of its calls; an empty folder: MUMPS itself."""
    with tempfile.TemporaryDirectory() as scratch:
        calls = pathlib.Path(scratch) / "calls"
        environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads), OMPI_MCA_mpi_yield_when_idle="1",
                           MUMPS_LIBRARY=library, MUMPS_CALLS=str(calls), LD_LIBRARY_PATH=folder,
                           LD_PRELOAD=f"{options.programs}/timed_calls.so", FF_LOADPATH="/usr/lib/freefem++/")
        if architecture:
            environment["PETSC_DIR"] = f"/usr/lib/petscdir/petsc3.18/x86_64-linux-gnu-{architecture}"
        words = [word.format(programs=options.programs) for word in command]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=1800)
        if done.returncode != 0:
            return [f"exit code {done.returncode}", *done.stderr.splitlines()[-3:]], math.nan
        if not calls.exists():
            return ["no call of MUMPS"], math.nan
        return done.stdout.splitlines(), sum(float(line.split()[1]) for line in calls.read_text().splitlines())


def agrees(ours, theirs):
    """Whether two lines say the same."""
    first, second = ours.split(), theirs.split()
    if len(first) != len(second):
        return False
    for one, other in zip(first, second):
        try:
            a, b = float(one), float(other)
        except ValueError:
            if one != other:
                return False
            continue
        allowed = 3 + 0.2 * b if first[0] == "steps" else 1e-6 * max(abs(a), abs(b))
        if not abs(a - b) <= allowed:
            return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs")
    parser.add_argument("frond")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    ratios, steps, num_wrong = {}, [0, 0], 0
    for name, command, library, architecture in clients():
        if options.only not in name:
            continue
        seconds = {"MUMPS": [], "Frond": []}
        lines = {}
        for _ in range(options.rounds):
            for who, folder in (("MUMPS", ""), ("Frond", options.frond)):
                lines[who], spent = run(command, library, architecture, folder, options)
                seconds[who].append(spent)
        ours, theirs = lines["Frond"], lines["MUMPS"]
        is_right = len(ours) == len(theirs) and all(agrees(one, other) for one, other in zip(ours, theirs)) and bool(theirs)
        num_wrong += not is_right
        for place, who in enumerate(("Frond", "MUMPS")):
            steps[place] += sum(int(line.split()[1]) for line in lines[who] if line.startswith("steps"))
        mine, other = (statistics.median(seconds[who]) for who in ("Frond", "MUMPS"))
        ratios.setdefault(name.split()[0], []).append(mine / other)
        print(f"{name:26} {mine:9.4f} s  MUMPS {other:9.4f} s  {mine / other:5.2f}  {'; '.join(ours)}", flush=True)
        if not is_right:
            print(f"{'':26} not as by MUMPS: {'; '.join(theirs)}")
    for name, values in ratios.items():
        finite = [value for value in values if value > 0]
        if finite:
            print(f"{name}: {len(finite)} of {len(values)} ran, {statistics.geometric_mean(finite):.2f} of MUMPS's seconds")
    print(f"steps {steps[0]}, by MUMPS {steps[1]}; {num_wrong} not as by MUMPS")
    return 1 if num_wrong else 0


sys.exit(main())
