# SPDX-License-Identifier: BSD-3-Clause
"""The matrices of the study: the real ones where there are files, those that can be rebuilt, and stand-ins for the others."""
import gzip
import json
import os
import subprocess
import sys
from dataclasses import dataclass

from load_exchange import published, stand_ins
from load_exchange.errors import StudyError

EXACT = {  # by frond generate
    "ULTRASOUND3": ("ultrasound3", 28),
    "ULTRASOUND80": ("ultrasound80", 40),
    "CONV3D64": ("conv3d64", 65),
}

# The sides make bodies as slender as the parts that they stand for, which keeps separators small.
STAND_INS = {
    "BMWCRA_1": ("bar of 14 x 22 x 161 nodes, hexahedra, 3 displacements", stand_ins.solid_body([14, 22, 161])),
    "GUPTA3": ("A A^T, 12 dense columns of A from 2100 to 369 entries in windows twice as wide, and a band",
               stand_ins.normal_equations(16783, 2100, 12, 0.7)),
    "MSDOOR": ("shell of 123 x 483 nodes, triangles, 7 unknowns", stand_ins.shell([123, 483], 7)),
    "SHIP_003": ("decks and bulkheads between 6 x 8 x 19 cells, plates 3 squares wide, 6 unknowns", stand_ins.hull([6, 8, 19])),
    "PRE2": ("circuit of 18830 nodes with 35 harmonics, 16 % of them nonlinear, 0.2 % long links",
             stand_ins.harmonic_balance(18830, 35, 0.161, 40, 0.002)),
    "TWOTONE": ("circuit of 3450 nodes with 35 harmonics, 19 % of them nonlinear, 0.7 % long links",
                stand_ins.harmonic_balance(3450, 35, 0.187, 30, 0.007)),
    "XENON2": ("27 x 54 x 108 points, each coupled with 24 around it", stand_ins.crystal([27, 54, 108])),
    "AUDIKW_1": ("bar of 32 x 61 x 161 nodes, hexahedra, 3 displacements", stand_ins.solid_body([32, 61, 161])),
}

FURTHER = {  # not in the paper: kind and size for frond generate, is symmetric, what it is
    "LAPLACIAN3D": ("laplacian3d7", 80, True, "7-point Laplacian in 3D"),
}


@dataclass(frozen=True)
class Matrix:
    """A matrix that is there."""

    name: str
    label: str
    path: str
    origin: str
    story: str
    order: int
    entries: int
    is_symmetric: bool

    @property
    def method(self):
        return "ldlt" if self.is_symmetric else "lu"  # as in the paper


def known_names():
    return [*published.MATRICES, *FURTHER]


def check_names(names):
    for name in names:
        if name not in known_names():
            raise StudyError(f"{name} is no matrix of this study; choose from: {', '.join(known_names())}")


@dataclass(frozen=True)
class Source:
    """Where a matrix comes from; `label` tells it from others that have the same name."""

    name: str
    label: str
    path: str
    origin: str  # "exact", "file" or "stand-in"


def locate(name, folder, matrix_dir, scale):
    """The file of the matrix itself if there is one and nothing is scaled, or else what is to be made in the folder."""
    path = find_file(name, matrix_dir) if matrix_dir and scale == 1 and name in STAND_INS else None
    if path:
        return Source(name, f"{name}-file", path, "file")
    label = name if scale == 1 else f"{name}-{scale:g}"
    return Source(name, label, os.path.join(folder, label + ".mtx"), "stand-in" if name in STAND_INS else "exact")


def prepare(source, scale, frond):
    """Makes the matrix unless it is there."""
    if not os.path.exists(source.path):
        make(source.name, source.path, scale, frond)
    order, entries = read_size(source.path)
    if source.origin == "file" or (source.origin == "exact" and scale == 1 and source.name in published.MATRICES):
        check_size(source.name, source.path, order, entries)
    return Matrix(source.name, source.label, source.path, source.origin, story(source, scale), order, entries, is_symmetric(source.name))


def story(source, scale):
    """How the matrix came about."""
    if source.origin == "file":
        return "the matrix itself"
    shrunk = "" if scale == 1 else f", sides x {scale:g}"
    if source.origin == "stand-in":
        return STAND_INS[source.name][0] + shrunk
    return "`frond generate " + " ".join(map(str, generator_arguments(source.name, scale))) + "`"


def is_symmetric(name):
    return published.MATRICES[name][2] if name in published.MATRICES else FURTHER[name][2]


def generator_arguments(name, scale):
    kind, size = EXACT[name] if name in EXACT else FURTHER[name][:2]
    return kind, max(2, round(size * scale))


def make(name, path, scale, frond):
    """Writes the file under another name first, so that an interrupted study leaves no part of it."""
    print(f"making {path}", file=sys.stderr, flush=True)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = path.removesuffix(".mtx") + ".part.mtx"
    if name in STAND_INS:
        symmetry = stand_ins.SYMMETRIC if is_symmetric(name) else stand_ins.UNSYMMETRIC
        stand_ins.write_matrix(part, STAND_INS[name][1](scale), symmetry)
    else:
        kind, size = generator_arguments(name, scale)
        made = subprocess.run([frond, "generate", kind, str(size), "-o", part], capture_output=True, text=True, check=False)
        if made.returncode:
            raise StudyError(f"{name} could not be made: {made.stderr.strip()}")
    os.replace(part, path)


def find_file(name, folder):
    """DIR/NAME.mtx or DIR/NAME/NAME.mtx, also compressed, in upper or lower case."""
    places = {name + ".mtx", name + ".mtx.gz"}
    for found in sorted(os.listdir(folder)):
        path = os.path.join(folder, found)
        if found.upper() == name and os.path.isdir(path):
            inner = find_file(name, path)
            if inner:
                return inner
        if os.path.isfile(path) and found.upper() in {place.upper() for place in places}:
            return path
    return None


def read_size(path):
    """Order and stored entries, from the size line of a Matrix Market file."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.strip() and not line.startswith("%"):
                words = line.split()
                if len(words) == 3 and all(word.isdigit() for word in words):
                    return int(words[0]), int(words[2])
                break
    raise StudyError(f"{path} is no Matrix Market file of a sparse matrix; remove it, or fetch it anew with tools/scripts/fetch_matrices.sh")


def check_size(name, path, order, entries):
    expected = published.MATRICES[name][:2]
    if (order, entries) != expected:
        raise StudyError(f"{path} has order {order} and {entries} entries, but {name} has order {expected[0]} and {expected[1]}: "
                         "remove it, and let it be made or fetched anew (tools/scripts/fetch_matrices.sh)")


def write_ordering(matrix, folder, kind, frond, num_threads):
    """The file with the order of elimination, which is found once for all simulations."""
    path = os.path.join(folder, f"{matrix.label}.{kind}")
    if not os.path.exists(path):
        print(f"ordering {matrix.label} ({kind})", file=sys.stderr, flush=True)
        os.makedirs(folder, exist_ok=True)
        command = [frond, "analyze", matrix.path, "--method", matrix.method, "--ordering", kind, "--threads", str(num_threads),
                   "--write-ordering", path + ".part", "--json", path + ".json"]
        ordered = subprocess.run(command, capture_output=True, text=True, check=False)
        if ordered.returncode:
            raise StudyError(f"{matrix.label} could not be ordered: {ordered.stderr.strip()}")
        os.replace(path + ".part", path)
    return path


def predicted(ordering_path):
    """What the analysis tells of a matrix with this ordering."""
    with open(ordering_path + ".json", encoding="utf-8") as file:
        return json.load(file)
