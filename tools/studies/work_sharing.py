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

from load_exchange.errors import StudyError  # noqa: E402
from load_exchange.program import rank_counts, run_as_program, words, write_report  # noqa: E402
from load_exchange.simulations import find_frond, fingerprint  # noqa: E402
from sharing import report  # noqa: E402
from sharing.plan import FAMILIES, MOST_MODES_ELSEWHERE, UNDISTURBED, Stage, cases_of, check_names, name_of, named  # noqa: E402
from sharing.robustness import Study  # noqa: E402
from sharing.runs import Results, Simulator  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

EXAMPLES = """examples:
  tools/studies/work_sharing.py --report sharing.md
  tools/studies/work_sharing.py --hours 6 --jobs 2
  tools/studies/work_sharing.py --problems equal-20000,unequal-20000  batches alone
  tools/studies/work_sharing.py --scale 0.3 --ranks 32 --seeds 1      some minutes, to try it
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


def names(what):
    """All that the families have of it."""
    return list(dict.fromkeys(name_of(one) for family in FAMILIES for one in getattr(family, what)))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    stages = [f"{stage.seeds} on {stage.num_ranks} ranks ({family.name})" for family in FAMILIES for stage in family.stages]
    parser.add_argument("--problems", type=words, metavar="LIST", help=f"default: {','.join(names('problems'))}")
    parser.add_argument("--ranks", type=rank_counts, metavar="LIST",
                        help=f"default: {','.join(str(stage.num_ranks) for stage in FAMILIES[0].stages)}")
    parser.add_argument("--modes", type=words, metavar="LIST", help=f"default: {','.join(names('modes'))}")
    parser.add_argument("--scenarios", type=words, metavar="LIST",
                        help=f"{UNDISTURBED} is always among them; default: {','.join(names('scenarios')).replace('%', '%%')}")
    parser.add_argument("--seeds", type=number(int, lambda value: value >= 1, "1 or more"), metavar="N", help=f"default: {', '.join(stages)}")
    parser.add_argument("--scale", type=number(float, lambda value: 0 < value <= 1, "a number above 0 and at most 1"), default=1.0,
                        metavar="S", help="shrink the sides of all matrices, and the numbers of systems; default: 1")
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


def chosen_families(arguments):
    """What was asked for of each. Numbers of ranks that are not in the plan have all scenarios with one seed."""
    for what, asked in ("problem", arguments.problems), ("mode", arguments.modes), ("scenario", arguments.scenarios):
        check_names(what, [one for family in FAMILIES for one in getattr(family, what + "s")], asked)
    chosen = []
    for family in FAMILIES:
        known = {stage.num_ranks: stage for stage in family.stages}
        stages = [known.get(count, Stage(count, 1)) for count in arguments.ranks or known]
        problems = named(family.problems, arguments.problems)
        modes = named(family.modes, arguments.modes)
        if problems and modes:
            chosen.append(replace(family, problems=tuple(one.scaled(arguments.scale) for one in problems), modes=modes,
                                  scenarios=named(family.scenarios, arguments.scenarios and [UNDISTURBED, *arguments.scenarios]),
                                  stages=tuple(replace(stage, seeds=arguments.seeds or stage.seeds) for stage in stages)))
    if not chosen:
        raise StudyError("none of these problems has one of these modes")
    return chosen


def modes_of(family, stage, results):
    """On other numbers of ranks than the first only those that were best there, and the first, with which others are compared."""
    if stage == family.stages[0] or len(family.modes) <= MOST_MODES_ELSEWHERE:
        return family.modes
    best = Study(results).best_modes(family, family.stages[0].num_ranks, MOST_MODES_ELSEWHERE)
    return [mode for mode in family.modes if mode.name in best or mode == family.modes[0]]


def show_plan(families, results):
    for family in families:
        for stage in family.stages:
            cases = cases_of(family, stage, modes_of(family, stage, results))
            missing = [case for case in cases if results.run(case) is None]
            print(f"{family.name}, {stage.num_ranks} ranks: {len(missing)} simulations; {len(cases) - len(missing)} are there already")


def simulate_family(family, frond, results, arguments, deadline):
    """Returns whether there was time for all, and what has failed."""
    simulator = Simulator(frond, results, os.path.join(arguments.output, "matrices"), {one.label: one for one in family.problems},
                          {one.name: one for one in family.modes}, {one.name: one for one in family.scenarios},
                          arguments.jobs or os.cpu_count() or 1, deadline)
    is_complete = all([simulator.run_missing(cases_of(family, stage, modes_of(family, stage, results))) for stage in family.stages])
    return is_complete, simulator.failed


def run_study(arguments):
    start = time.monotonic()
    frond = find_frond(arguments.frond, ROOT)
    families = chosen_families(arguments)
    results = Results(os.path.join(arguments.output, "results.jsonl"))
    if arguments.plan:
        show_plan(families, results)
        return 0
    if results.simulators - {fingerprint(frond)}:
        print(f"note: results of another build of the simulator are used; remove {results.path} to simulate anew", file=sys.stderr)
    deadline = start + 3600 * arguments.hours if arguments.hours else float("inf")
    ends = [simulate_family(family, frond, results, arguments, deadline) for family in families]
    failed = [one for _, failures in ends for one in failures]
    path = arguments.report or os.path.join(arguments.output, "report.md")
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    write_report(path, report.page(results, families, failed))
    if failed:
        print(f"error: {len(failed)} simulations failed; the end of the report says why. The same command tries them again.",
              file=sys.stderr)
        return 3
    if not all(is_complete for is_complete, _ in ends):
        print("the hours are over; the same command goes on where this one was", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    run_as_program(lambda: run_study(parse_arguments()), "the same command goes on where this one was")
