# SPDX-License-Identifier: BSD-3-Clause
"""Matrices that stand in for those of the paper that cannot be rebuilt: of its kind of problem, and about its order and entries per row.

A pattern is an order, and for each row the columns of its couplings, without the diagonal. Simulations look at patterns alone; the
values make every row diagonally dominant, so that no pivot and no matching changes them."""
import random

SYMMETRIC = "symmetric"
UNSYMMETRIC = "general"


class Grid:
    """Points of a box, numbered along its shortest side first, so that rows that are near in the file are near in space."""

    def __init__(self, sides):
        self.sides = sides
        self.steps = [1]
        for side in sides[:-1]:
            self.steps.append(self.steps[-1] * side)

    def points(self):
        """(number, coordinates) of every point, in the order of their numbers."""
        coordinates = [0] * len(self.sides)
        number = 0
        while True:
            yield number, tuple(coordinates)
            number += 1
            for axis, side in enumerate(self.sides):
                coordinates[axis] += 1
                if coordinates[axis] < side:
                    break
                coordinates[axis] = 0
            else:
                return

    def neighbours(self, point, offsets):
        """Numbers of the points at the offsets that are inside."""
        for offset in offsets:
            place = [x + d for x, d in zip(point, offset)]
            if all(0 <= x < side for x, side in zip(place, self.sides)):
                yield sum(x * step for x, step in zip(place, self.steps))

    @property
    def num_points(self):
        return self.steps[-1] * self.sides[-1]


def box_offsets(dimension):
    """To the 3^dimension - 1 points around one."""
    offsets = [()]
    for _ in range(dimension):
        offsets = [offset + (d,) for offset in offsets for d in (-1, 0, 1)]
    return [offset for offset in offsets if any(offset)]


def scaled(sides, scale):
    return [max(3, round(side * scale)) for side in sides]


# Solids, plates and crystals -----------------------------------------------------------------------------------------------------


def grid_pattern(sides, offsets, num_unknowns):
    """Every point has so many unknowns, all coupled with each other and with those of the points at the offsets."""
    grid = Grid(sides)
    neighbours = (sorted([number, *grid.neighbours(point, offsets)]) for number, point in grid.points())
    return grid.num_points * num_unknowns, rows_of_blocks(neighbours, num_unknowns)


def rows_of_blocks(neighbours_of_points, num_unknowns):
    """The rows of points that come one after the other, from the numbers of each and of its neighbours."""
    for number, neighbours in enumerate(neighbours_of_points):
        columns = [num_unknowns * other + k for other in neighbours for k in range(num_unknowns)]
        for row in range(num_unknowns * number, num_unknowns * (number + 1)):
            yield row, [column for column in columns if column != row]


def solid_body(sides):
    """Hexahedra with three displacements at each node."""
    return lambda scale: grid_pattern(scaled(sides, scale), box_offsets(3), 3)


def shell(sides, num_unknowns):
    """A surface of triangles: a grid of squares that are cut along one diagonal."""
    offsets = [(-1, -1), (0, -1), (-1, 0), (1, 0), (0, 1), (1, 1)]
    return lambda scale: grid_pattern(scaled(sides, scale), offsets, num_unknowns)


def crystal(sides):
    """Points coupled with those around them but the two at the ends of one diagonal."""
    offsets = [offset for offset in box_offsets(3) if offset not in ((-1, -1, -1), (1, 1, 1))]
    return lambda scale: grid_pattern(scaled(sides, scale), offsets, 1)


def hull(num_cells, cell=3, num_unknowns=6):
    """Decks and bulkheads: a box of cells whose walls are plates of squares, `cell` squares wide, with six unknowns at each node."""
    return lambda scale: plates_pattern([max(1, round(cells * scale)) for cells in num_cells], cell, num_unknowns)


def plates_pattern(num_cells, cell, num_unknowns):
    """Two nodes are coupled when they are corners of one square of a wall."""
    sides = [cells * cell + 1 for cells in num_cells]
    grid = Grid(sides)
    offsets = box_offsets(3)
    numbers = {}
    for _, point in grid.points():
        if any(x % cell == 0 for x in point):
            numbers[point] = len(numbers)

    def share_a_square(point, other):
        return any(x == y and x % cell == 0 for x, y in zip(point, other))

    def neighbours():
        for point, number in numbers.items():
            around = (tuple(x + d for x, d in zip(point, offset)) for offset in offsets)
            yield sorted([number, *(numbers[other] for other in around if other in numbers and share_a_square(point, other))])

    return len(numbers) * num_unknowns, rows_of_blocks(neighbours(), num_unknowns)


# Linear programs -----------------------------------------------------------------------------------------------------------------


def normal_equations(num_rows, largest_column, num_columns, decay, seed=1):
    """A A^T of a linear program with few dense columns: column k of A has largest_column / k^decay entries, anywhere in a window
    twice as wide, and every row some column that it shares with the next row."""

    def pattern(scale):
        order = max(60, round(num_rows * scale))
        draw = random.Random(seed)
        coupled = [set() for _ in range(order)]
        columns = [[row, row + 1] for row in range(order - 1)]
        for k in range(1, num_columns + 1):
            size = max(2, round(largest_column * scale / k**decay))
            window = min(order, 2 * size)
            begin = draw.randrange(order - window + 1)
            columns.append(draw.sample(range(begin, begin + window), min(size, window)))
        for column in columns:
            for row in column:
                coupled[row].update(column)
        return order, ((row, sorted(others - {row})) for row, others in enumerate(coupled))

    return pattern


# Harmonic balance ----------------------------------------------------------------------------------------------------------------


def harmonic_balance(num_nodes, num_harmonics, nonlinear_share, distance, long_share, seed=1):
    """A circuit whose nodes have num_harmonics unknowns each. A link couples equal harmonics of two nodes, a fifth of the links in one
    direction only; a share of the nodes has a nonlinear device, which couples all harmonics of its node. Links are to nodes nearby,
    at the mean distance, but for a share of them that may go anywhere."""

    def pattern(scale):
        nodes = max(10, round(num_nodes * scale))
        draw = random.Random(seed)
        coupled = [set() for _ in range(nodes)]
        for node in range(1, nodes):
            for _ in range(2 if draw.random() < 0.45 else 1):
                is_long = draw.random() < long_share
                partner = draw.randrange(node) if is_long else max(0, node - 1 - int(draw.expovariate(1 / distance)))
                coupled[node].add(partner)
                if draw.random() >= 0.2:
                    coupled[partner].add(node)
        is_nonlinear = [draw.random() < nonlinear_share for _ in range(nodes)]

        def rows():
            for node, partners in enumerate(coupled):
                begin = node * num_harmonics
                for harmonic in range(num_harmonics):
                    columns = {partner * num_harmonics + harmonic for partner in partners}
                    if is_nonlinear[node]:
                        columns.update(range(begin, begin + num_harmonics))
                    yield begin + harmonic, sorted(columns - {begin + harmonic})

        return nodes * num_harmonics, rows()

    return pattern


# Files ---------------------------------------------------------------------------------------------------------------------------


def write_matrix(path, pattern, symmetry):
    """Writes a Matrix Market file of the pattern, one triangle of it if it is symmetric. Returns (order, stored entries)."""
    order, rows = pattern
    numbers = [str(k + 1) for k in range(order)]
    num_entries = 0
    room = 30 * " "
    with open(path, "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate real {symmetry}\n")
        place_of_size = file.tell()
        file.write(f"{order} {order} {room}\n")
        for row, columns in rows:
            lower = [numbers[column] for column in columns if column < row]
            upper = [numbers[column] for column in columns if column > row and symmetry != SYMMETRIC]
            begin = numbers[row] + " "
            file.write(f"{begin}{numbers[row]} {len(columns) + 1}\n")
            for part, value in (lower, "-1"), (upper, "-0.5"):
                if part:
                    file.write(begin + f" {value}\n{begin}".join(part) + f" {value}\n")
            num_entries += len(lower) + 1 + len(upper)
        file.seek(place_of_size)
        file.write(f"{order} {order} {num_entries}".ljust(len(f"{order} {order} {room}")))
    return order, num_entries
