# SPDX-License-Identifier: BSD-3-Clause
"""The package as it lies in the sources, with the library that FROND_LIBRARY names."""
import os
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parents[3]
package = str(root / "interfaces" / "python")
sys.path.insert(0, package)
os.environ["PYTHONPATH"] = package  # of processes that tests start
