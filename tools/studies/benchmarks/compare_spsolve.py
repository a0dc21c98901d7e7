#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""frond.solve beside scipy.sparse.linalg.spsolve: tools/studies/benchmarks/compare_spsolve.py LABELS FOLDER [--least S] [--most S] [--rounds R]

LABELS is a table with the columns `file`, `n` and `singular`, FOLDER has the files. Of the matrices that are not singular those count
on which spsolve takes from --least to --most seconds (default: 0.05 and 60). Each is solved in a process of its own, by both in turn,
R times (default: 3); the medians and their ratio are printed as a table, and the geometric mean of the ratios at the end. With
PYTHONPATH=interfaces/python and FROND_LIBRARY=build/release/libfrond.so nothing has to be installed.
"""
import argparse
import csv
import math
import multiprocessing
import pathlib
import statistics
import sys
import time
import warnings


def seconds_of(solve, *arguments, **options):
    begin = time.perf_counter()
    x = solve(*arguments, **options)
    return time.perf_counter() - begin, x


def compare(path, arguments, results):
    """Sends the seconds of both, and the residuals, relative to ||A|| ||x|| + ||b||."""
    import numpy as np
    import scipy.io
    import scipy.sparse.linalg

    import frond
    warnings.simplefilter("ignore")
    matrix = scipy.io.mmread(path).tocsc()
    b = np.arange(1, matrix.shape[0] + 1) / matrix.shape[0]
    size = abs(matrix).sum(axis=1).max()

    def residual(x):
        return float(np.abs(matrix @ x - b).max() / (size * np.abs(x).max() + 1))

    results.send(("ready",))
    theirs, x = seconds_of(scipy.sparse.linalg.spsolve, matrix, b)
    results.send(("spsolve", theirs, residual(x)))
    if not arguments.least <= theirs <= arguments.most:
        return
    rounds = arguments.rounds if theirs * arguments.rounds < arguments.most else 1
    times = {"spsolve": [theirs], "frond": [], "general": []}
    for k in range(rounds):
        seconds, x = seconds_of(frond.solve, matrix, b)
        times["frond"].append(seconds)
        if k == 0:
            results.send(("frond", seconds, residual(x)))
        times["general"].append(seconds_of(frond.solve, matrix, b, symmetry="general")[0])
        if k + 1 < rounds:
            times["spsolve"].append(seconds_of(scipy.sparse.linalg.spsolve, matrix, b)[0])
    results.send(("medians", {name: statistics.median(seconds) for name, seconds in times.items()}))


def run(path, arguments):
    """What the process of a matrix has sent, within its time."""
    receiver, sender = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=compare, args=(path, arguments, sender))
    process.start()
    sender.close()
    heard = {}
    limit = 600
    try:
        while receiver.poll(limit):
            name, *values = receiver.recv()
            heard[name] = values
            limit = arguments.most + 5 if name == "ready" else 10 * arguments.most
    except EOFError:
        pass
    process.terminate()
    process.join()
    return heard


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("labels")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--least", type=float, default=0.05)
    parser.add_argument("--most", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    multiprocessing.set_start_method("spawn")
    with open(arguments.labels, newline="", encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["singular"] == "no" and int(row["n"]) > 0]
    ratios = {"frond": [], "general": []}
    print("file\tn\tspsolve\tfrond\tratio\tgeneral\tratio\tresidual of spsolve\tof frond")
    for row in sorted(rows, key=lambda row: int(row["n"])):
        heard = run(arguments.folder / row["file"], arguments)
        if "medians" not in heard:
            if "spsolve" not in heard and "ready" in heard:
                print(f"{row['file']}\t{row['n']}\tno answer within {arguments.most} s, or for lack of memory", flush=True)
            continue
        medians = heard["medians"][0]
        for name, list_of_ratios in ratios.items():
            list_of_ratios.append(medians[name] / medians["spsolve"])
        print(f"{row['file']}\t{row['n']}\t{medians['spsolve']:.3f}\t{medians['frond']:.3f}\t{ratios['frond'][-1]:.2f}\t"
              f"{medians['general']:.3f}\t{ratios['general'][-1]:.2f}\t{heard['spsolve'][1]:.0e}\t{heard['frond'][1]:.0e}", flush=True)
    for name, list_of_ratios in ratios.items():
        if list_of_ratios:
            mean = math.exp(statistics.fmean(map(math.log, list_of_ratios)))
            print(f"{name}: geometric mean {mean:.3f} of {len(list_of_ratios)} matrices, largest {max(list_of_ratios):.2f}")
    return 0 if ratios["frond"] else 1


if __name__ == "__main__":
    sys.exit(main())
