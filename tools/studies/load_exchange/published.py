# SPDX-License-Identifier: BSD-3-Clause
"""Figures that Guermouche and L'Excellent measured on an IBM SP with 32 to 128 processes ("A study of various load information exchange
mechanisms for a distributed application using dynamic scheduling", 2005). What is not here is absent in the text that we have."""

MATRICES = {  # order, stored entries (of one triangle when symmetric), is symmetric, what it is
    "BMWCRA_1": (148770, 5396386, True, "automotive crankshaft"),
    "GUPTA3": (16783, 4670105, True, "linear program, A A^T"),
    "MSDOOR": (415863, 10328399, True, "door of a car"),
    "SHIP_003": (121728, 4103881, True, "ship structure"),
    "PRE2": (659033, 5959282, False, "harmonic balance"),
    "TWOTONE": (120750, 1224224, False, "harmonic balance"),
    "ULTRASOUND3": (185193, 11390625, False, "waves in 3D"),
    "XENON2": (157464, 3866688, False, "zeolite crystals"),
    "AUDIKW_1": (943695, 39297771, True, "automotive crankshaft"),
    "CONV3D64": (836550, 12548250, False, "convection in 3D"),
    "ULTRASOUND80": (531441, 33076161, False, "waves in 3D"),
}


def table_of(text, num_keys, names):
    """{(matrix, ranks, ...): {name: figure}} from lines of keys and figures; a dash is an absent figure."""
    rows = {}
    for words in map(str.split, text.strip().splitlines()):
        key = tuple(int(word) if word.isdigit() else word for word in words[:num_keys])
        rows[key] = {name: float(word) for name, word in zip(names, words[num_keys:]) if word != "-"}
    return rows


DECISIONS = table_of("""
BMWCRA_1      41  96   -
GUPTA3         8   8   -
MSDOOR        38  81   -
SHIP_003      70 152   -
PRE2          92 125   -
TWOTONE       55  57   -
ULTRASOUND3   49 116   -
XENON2        50  65   -
AUDIKW_1       - 119 199
CONV3D64       - 169 274
ULTRASOUND80   - 122 218""", 1, (32, 64, 128))

PEAK_MEMORY = table_of("""
BMWCRA_1    32 3.71 3.71  3.71
GUPTA3      32 3.88 4.35  3.88
MSDOOR      32 1.51 1.51  1.51
SHIP_003    32 5.52 5.52  5.52
PRE2        32 7.88 7.83  8.04
TWOTONE     32 1.94 1.89  1.99
ULTRASOUND3 32 7.17 6.02 10.69
XENON2      32 2.83 2.86  2.93
BMWCRA_1    64 2.30 2.30  3.55
GUPTA3      64 2.70 2.70  2.70
MSDOOR      64 1.01 0.84  0.84
SHIP_003    64 2.19 2.19  2.19
PRE2        64 7.66 7.87  7.72""", 2, ("increments", "snapshot", "naive"))  # millions of entries

SECONDS = table_of("""
AUDIKW_1      64 off  94.74 141.62
CONV3D64      64 off 381.27 688.39
ULTRASOUND80  64 off  48.69  85.68
AUDIKW_1     128 off  53.51  87.70
CONV3D64     128 off 178.88 315.63
ULTRASOUND80 128 off  35.12  66.53
AUDIKW_1      64 on   79.54 114.96
CONV3D64      64 on  367.28 432.71
ULTRASOUND80  64 on   49.56  69.60
AUDIKW_1     128 on   41.00  59.19
CONV3D64     128 on  189.47 237.69
ULTRASOUND80 128 on   35.91  52.00""", 3, ("increments", "snapshot"))  # by load thread

MESSAGES = table_of("""
AUDIKW_1      64  302715 11388
CONV3D64      64  386196 16471
ULTRASOUND80  64  208024 12400
AUDIKW_1     128 1386165 39832""", 2, ("increments", "snapshot"))

SNAPSHOT_SECONDS = {"off": 100.0, "on": 14.0}  # of CONV3D64 with 128 processes
