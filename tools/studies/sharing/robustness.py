# SPDX-License-Identifier: BSD-3-Clause
"""Robustness by FePIA, as in "rDLB: a novel approach for robust dynamic load balancing of scientific applications with parallel independent
tasks" (Mohammed, Cavelan, Ciorba 2019): the feature is the time T of the run, the perturbation parameter a scenario.

    radius of a mode      r = T(disturbed) - T(undisturbed)
    metric                rho = r / smallest r of all modes       1: the most robust, k: k times less robust

rho is called resilience against losses, flexibility against perturbations. A disturbance that costs less than a hundredth of the run
counts as a hundredth: quotients of what is next to nothing say nothing. A run that never ends has an infinite radius."""
import math
from dataclasses import dataclass
from statistics import mean

from load_exchange.figures import geometric_mean
from sharing.plan import UNDISTURBED, Case

SMALLEST_SHARE = 0.01


@dataclass(frozen=True)
class Study:
    """What there is of results, all seeds of a case taken together."""

    results: object

    def runs(self, matrix, num_ranks, mode, scenario):
        return [record["run"] for case, record in self.results.known.items()
                if (case.matrix, case.num_ranks, case.mode, case.scenario) == (matrix, num_ranks, mode, scenario)]

    def mean(self, key, matrix, num_ranks, mode, scenario):
        """Over seeds; None where there are no runs."""
        runs = self.runs(matrix, num_ranks, mode, scenario)
        return mean(run[key] for run in runs) if runs else None

    def seconds(self, *case):
        """As mean(); infinite where a run never ends."""
        runs = self.runs(*case)
        if any(run["predicted_seconds"] is None for run in runs):
            return math.inf
        return mean(run["predicted_seconds"] for run in runs) if runs else None

    def ratios(self, problems, num_ranks, mode, first, scenarios):
        """Time over that of the first mode, for each problem and scenario where both are known and one comes to its end."""
        pairs = [(self.seconds(problem, num_ranks, mode, scenario), self.seconds(problem, num_ranks, first, scenario))
                 for problem in problems for scenario in scenarios]
        return [own / other for own, other in pairs if own is not None and other is not None and not own == other == math.inf]

    def radius(self, matrix, num_ranks, mode, scenario):
        disturbed = self.seconds(matrix, num_ranks, mode, scenario)
        undisturbed = self.results.run(Case(matrix, num_ranks, mode, UNDISTURBED, 0))
        if disturbed is None or undisturbed is None:
            return None
        seconds = undisturbed["predicted_seconds"]
        return max(disturbed - seconds, SMALLEST_SHARE * seconds)

    def metrics(self, matrix, num_ranks, modes, scenario):
        """[mode] = rho; None where there is no radius."""
        radii = {mode: self.radius(matrix, num_ranks, mode, scenario) for mode in modes}
        smallest = min((radius for radius in radii.values() if radius is not None), default=None)
        return {mode: None if radius is None or smallest == math.inf else radius / smallest for mode, radius in radii.items()}

    def best_modes(self, family, num_ranks, count):
        """Those that end in most cases, and then with the least geometric mean of time over that of the mode that is best undisturbed; in
        their order."""
        problems = [problem.label for problem in family.problems]
        scenarios = [scenario.name for scenario in family.scenarios]
        modes = [mode.name for mode in family.modes]

        def rank(mode):
            seconds = [self.seconds(problem, num_ranks, mode, scenario) for problem in problems for scenario in scenarios]
            known = [one for one in seconds if one is not None]
            finite = [one for one in known if one < math.inf]
            return (not finite, len(known) - len(finite), geometric_mean(finite) or 0)

        ranked = sorted(modes, key=rank)
        return [mode for mode in modes if mode in ranked[:count]]
