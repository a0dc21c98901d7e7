# SPDX-License-Identifier: BSD-3-Clause
"""Tables in Markdown of what has been simulated."""
from load_exchange.figures import geometric_mean, significant, table, text
from sharing.plan import COMMON_OPTIONS, FLEXIBILITY, RESILIENCE, UNDISTURBED
from sharing.robustness import Study

MEGA = 1e-6


def num_runs(study, matrix, num_ranks, modes, scenario):
    return max(len(study.runs(matrix, num_ranks, mode, scenario)) for mode in modes)


def seconds_table(study, matrix, num_ranks, modes, scenarios):
    rows = [[scenario.name, str(num_runs(study, matrix, num_ranks, modes, scenario.name)),
             *(significant(study.seconds(matrix, num_ranks, mode, scenario.name), 4) for mode in modes)] for scenario in scenarios]
    return table(["scenario", "seeds", *modes], rows)


def robustness_table(study, matrix, num_ranks, modes, scenarios):
    rows = []
    for scenario in scenarios:
        if scenario.robustness:
            metrics = study.metrics(matrix, num_ranks, modes, scenario.name)
            rows.append([scenario.robustness, scenario.name, *(text(metrics[mode]) for mode in modes)])
    return table(["metric", "against", *modes], rows)


def cost_table(study, matrix, num_ranks, modes, scenario):
    """Memory and traffic of one scenario."""
    def cell(mode, key, scale=1.0, digits=0):
        value = study.mean(key, matrix, num_ranks, mode, scenario)
        return text(None if value is None else scale * value, digits)
    rows = [[mode, cell(mode, "peak_bytes_max", MEGA, 2), cell(mode, "peak_bytes_sum", MEGA, 1), cell(mode, "tasks_taken", 1, 1),
             cell(mode, "request_rounds", 1, 1), cell(mode, "main_messages"), cell(mode, "main_message_bytes", MEGA, 1),
             cell(mode, "load_messages")] for mode in modes]
    return table(["mode", "peak MB of a rank", "sum of peaks MB", "subtrees taken", "rounds of requests", "messages", "MB",
                  "load messages"], rows)


def overview_table(study, matrices, all_ranks, modes, scenarios):
    """Geometric means over matrices of time over that of the first mode."""
    rows = []
    for num_ranks in all_ranks:
        for scenario in scenarios:
            ratios = []
            for mode in modes:
                pairs = [(study.seconds(matrix, num_ranks, mode, scenario.name), study.seconds(matrix, num_ranks, modes[0], scenario.name))
                         for matrix in matrices]
                ratios.append(geometric_mean(own / first for own, first in pairs if own is not None and first is not None))
            if any(value is not None for value in ratios):
                rows.append([str(num_ranks), scenario.name, *(text(value, 3) for value in ratios)])
    return table(["ranks", "scenario", *modes], rows)


def page(results, matrices, modes, scenarios, failed):
    """Of all there is."""
    study = Study(results)
    modes = [mode.name for mode in modes]
    cases = set(results.known)
    all_ranks = sorted({case.num_ranks for case in cases})
    parts = ["# Ways of sharing work, disturbed\n",
             f"{len(cases)} simulations, {sum(record['wall_seconds'] for record in results.known.values()) / 3600:.2f} hours of a core; "
             f"`{' '.join(COMMON_OPTIONS)}`, simulator {', '.join(sorted(results.simulators)) or 'none'}.\n",
             "\n".join(f"- `{scenario.name}`: {scenario.story}" for scenario in scenarios) + "\n",
             f"## Time over that of {modes[0]}, geometric means over matrices\n",
             overview_table(study, [matrix.label for matrix in matrices], all_ranks, modes, scenarios)]
    for matrix in matrices:
        for num_ranks in all_ranks:
            there = {(case.mode, case.scenario) for case in cases if (case.matrix, case.num_ranks) == (matrix.label, num_ranks)}
            own_modes = [mode for mode in modes if mode in {mode for mode, _ in there}]
            own_scenarios = [scenario for scenario in scenarios if scenario.name in {name for _, name in there}]
            if own_modes:
                of = (study, matrix.label, num_ranks, own_modes)
                parts += [f"## {matrix.label}, {num_ranks} ranks\n", "Seconds, means over seeds:\n", seconds_table(*of, own_scenarios)]
                if any(scenario.robustness for scenario in own_scenarios):
                    parts += [f"{RESILIENCE.capitalize()} and {FLEXIBILITY}, 1 for the most robust way:\n",
                              robustness_table(*of, own_scenarios)]
                parts += ["Memory and messages, undisturbed:\n", cost_table(*of, UNDISTURBED)]
    if failed:
        parts += ["## Failed\n", table(["case", "why"], [[f"{case.matrix} {case.num_ranks} {case.mode} {case.scenario} {case.seed}", why]
                                                         for case, why in failed])]
    return "\n".join(parts)
