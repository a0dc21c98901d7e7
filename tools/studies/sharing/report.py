# SPDX-License-Identifier: BSD-3-Clause
"""Tables in Markdown of what has been simulated."""
import math

from load_exchange.figures import geometric_mean, significant, table, text
from sharing.plan import COMMON_OPTIONS, FLEXIBILITY, RESILIENCE, UNDISTURBED
from sharing.robustness import Study

MEGA = 1e-6
NEVER = "never"

# Columns of a table of costs have a title, what is kept of a run, a scale, and digits.
COSTS = {
    "factorizations": (("peak MB of a rank", "peak_bytes_max", MEGA, 2), ("sum of peaks MB", "peak_bytes_sum", MEGA, 1),
                       ("subtrees taken", "tasks_taken", 1, 1), ("rounds of requests", "request_rounds", 1, 1),
                       ("messages", "main_messages", 1, 0), ("MB", "main_message_bytes", MEGA, 1),
                       ("load messages", "load_messages", 1, 0)),
    "batches": (("chunks", "chunks_given", 1, 0), ("copies", "copies_given", 1, 0), ("results dropped", "results_dropped", 1, 0),
                ("seconds of all ranks", "busy_seconds_sum", 1, 0), ("messages", "messages", 1, 0), ("MB", "message_bytes", MEGA, 1)),
}


def shown(value, to_text):
    return NEVER if value == math.inf else to_text(value)


def num_runs(study, problem, num_ranks, modes, scenario):
    return max(len(study.runs(problem, num_ranks, mode, scenario)) for mode in modes)


def seconds_table(study, problem, num_ranks, modes, scenarios):
    rows = [[scenario.name, str(num_runs(study, problem, num_ranks, modes, scenario.name)),
             *(shown(study.seconds(problem, num_ranks, mode, scenario.name), lambda value: significant(value, 4)) for mode in modes)]
            for scenario in scenarios]
    return table(["scenario", "seeds", *modes], rows)


def robustness_table(study, problem, num_ranks, modes, scenarios):
    rows = []
    for scenario in scenarios:
        if scenario.robustness:
            metrics = study.metrics(problem, num_ranks, modes, scenario.name)
            rows.append([scenario.robustness, scenario.name, *(shown(metrics[mode], text) for mode in modes)])
    return table(["metric", "against", *modes], rows)


def cost_table(study, family, problem, num_ranks, modes, scenario):
    """Memory and traffic of one scenario."""
    def cell(mode, key, scale, digits):
        value = study.mean(key, problem, num_ranks, mode, scenario)
        return text(None if value is None else scale * value, digits)
    columns = COSTS[family]
    return table(["mode", *(column[0] for column in columns)], [[mode, *(cell(mode, *column[1:]) for column in columns)] for mode in modes])


def overview_table(study, family, all_ranks, modes):
    """Geometric means over problems of time over that of the first mode."""
    rows = []
    for num_ranks in all_ranks:
        for scenario in family.scenarios:
            ratios = []
            for mode in modes:
                own = study.ratios([problem.label for problem in family.problems], num_ranks, mode, modes[0], [scenario.name])
                ratios.append(math.inf if math.inf in own else geometric_mean(own))
            if any(value is not None for value in ratios):
                rows.append([str(num_ranks), scenario.name, *(shown(value, lambda one: text(one, 3)) for value in ratios)])
    return table(["ranks", "scenario", *modes], rows)


def problem_parts(study, family, problem, num_ranks):
    cases = [case for case in study.results.known if (case.matrix, case.num_ranks) == (problem.label, num_ranks)]
    modes = [mode.name for mode in family.modes if any(case.mode == mode.name for case in cases)]
    scenarios = [scenario for scenario in family.scenarios if any(case.scenario == scenario.name for case in cases)]
    if not modes:
        return []
    parts = [f"## {problem.label}, {num_ranks} ranks\n", "Seconds, means over seeds:\n",
             seconds_table(study, problem.label, num_ranks, modes, scenarios)]
    if any(scenario.robustness for scenario in scenarios):
        parts += [f"{RESILIENCE.capitalize()} and {FLEXIBILITY}, 1 for the most robust way:\n",
                  robustness_table(study, problem.label, num_ranks, modes, scenarios)]
    return parts + ["What it takes, undisturbed:\n", cost_table(study, family.name, problem.label, num_ranks, modes, UNDISTURBED)]


def family_parts(study, family):
    labels = {problem.label for problem in family.problems}
    all_ranks = sorted({case.num_ranks for case in study.results.known if case.matrix in labels})
    modes = [mode.name for mode in family.modes]
    parts = [f"# {family.name.capitalize()}\n", "\n".join(f"- `{one.name}`: {one.story}" for one in family.scenarios) + "\n",
             f"## Time over that of {modes[0]}, geometric means over {family.name}\n", overview_table(study, family, all_ranks, modes)]
    for problem in family.problems:
        for num_ranks in all_ranks:
            parts += problem_parts(study, family, problem, num_ranks)
    return parts


def page(results, families, failed):
    """Of all there is."""
    study = Study(results)
    parts = ["# Ways of sharing work, disturbed\n",
             f"{len(results.known)} simulations, {sum(record['wall_seconds'] for record in results.known.values()) / 3600:.2f} hours of a "
             f"core; factorizations with `{' '.join(COMMON_OPTIONS)}`, simulator {', '.join(sorted(results.simulators)) or 'none'}.\n"]
    for family in families:
        parts += family_parts(study, family)
    if failed:
        parts += ["## Failed\n", table(["case", "why"], [[f"{case.matrix} {case.num_ranks} {case.mode} {case.scenario} {case.seed}", why]
                                                         for case, why in failed])]
    return "\n".join(parts)
