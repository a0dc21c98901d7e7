#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks frond simulate against runs of this machine: times and their order, peaks of active memory, decisions and messages.

Generated matrices are factorized by so many processes with each schedule and mechanism, several times, round after round, and
simulated on as many cores with the rates that frond calibrate has measured. A report in Markdown puts both side by side. Times are
worth something on a machine that does nothing else."""
import argparse
import os
import sys

sys.dont_write_bytecode = True

from load_exchange.errors import StudyError  # noqa: E402
from load_exchange.program import chosen_mechanisms, rank_counts, run_as_program, schedules, words, write_report  # noqa: E402
from load_exchange.simulations import find_frond  # noqa: E402
from simulation_check import report  # noqa: E402
from simulation_check.comparison import Comparison  # noqa: E402
from simulation_check.configurations import DEFAULT_FIXED, DEFAULT_MATRICES, Matrix, configurations_of  # noqa: E402
from simulation_check.runs import Runs, find_mpiexec, read_json  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

EXAMPLES = """examples:
  tools/studies/check_simulation.py --report check.md
  tools/studies/check_simulation.py --matrices laplacian3d7:40,kkt3d:20 --ranks 2,4 --mechanisms increments,snapshot --report check.md
  tools/studies/check_simulation.py --matrices laplacian3d7:30 --fixed none --ranks 2 --repeat 1 --report check.md      seconds, to try it

exit codes: 0 done, 2 bad usage or input, or a run failed, 130 interrupted"""


def matrices(argument):
    found = []
    for word in words(argument):
        kind, _, size = word.partition(":")
        if not kind or not size.isdigit() or int(size) < 1:
            raise argparse.ArgumentTypeError(f"{word}: expected a kind and a size of frond generate, such as laplacian3d7:40")
        found.append(Matrix(kind, int(size)))
    return found


def matrices_or_none(argument):
    return [] if argument == "none" else matrices(argument)


def at_least_one(argument):
    if not argument.isdigit() or int(argument) < 1:
        raise argparse.ArgumentTypeError(f"{argument}: expected 1 or more")
    return int(argument)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", metavar="FILE.md", required=True, help="file to write")
    parser.add_argument("--matrices", type=matrices, metavar="LIST", default=",".join(DEFAULT_MATRICES),
                        help="kinds and sizes of frond generate; default: %(default)s")
    parser.add_argument("--fixed", type=matrices_or_none, metavar="LIST", default=",".join(DEFAULT_FIXED),
                        help="matrices without row-distributed fronts, whose messages are to agree; none: skip that; default: %(default)s")
    parser.add_argument("--ranks", type=rank_counts, metavar="LIST", default="2,4,8", help="default: %(default)s")
    parser.add_argument("--schedules", type=schedules, metavar="LIST", default="flops,memory", help="default: %(default)s")
    parser.add_argument("--mechanisms", type=words, metavar="LIST", default="partial-snapshot", help="default: %(default)s")
    parser.add_argument("--repeat", type=at_least_one, metavar="N", default=3, help="runs of each configuration; default: 3")
    parser.add_argument("--cores", type=at_least_one, metavar="N", default=len(os.sched_getaffinity(0)),
                        help="of the simulated machine; default: those that this program may use, here %(default)s")
    parser.add_argument("--machine", metavar="FILE.json",
                        help="what frond calibrate has measured in two processes; measured if it is absent; "
                             "default: machine.json in the --output folder")
    parser.add_argument("--output", metavar="DIR", default=os.path.join(ROOT, "build", "simulation-check"),
                        help="for matrices, orderings and what each run tells; default: build/simulation-check")
    parser.add_argument("--reuse", action="store_true", help="take results that are in the --output folder instead of running again")
    parser.add_argument("--frond", metavar="FILE", help="the program; default: that of build/release, or the one on the PATH")
    parser.add_argument("--mpiexec", metavar="FILE", default="mpiexec.mpich", help="MPICH's launcher; default: %(default)s")
    return parser.parse_args()


def check_fixed(comparisons):
    for comparison in comparisons:
        if comparison.simulated["nodes_type2"] > 0:
            raise StudyError(f"--fixed {comparison.configuration.matrix.label}: with {comparison.configuration.num_ranks} processes it has "
                             "row-distributed fronts, of which slaves are chosen; take a smaller one")


def check(arguments):
    frond = find_frond(arguments.frond, ROOT)
    machine = arguments.machine or os.path.join(arguments.output, "machine.json")
    if not os.path.isdir(os.path.dirname(os.path.abspath(arguments.report))):
        raise StudyError(f"--report {arguments.report}: there is no such folder")
    mechanisms = chosen_mechanisms(arguments.mechanisms, frond)
    runs = Runs(frond, find_mpiexec(arguments.mpiexec), arguments.output, machine, arguments.cores, arguments.reuse)
    chosen = configurations_of(arguments.matrices, arguments.ranks, arguments.schedules, mechanisms)
    fixed = configurations_of(arguments.fixed, arguments.ranks, arguments.schedules[:1], mechanisms[:1])
    runs.carry_out([*chosen, *fixed], arguments.repeat)

    def compared(configurations):
        return [Comparison(one, runs.real[one], runs.simulated[one]) for one in configurations]

    facts = {"num_rounds": arguments.repeat, "num_cores": arguments.cores, "others": runs.others,
             "processor": read_json(machine).get("processor", "a processor without a name")}
    check_fixed(compared(fixed))
    write_report(arguments.report, report.page(compared(chosen), compared(fixed), facts))


if __name__ == "__main__":
    run_as_program(lambda: check(parse_arguments()), "the same command with --reuse goes on where this one was")
