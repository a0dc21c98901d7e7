#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/studies/check_simulation.py on small matrices: check_simulation_test.sh FROND MPIEXEC
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
frond=$1 mpiexec=$2
command -v python3 >/dev/null || { echo 'SKIPPED: python3 is not installed'; exit 77; }
command -v "$mpiexec" >/dev/null || { echo "SKIPPED: $mpiexec is not installed"; exit 77; }
report="$scratch/report.md"
# shellcheck disable=SC2317 # it is called by succeeds and fails
check() {
  "$root/tools/studies/check_simulation.py" --frond "$frond" --mpiexec "$mpiexec" --output "$scratch/check" --report "$report" \
    --machine "$scratch/machine.json" --cores 2 "$@"
}
small=(--matrices 'laplacian3d7:26,kkt3d:12' --fixed 'laplacian3d7:10,helmholtz3d:7' --ranks '2,3' --repeat 1 --mechanisms increments)

"$mpiexec" -n 2 "$frond" calibrate --quick --scalar 'double,complex double' -o "$scratch/machine.json" >/dev/null 2>&1 || fail 'no machine'
succeeds "report: $report" check "${small[@]}"
for heading in Matrices Seconds 'Order of times' 'Peaks of active memory' 'Decisions and messages' 'Messages where nothing is chosen'; do
  grep -q "^## $heading\$" "$report" || fail "no section $heading"
done
grep -q 'In every configuration the simulation has the mapping of the runs' "$report" || fail 'another mapping in the simulation'
grep -q '^All kinds agree in every run of 4 of the 4 configurations without delayed pivots' "$report" || fail 'messages differ where nothing is chosen'

# Figures agree with the files.
cat >"$scratch/compare.py" <<'EOP'
import itertools
import json
import os
import sys

output, report, scripts = sys.argv[1:]
sys.path.insert(0, scripts)
sys.dont_write_bytecode = True
from report_tables import expect, tables_of  # noqa: E402

tables = tables_of(report)


def told(name):
    with open(os.path.join(output, "runs", name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def close(what, in_report, computed):
    half_a_digit = 0.5 * 10.0 ** -len(in_report.partition(".")[2])
    if abs(float(in_report) - computed) > 1.001 * half_a_digit:
        sys.exit(f"{what}: {in_report} in the report, {computed} in the results")


rows = {heading: {tuple(row[:4]): row[4:] for row in tables[heading, "matrix"][1:]} for heading in
        ("Seconds", "Peaks of active memory", "Decisions and messages", "Messages where nothing is chosen")}
times = {}
for matrix, ranks, schedule in itertools.product(("laplacian3d7 26", "kkt3d 12"), "23", ("flops", "memory")):
    key = (matrix, ranks, schedule, "increments")
    name = f"{matrix.replace(' ', '-')}_{ranks}_{schedule}_increments"
    run, simulated = told(name + "_run1"), told(name + "_simulated")
    seconds, peak, messages = (rows[heading][key] for heading in ("Seconds", "Peaks of active memory", "Decisions and messages"))
    close("seconds", seconds[0], run["task_seconds"])
    close("predicted seconds", seconds[2], simulated["predicted_seconds"])
    close("ratio", seconds[3], simulated["predicted_seconds"] / run["task_seconds"])
    close("peak", peak[0], max(run["peak_active_bytes_per_rank"]) / 8e6)
    close("predicted peak", peak[2], simulated["peak_active_entries_max"] / 1e6)
    expect("decisions", messages[0:2], [str(run["dynamic_decisions"]), str(simulated["dynamic_decisions"])])
    expect("slaves", messages[2:4], [str(run["slaves_chosen"]), str(simulated["slaves_chosen"])])
    expect("messages", messages[4:6], [str(run["main_messages"]), str(simulated["main_messages"])])
    if run["task_seconds"] > run["factor_seconds"]:
        sys.exit("tasks take longer than the factorization of which they are a part")
    times[key] = run["task_seconds"], simulated["predicted_seconds"]
for matrix, ranks in itertools.product(("laplacian3d7 10", "helmholtz3d 7"), "23"):
    name = f"{matrix.replace(' ', '-')}_{ranks}_flops_increments"
    messages = rows["Messages where nothing is chosen"][matrix, ranks, "flops", "increments"]
    expect("messages", messages[0:2], [str(told(name + "_run1")["main_messages"]), str(told(name + "_simulated")["main_messages"])])
    expect("messages of the simulation", messages[0], messages[1])

pairs = {row[0]: row[1:] for row in tables["Order of times", "pairs"][1:]}
for what, belongs in ("all pairs", lambda a, b: True), ("of the same matrix", lambda a, b: a[0] == b[0]):
    differ = [(a, b) for a, b in itertools.combinations(times, 2)
              if belongs(a, b) and max(times[a][0], times[b][0]) > 1.1 * min(times[a][0], times[b][0])]
    alike = [(a, b) for a, b in differ if (times[a][0] - times[b][0]) * (times[a][1] - times[b][1]) > 0]
    expect(f"{what} that differ", pairs[what][:2], [str(len(differ)), str(len(alike))])
EOP
python3 "$scratch/compare.py" "$scratch/check" "$report" "$root/tests/scripts" || fail 'figures do not agree with the results'
sed 's/^\(| kkt3d 12 | 3 | flops | increments | \)\([0-9]*\) |/\19\2 |/' "$report" >"$scratch/wrong.md"
fails 'in the report' python3 "$scratch/compare.py" "$scratch/check" "$scratch/wrong.md" "$root/tests/scripts"

# What is there is taken when it may be.
cp "$report" "$scratch/first.md"
succeeds 'report: ' check "${small[@]}" --reuse
cmp -s "$report" "$scratch/first.md" || fail 'another report from the same results'

# What goes wrong is told.
fails 'laplacian3d7 26: with 2 processes it has row-distributed fronts' check --matrices laplacian3d7:26 --fixed laplacian3d7:26 --ranks 2 --repeat 1
fails 'frond generate' check --matrices abacus:3
fails 'expected a kind and a size' check --matrices laplacian3d7
fails 'has no mechanism telepathy; choose from: naive' check --mechanisms telepathy
fails 'expected numbers of ranks from 2 on' check --ranks 1
fails 'schedules are flops and memory' check --schedules luck
fails 'missing/frond is no program' check --frond "$scratch/missing/frond"
fails 'there is no missing-mpiexec' check --mpiexec missing-mpiexec
fails 'there is no such folder' check --report "$scratch/missing/report.md"
succeeds 'examples:' check --help
exit $((failures > 0))
