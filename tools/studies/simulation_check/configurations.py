# SPDX-License-Identifier: BSD-3-Clause
"""What is run and simulated: generated matrices, numbers of processes, schedules, mechanisms."""
from dataclasses import dataclass

# One of each kind, of about a second on one core: some of their fronts are distributed by rows.
DEFAULT_MATRICES = ["laplacian3d7:50", "elasticity3d:26", "convection3d:44", "helmholtz3d:40", "kkt3d:26", "laplacian2d9:800"]

# So small that no front is distributed by rows: there is nobody to choose, and messages are to agree one by one.
DEFAULT_FIXED = ["laplacian3d7:16", "convection3d:12", "helmholtz3d:12", "kkt3d:8", "laplacian2d9:200"]


@dataclass(frozen=True)
class Matrix:
    """A model problem that `frond generate` makes."""

    kind: str
    size: int

    @property
    def label(self):
        return f"{self.kind} {self.size}"

    @property
    def file_name(self):
        return f"{self.kind}-{self.size}"


@dataclass(frozen=True)
class Configuration:
    """What is run several times, and simulated once."""

    matrix: Matrix
    num_ranks: int
    schedule: str
    mechanism: str

    @property
    def label(self):
        return f"{self.matrix.label}, {self.num_ranks} processes, {self.schedule}, {self.mechanism}"

    @property
    def file_name(self):
        return f"{self.matrix.file_name}_{self.num_ranks}_{self.schedule}_{self.mechanism}"


def configurations_of(matrices, rank_counts, schedules, mechanisms):
    return [Configuration(matrix, num_ranks, schedule, mechanism)
            for matrix in matrices for num_ranks in rank_counts for schedule in schedules for mechanism in mechanisms]
