#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares ways of sharing work between ranks by simulation: undisturbed, with losses, slow nodes, late messages and competing load.

Every simulation becomes a line of a results file in the --output folder: a study that was interrupted, or whose --hours are over, goes on
where it was, and more ranks or seeds cost only what is new. The report has times, robustness as the paper on robust self-scheduling
defines it (Mohammed, Cavelan, Ciorba 2019), memory and messages, of all that is there."""
import argparse
import os
import sys
import time
from dataclasses import replace

sys.dont_write_bytecode = True

from load_exchange.program import rank_counts, run_as_program, words, write_report  # noqa: E402
from load_exchange.simulations import find_frond, fingerprint  # noqa: E402
from sharing import report  # noqa: E402
from sharing.plan import MATRICES, MODES, MOST_MODES_ELSEWHERE, SCENARIOS, STAGES, UNDISTURBED, Stage, cases_of, named  # noqa: E402
from sharing.robustness import Study  # noqa: E402
from sharing.runs import Results, Simulator  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

EXAMPLES = """examples:
  tools/studies/work_sharing.py --report sharing.md
  tools/studies/work_sharing.py --hours 6 --jobs 2
  tools/studies/work_sharing.py --scale 0.3 --ranks 32 --seeds 1      half a minute, to try it
  tools/studies/work_sharing.py --plan                                what is still to be done

exit codes: 0 done, 2 bad usage or input, 3 some simulations failed (the report says which), 4 the hours are over, 130 interrupted"""


def number(parse, accepts, expected):
    """A type of arguments."""
    def parsed(argument):
        try:
            value = parse(argument)
        except ValueError:
            value = None
        if value is None or not accepts(value):
            raise argparse.ArgumentTypeError(f"{argument}: expected {expected}")
        return value
    return parsed


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matrices", type=words, metavar="LIST", help=f"default: {','.join(one.label for one in MATRICES)}")
    parser.add_argument("--ranks", type=rank_counts, metavar="LIST", help=f"default: {','.join(str(one.num_ranks) for one in STAGES)}")
    parser.add_argument("--modes", type=words, metavar="LIST", help=f"default: {','.join(one.name for one in MODES)}")
    parser.add_argument("--scenarios", type=words, metavar="LIST",
                        help=f"{UNDISTURBED} is always among them; default: {','.join(one.name for one in SCENARIOS).replace('%', '%%')}")
    parser.add_argument("--seeds", type=number(int, lambda value: value >= 1, "1 or more"), metavar="N",
                        help=f"default: {', '.join(f'{one.seeds} on {one.num_ranks} ranks' for one in STAGES)}")
    parser.add_argument("--scale", type=number(float, lambda value: 0 < value <= 1, "a number above 0 and at most 1"), default=1.0,
                        metavar="S", help="shrink the sides of all matrices; default: 1")
    parser.add_argument("--output", metavar="DIR", default=os.path.join(ROOT, "build", "work-sharing-study"),
                        help="for matrices and results; default: build/work-sharing-study")
    parser.add_argument("--report", metavar="FILE.md", help="default: report.md in the --output folder")
    parser.add_argument("--hours", type=number(float, lambda value: value > 0, "a number above 0"), metavar="H",
                        help="begin no simulation after H hours; default: all are simulated")
    parser.add_argument("--jobs", type=number(int, lambda value: value >= 0, "0 or more"), default=0, metavar="N",
                        help="simulations at a time; 0, the default: one for each core")
    parser.add_argument("--frond", metavar="FILE", help="the program; default: that of build/release, or the one on the PATH")
    parser.add_argument("--plan", action="store_true", help="say what would be simulated, and do nothing")
    return parser.parse_args()


def stages_of(arguments):
    """Numbers of ranks that are not in the plan have all scenarios with one seed."""
    known = {stage.num_ranks: stage for stage in STAGES}
    stages = [known.get(count, Stage(count, 1)) for count in arguments.ranks or known]
    return [replace(stage, seeds=arguments.seeds or stage.seeds) for stage in stages]


def chosen_modes(stage, first_stage, modes, matrices, scenarios, results):
    """On other numbers of ranks than the first only those that were best there, and the first, with which others are compared."""
    if stage == first_stage or len(modes) <= MOST_MODES_ELSEWHERE:
        return modes
    names = [mode.name for mode in modes]
    best = Study(results).best_modes(names, names[0], [one.name for one in scenarios], [one.label for one in matrices], first_stage.num_ranks,
                                     MOST_MODES_ELSEWHERE)
    return [mode for mode in modes if mode.name in best or mode == modes[0]]


def show_plan(stages, cases_of_stage, results):
    for stage in stages:
        cases = cases_of_stage(stage)
        missing = [case for case in cases if results.run(case) is None]
        print(f"{stage.num_ranks} ranks: {len(missing)} simulations; {len(cases) - len(missing)} are there already")


def run_study(arguments):
    start = time.monotonic()
    frond = find_frond(arguments.frond, ROOT)
    matrices = [replace(one, size=max(2, round(arguments.scale * one.size))) for one in named("matrix", MATRICES, arguments.matrices)]
    modes = named("mode", MODES, arguments.modes)
    scenarios = named("scenario", SCENARIOS, arguments.scenarios and [UNDISTURBED, *arguments.scenarios])
    stages = stages_of(arguments)
    results = Results(os.path.join(arguments.output, "results.jsonl"))

    def cases_of_stage(stage):
        return cases_of(stage, matrices, chosen_modes(stage, stages[0], modes, matrices, scenarios, results), scenarios)

    if arguments.plan:
        show_plan(stages, cases_of_stage, results)
        return 0
    if results.simulators - {fingerprint(frond)}:
        print(f"note: results of another build of the simulator are used; remove {results.path} to simulate anew", file=sys.stderr)
    simulator = Simulator(frond, results, os.path.join(arguments.output, "matrices"), {one.label: one for one in matrices},
                          {one.name: one for one in modes}, {one.name: one for one in scenarios},
                          arguments.jobs or os.cpu_count() or 1, start + 3600 * arguments.hours if arguments.hours else float("inf"))
    is_complete = all([simulator.run_missing(cases_of_stage(stage)) for stage in stages])
    path = arguments.report or os.path.join(arguments.output, "report.md")
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    write_report(path, report.page(results, matrices, modes, scenarios, simulator.failed))
    if simulator.failed:
        print(f"error: {len(simulator.failed)} simulations failed; the end of the report says why. The same command tries them again.",
              file=sys.stderr)
        return 3
    if not is_complete:
        print("the hours are over; the same command goes on where this one was", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    run_as_program(lambda: run_study(parse_arguments()), "the same command goes on where this one was")
