# SPDX-License-Identifier: BSD-3-Clause
"""One configuration, real and predicted; and what pairs of configurations tell about the order of times."""
from dataclasses import dataclass
from itertools import combinations
from statistics import median

from load_exchange.figures import ratio

DIFFERENT = 1.1  # times of a pair that differ by a larger factor are expected to be ordered alike
CLOSE = 0.1  # peaks that deviate by at most this share count as close

# Kinds of messages that are as many whatever masters choose, and why: kind -> reason.
FIXED_KINDS = {
    "announce": "one for each task whose parent has another master",
    "done": "2 (P - 1): to rank 0 and back",
    "free_memory": "0 without a memory limit",
    "refusal_end": "0 without a memory limit",
    "failure": "0: none has failed",
}


class Comparison:
    """Medians of the runs of a configuration beside its simulation."""

    def __init__(self, configuration, runs, simulated):
        self.configuration = configuration
        self.runs = runs
        self.simulated = simulated
        self.all_seconds = sorted(run["task_seconds"] for run in runs)
        self.seconds = median(self.all_seconds)
        self.predicted_seconds = simulated["predicted_seconds"]
        scalar_bytes = 16 if runs[0]["field"] == "complex" else 8
        self.all_peaks = sorted(max(run["peak_active_bytes_per_rank"]) / scalar_bytes for run in runs)
        self.peak = median(self.all_peaks)
        self.predicted_peak = simulated["peak_active_entries_max"]

    @property
    def time_ratio(self):
        return ratio(self.predicted_seconds, self.seconds)

    @property
    def peak_ratio(self):
        return ratio(self.predicted_peak, self.peak)

    @property
    def has_close_peak(self):
        return abs(self.predicted_peak - self.peak) <= CLOSE * self.peak

    @property
    def has_grid(self):
        return self.runs[0]["nodes_type3"] > 0

    @property
    def delayed_pivots(self):
        return max(run["delayed_pivots"] for run in self.runs)

    @property
    def has_same_mapping(self):
        keys = ["subtrees", "nodes_type1", "nodes_type2", "nodes_type3", "grid_rows", "grid_cols", "predicted_flops_per_rank"]
        return all(run[key] == self.simulated[key] for run in self.runs for key in keys)

    def counts(self, key):
        """(what the runs tell, ascending; what is predicted)"""
        return sorted(run[key] for run in self.runs), self.simulated[key]

    def messages(self, kind):
        return sorted(run["main_messages_by_type"][kind] for run in self.runs), self.simulated["main_messages_by_type"][kind]

    def agrees(self, kind):
        """All runs send as many messages of the kind as is predicted."""
        real, predicted = self.messages(kind)
        return all(count == predicted for count in real)

    def agrees_in_all(self):
        return all(self.agrees(kind) for kind in self.simulated["main_messages_by_type"])

    def told_once_per_slave(self):
        """Of the runs and the simulation: a settlement for each slave that was chosen, and an answer to each part that was offered."""
        return all(told["main_messages_by_type"]["settle"] == told["slaves_chosen"] and
                   told["main_messages_by_type"]["slave_answer"] == told["main_messages_by_type"]["slave_task"]
                   for told in [*self.runs, self.simulated])


@dataclass
class Pair:
    """Two configurations whose real times differ."""

    faster: Comparison
    slower: Comparison

    @property
    def real_factor(self):
        return self.slower.seconds / self.faster.seconds

    @property
    def predicted_factor(self):
        return self.slower.predicted_seconds / self.faster.predicted_seconds

    @property
    def is_ordered_alike(self):
        return self.predicted_factor > 1

    @property
    def is_certain(self):
        """Every run of the one was faster than every run of the other."""
        return self.faster.all_seconds[-1] < self.slower.all_seconds[0]


def pairs_that_differ(comparisons):
    pairs = [Pair(*sorted(pair, key=lambda comparison: comparison.seconds)) for pair in combinations(comparisons, 2)]
    return [pair for pair in pairs if pair.real_factor > DIFFERENT]


def of_one_matrix(pair):
    return pair.faster.configuration.matrix == pair.slower.configuration.matrix


def of_one_number_of_ranks(pair):
    return pair.faster.configuration.num_ranks == pair.slower.configuration.num_ranks


# Which pairs, and what that choice is in practice.
KINDS_OF_PAIRS = [
    ("all pairs", lambda pair: True),
    ("of the same matrix", of_one_matrix),
    ("of the same matrix, with different numbers of processes", lambda pair: of_one_matrix(pair) and not of_one_number_of_ranks(pair)),
    ("of the same matrix, with as many processes", lambda pair: of_one_matrix(pair) and of_one_number_of_ranks(pair)),
    ("of different matrices, with as many processes", lambda pair: not of_one_matrix(pair) and of_one_number_of_ranks(pair)),
]
