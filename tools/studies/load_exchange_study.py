#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares how processes know each other's load: the study of Guermouche and L'Excellent (2005), repeated by simulation, and one beyond it.

Without --beyond the tables 3 to 7 of the paper are written with figures of `frond simulate` beside the published ones; with --beyond,
time, memory and messages with up to 1024 ranks, on several networks and with a slow rank. Every simulation is kept in the --output
folder: a study that was interrupted goes on where it was, and more ranks or mechanisms cost only what is new."""
import argparse
import os
import sys

sys.dont_write_bytecode = True

from load_exchange import beyond_report, networks, paper_report, published  # noqa: E402
from load_exchange.errors import StudyError  # noqa: E402
from load_exchange.matrices import check_names, locate, prepare, write_ordering  # noqa: E402
from load_exchange.paper_tables import KINDS, MEMORY, THREADED_TIME, TIME, Study  # noqa: E402
from load_exchange.program import chosen_mechanisms, rank_counts, run_as_program, schedules, words, write_report  # noqa: E402
from load_exchange.simulations import DEFAULT_MACHINE, Results, Simulator, cases_of, find_frond, sweeps_of  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

EXAMPLES = """examples:
  tools/studies/load_exchange_study.py --report study.md
  tools/studies/load_exchange_study.py --matrix-dir matrices --ranks 64,128 --jobs 8
  tools/studies/load_exchange_study.py --matrices ULTRASOUND3 --scale 0.2 --ranks 8,16     a minute, to try it
  tools/studies/load_exchange_study.py --plan                                              what is still to be done
  tools/studies/load_exchange_study.py --beyond --report beyond.md
  tools/studies/load_exchange_study.py --beyond --matrices ULTRASOUND3 --machines slow --ranks 512,1024

exit codes: 0 done, 2 bad usage or input, 3 some simulations failed (the report tells which), 130 interrupted"""

PAPER_RANKS = [32, 64, 128]
BEYOND_RANKS = [32, 64, 128, 256, 512, 1024]
BEYOND_MATRICES = ["ULTRASOUND3", "BMWCRA_1", "LAPLACIAN3D"]
ORDERINGS = ["metis", "dissection", "automatic", "amd"]


def names(argument):
    return [word.upper() for word in words(argument)]


def share(argument):
    try:
        value = float(argument)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise argparse.ArgumentTypeError(f"{argument}: expected a number above 0 and at most 1")
    return value


def number_of_jobs(argument):
    if not argument.isdigit():
        raise argparse.ArgumentTypeError(f"{argument}: expected 0 or more")
    return int(argument)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--beyond", action="store_true", help="more ranks, several networks and a slow rank, instead of the paper's tables")
    parser.add_argument("--matrices", type=names, metavar="NAMES",
                        help=f"with commas; without it all of the paper, with --beyond {','.join(BEYOND_MATRICES)}")
    parser.add_argument("--matrix-dir", metavar="DIR",
                        help="where tools/scripts/fetch_matrices.sh has put matrices: NAME.mtx or NAME/NAME.mtx, also .gz")
    parser.add_argument("--ranks", type=rank_counts, metavar="LIST",
                        help=f"default: {','.join(map(str, PAPER_RANKS))}, with --beyond {','.join(map(str, BEYOND_RANKS))}")
    parser.add_argument("--mechanisms", type=words, metavar="LIST", help="default: all that frond simulate offers")
    parser.add_argument("--machines", type=words, metavar="LIST", default=list(networks.MACHINES),
                        help=f"with --beyond; default: {','.join(networks.MACHINES)}")
    parser.add_argument("--schedules", type=schedules, metavar="LIST", default=["flops"], help="with --beyond: flops (default), memory")
    parser.add_argument("--published-only", action="store_true",
                        help="of the paper's study only matrices and ranks of which the paper has figures, instead of all with all")
    parser.add_argument("--scale", type=share, default=1.0, metavar="S", help="shrinks the sides of all matrices; default: 1")
    parser.add_argument("--ordering", choices=ORDERINGS, default="metis", help="default: metis, as in the paper")
    parser.add_argument("--output", metavar="DIR", default=os.path.join(ROOT, "build", "load-exchange-study"),
                        help="for matrices, orderings and results; default: build/load-exchange-study")
    parser.add_argument("--report", metavar="FILE.md", help="default: paper.md or beyond.md in the --output folder")
    parser.add_argument("--jobs", type=number_of_jobs, default=0, metavar="N",
                        help="simulations at a time; 0, the default: one for each core")
    parser.add_argument("--frond", metavar="FILE", help="the program; default: that of build/release, or the one on the PATH")
    parser.add_argument("--plan", action="store_true", help="tell what would be simulated, and do nothing")
    return parser.parse_args()


def published_ranks(name):
    """Numbers of ranks of which the paper tells something about the matrix."""
    tables = (published.PEAK_MEMORY, published.SECONDS, published.MESSAGES)
    return set(published.DECISIONS.get((name,), {})) | {key[1] for table in tables for key in table if key[0] == name}


def published_kinds(name):
    """Tables 5 to 7 are of the larger matrices, table 4 is of the others; ULTRASOUND3 is looked at in all respects."""
    if name == "ULTRASOUND3":
        return KINDS
    return [TIME, THREADED_TIME] if any(key[0] == name for key in published.SECONDS) else [MEMORY]


def chosen_cases(arguments, sources, ranks, mechanisms, machines):
    if arguments.beyond:
        kinds = [(schedule, "on") for schedule in arguments.schedules]
        return cases_of([source.label for source in sources], ranks, mechanisms, kinds, machines)
    if not arguments.published_only:
        return cases_of([source.label for source in sources], ranks, mechanisms, KINDS)
    return [case for source in sources
            for case in cases_of([source.label], [count for count in ranks if count in published_ranks(source.name)], mechanisms,
                                 published_kinds(source.name))]


def show_plan(cases, results):
    """A line for each sweep."""
    missing = [case for case in cases if results.record(case) is None]
    for sweep in sweeps_of(missing):
        first = sweep[0]
        print(f"{first.label}, {first.num_ranks} ranks, machine {first.machine}, schedule {first.schedule}, "
              f"thread {'/'.join(dict.fromkeys(case.load_thread for case in sweep))}: "
              f"{', '.join(dict.fromkeys(case.mechanism for case in sweep))}")
    print(f"{len(missing)} simulations in {len(sweeps_of(missing))} sweeps; {len(cases) - len(missing)} are there already")


def run_study(arguments):
    frond = find_frond(arguments.frond, ROOT)
    mechanisms = chosen_mechanisms(arguments.mechanisms, frond)
    chosen = arguments.matrices or (BEYOND_MATRICES if arguments.beyond else list(published.MATRICES))
    check_names(chosen)
    if arguments.matrix_dir and not os.path.isdir(arguments.matrix_dir):
        raise StudyError(f"--matrix-dir {arguments.matrix_dir}: there is no such folder; tools/scripts/fetch_matrices.sh --dir fills one")
    ranks = arguments.ranks or (BEYOND_RANKS if arguments.beyond else PAPER_RANKS)
    machines = networks.machines_named(arguments.machines) if arguments.beyond else [DEFAULT_MACHINE]
    folder = os.path.join(arguments.output, "matrices")
    sources = [locate(name, folder, arguments.matrix_dir, arguments.scale) for name in chosen]
    results = Results(os.path.join(arguments.output, "results"), arguments.ordering)
    cases = chosen_cases(arguments, sources, ranks, mechanisms, machines)
    if arguments.plan:
        show_plan(cases, results)
        return 0

    matrices = [prepare(source, arguments.scale, frond) for source in sources]
    orderings = {matrix.label: write_ordering(matrix, folder, arguments.ordering, frond, arguments.jobs) for matrix in matrices}
    simulator = Simulator(frond, results, {matrix.label: matrix for matrix in matrices}, orderings,
                          {machine.name: machine for machine in machines}, os.path.join(arguments.output, "platforms"), arguments.jobs)
    failed = simulator.run_missing(cases)
    simulators = results.simulators(cases)
    if arguments.beyond:
        study = beyond_report.BeyondStudy(matrices, machines, ranks, mechanisms, arguments.schedules, results)
        page = beyond_report.page(study, arguments.ordering, simulators, failed)
    else:
        study = Study(matrices, ranks, mechanisms, results)
        page = paper_report.page(study, arguments.ordering, DEFAULT_MACHINE, orderings, simulators, failed)
    report = arguments.report or os.path.join(arguments.output, "beyond.md" if arguments.beyond else "paper.md")
    os.makedirs(os.path.dirname(os.path.abspath(report)), exist_ok=True)
    write_report(report, page)
    if failed:
        print(f"error: {len(failed)} simulations failed; the end of the report tells why. The same command tries them again.",
              file=sys.stderr)
    return 3 if failed else 0


if __name__ == "__main__":
    run_as_program(lambda: run_study(parse_arguments()), "the same command goes on where this one was")
