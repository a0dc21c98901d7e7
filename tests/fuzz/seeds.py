#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes seeds of the fuzz targets zip and npz. Usage: seeds.py ZIP_FOLDER NPZ_FOLDER"""
import pathlib
import struct
import sys
import zipfile

MATRIX = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2.5\n2 2 4\n"


def array(kind, shape, code, numbers):
    """An array as numpy.save writes it."""
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(numbers)}{code}", *numbers)


def matrices():
    """Of each format: its index arrays and its data, all for the shape (2, 3)."""
    values = array("<f8", "(4,)", "d", [1, 2, 3, 4])
    integers = lambda *numbers: array("<i4", f"({len(numbers)},)", "i", numbers)
    return {"csr": (values, integers(0, 2, 1, 2), integers(0, 2, 4)),
            "csc": (values, integers(0, 1, 0, 1), integers(0, 1, 2, 4)),
            "coo": (values, integers(0, 0, 1, 1), integers(0, 2, 1, 2)),
            "bsr": (array("<f8", "(1, 2, 3)", "d", range(6)), integers(0), integers(0, 1)),
            "dia": (array("<f8", "(2, 3)", "d", range(6)), integers(0, 1), b"")}


def main(zip_folder, npz_folder):
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(zip_folder / f"matrix_{compression}", "w", compression) as archive:
            archive.writestr("A/A.mtx", MATRIX)
            archive.writestr("A/A_b.mtx", MATRIX)
    shape = array("<i8", "(2,)", "q", [2, 3])
    for number, (name, (data, first, second)) in enumerate(matrices().items()):
        (npz_folder / name).write_bytes(bytes([number]) + b"\n==\n".join([shape, data, first, second]))
        with zipfile.ZipFile(zip_folder / name, "w") as archive:
            for member, content in [("shape", shape), ("data", data), ("indices", first), ("indptr", second),
                                    ("format", array("|S3", "()", "3s", [name.encode()]))]:
                archive.writestr(f"{member}.npy", content)


main(*map(pathlib.Path, sys.argv[1:]))
