#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that each folder includes only headers of itself and of the folders before it: tools/scripts/check_layering.py [SOURCE_TREE]

Rooms have an order, and so have the folders of each room. A file belongs to the longest of these names that its path begins with.
"""
import pathlib
import re
import sys

# The folders of each room in their order; "." is what lies in none of the others. `include` holds what embedding programs see.
ROOMS = {
    "matrices": "include . files",
    "analysis": "include graph ordering tree pivots mapping .",
    "loadinfo": "include self_scheduling messages messages/ranks messages/mesh messages/mpi mechanisms .",
    "factorization": "include machine kernels memory scheduling fronts thin distributed recovery root scalapack ranks ghosts .",
    "solver": "include options numerics/problem numerics/scaling numerics/sweeps numerics/accuracy numerics/verdict numerics/answers "
              "numerics/schur tables storage/saved storage/checkpoint course thin distributed/ranks local . distributed/batch distributed/mpi "
              "distributed/survive",
    "interfaces": ".",
    "tools": "program/process program/arguments program/page program/records program/solve program/batch program/bench "
             "program/calibration program/labels program/commands program simulation studies",
}
UNORDERED = {"interfaces"}  # rooms whose folders need no order
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')


def room_and_folder(path):
    """The room of a path relative to the tree, and its folder there; None outside all rooms, and no folder where it has no place."""
    room, _, rest = path.partition("/")
    if room not in ROOMS:
        return None
    if room in UNORDERED or "/" not in rest:
        return room, "."
    known = [folder for folder in ROOMS[room].split() if rest.startswith(folder + "/")]
    return room, max(known, key=len, default=None)


def rank(room, folder):
    return list(ROOMS).index(room), ROOMS[room].split().index(folder)


def included_path(source, name):
    """The path that `name` means in the file `source`, as source, installed header or relative path."""
    if name.startswith(".."):
        parts = list(source.parent.parts)
        for part in name.split("/"):
            parts = parts[:-1] if part == ".." else parts + [part]
        return "/".join(parts)
    return name.removeprefix("frond/")


def violations(tree):
    for source in sorted(tree.glob("*/**/*.[ch]pp")):
        path = source.relative_to(tree)
        place = room_and_folder(path.as_posix())
        if place is None:
            continue
        room, folder = place
        if folder is None:
            yield f"{path.parent}/ has no place in the order of {room}: {ROOMS[room]}"
            continue
        for number, line in enumerate(source.read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            target = room_and_folder(included_path(path, match[1])) if match else None
            if target and (target[1] is None or rank(*target) > rank(room, folder)):
                own = path.parts[0] if target[0] != room or folder == "." else f"{room}/{folder}"
                order = " ".join(ROOMS) if target[0] != room else ROOMS[room]
                yield f"{path}:{number}: {line.strip()}\n^ {own}/ may include only from itself and from what is before it in: {order}"


def main():
    tree = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    found = list(dict.fromkeys(violations(tree)))
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
