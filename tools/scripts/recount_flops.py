#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts entries and flops of the factors anew, from a matrix and the order of elimination that frond used:

    frond solve A.mtx --set block-triangular=never --write-ordering order.txt
    tools/scripts/recount_flops.py A.mtx order.txt

Nothing of Frond is used; it counts the whole matrix, not only the diagonal blocks of a block triangular form. The pattern is that of A + A^T with its diagonal, of A with its rows permuted if the order says so. Column j of L has a row i exactly if j is on a path of the
elimination tree from some k with a_ik != 0, k < i, up to i (Liu 1990, "The role of elimination trees in sparse factorization"): so all
entries of L are visited once. Prints, for L L^T and for L U: entries of the factors, and flops as docs/benchmark.md counts them.
"""
import gzip
import json
import sys


def read_pattern(path, keeps_zeros=False):
    """Order and positions of the entries, counted from 0, of a Matrix Market coordinate file; both triangles of a symmetric one."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="ascii") as file:
        header = file.readline().split()
        if len(header) < 5 or header[0] != "%%MatrixMarket" or header[2].lower() != "coordinate":
            sys.exit(f"{path}:1: not a Matrix Market coordinate file")
        line = file.readline()
        while line.startswith("%") or not line.strip():
            line = file.readline()
        order, num_cols, num_entries = map(int, line.split())
        if order != num_cols:
            sys.exit(f"{path}: {order} rows and {num_cols} columns: only square matrices are factorized")
        entries = []
        for _ in range(num_entries):
            row, col, *values = file.readline().split()
            if values and not keeps_zeros and not any(map(float, values)):
                continue  # frond leaves zeros out, unless variables are alike with them, which a note says
            entries.append((int(row) - 1, int(col) - 1))
            if header[4].lower() != "general":
                entries.append((int(col) - 1, int(row) - 1))
    return order, entries


def read_ordering(path, order):
    """The positions of each row and of each column in the order of elimination: a line names a column, and its row if it is another."""
    with open(path, encoding="ascii") as file:
        lines = [[int(number) - 1 for number in line.split()] for line in file]
    positions = []
    for perm in [line[-1] for line in lines], [line[0] for line in lines]:
        if sorted(perm) != list(range(order)):
            sys.exit(f"{path}: not an ordering of {order} variables")
        position = [0] * order
        for k, variable in enumerate(perm):
            position[variable] = k
        positions.append(position)
    return positions


def neighbours_in_order(order, entries, row_position, col_position):
    """The neighbours of each variable, all by their positions."""
    neighbours = [[] for _ in range(order)]
    for row, col in entries:
        i, j = row_position[row], col_position[col]
        if i != j:
            neighbours[i].append(j)
            neighbours[j].append(i)
    return neighbours


def count_columns(neighbours):
    """Entries of each column of L, the diagonal included."""
    order = len(neighbours)
    parent = [-1] * order
    last_row = [-1] * order
    counts = [1] * order
    for i in range(order):
        last_row[i] = i
        for k in neighbours[i]:
            while k < i and last_row[k] != i:
                last_row[k] = i
                counts[k] += 1
                if parent[k] < 0:
                    parent[k] = i
                k = parent[k]
    return counts


def main():
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--keep-zeros"]):
        sys.exit(f"usage: {sys.argv[0]} A.mtx ORDERING [--keep-zeros]")
    order, entries = read_pattern(sys.argv[1], len(sys.argv) == 4)
    counts = count_columns(neighbours_in_order(order, entries, *read_ordering(sys.argv[2], order)))
    print(json.dumps({
        "order": len(counts),
        "symmetric_entries": sum(counts),
        "symmetric_flops": sum(c * c for c in counts),
        "lu_entries": sum(2 * c - 1 for c in counts),
        "lu_flops": sum((c - 1) + 2 * (c - 1) ** 2 for c in counts),
    }))


if __name__ == "__main__":
    main()
