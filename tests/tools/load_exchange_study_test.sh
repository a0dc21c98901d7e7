#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/studies/load_exchange_study.py on small matrices: load_exchange_study_test.sh FROND
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
command -v python3 >/dev/null || { echo 'SKIPPED: python3 is not installed'; exit 77; }
frond=$1
folder="$scratch/study"
report="$scratch/report.md"
# shellcheck disable=SC2317 # it is called by succeeds and fails
study() { "$root/tools/studies/load_exchange_study.py" --frond "$frond" --output "$folder" --report "$report" --jobs 1 "$@"; }
small=(--matrices ULTRASOUND3 --scale 0.4 --ranks '8,16')

# The paper's tables: 2 numbers of ranks, and 3 kinds of runs.
num_mechanisms=$("$frond" simulate --help-all | tr -s ' \n' ' ' | sed -n "s/.*know each other's load by \([a-z, -]*\) (default.*/\1/p" | tr ',' '\n' | grep -c .)
succeeds "$((num_mechanisms * 6)) simulations in 4 sweeps" study "${small[@]}" --plan
[ -e "$folder" ] && fail 'a plan leaves files behind'
succeeds "$((num_mechanisms * 6)) simulations, 0 of them are there already" study "${small[@]}"
for heading in 'Matrices' 'Findings of the paper' 'Table 3:' 'Table 4:.* P = 8' 'Table 4:.* P = 16' 'Table 5:.* P = 16' 'Table 6:.* P = 16' \
  'Table 7:.* P = 16' 'Means'; do
  grep -q "^## $heading" "$report" || fail "no section $heading"
done

# Figures agree with the files.
python3 - "$folder" "$report" "$root/tests/scripts" <<'EOF' || fail 'figures do not agree with the results'
import glob
import json
import os
import sys

output, report, scripts = sys.argv[1:]
sys.path.insert(0, scripts)
sys.dont_write_bytecode = True
from report_tables import expect, tables_of  # noqa: E402

runs = {}
for path in glob.glob(os.path.join(output, "results", "*", "*.json")):
    with open(path, encoding="utf-8") as file:
        run = json.load(file)["run"]
    runs[run["ranks"], run["load_exchange"], run["schedule"], run["load_thread"]] = run

tables = {}
for (heading, _), (titles, *rows) in tables_of(report).items():
    for row in rows:
        tables.setdefault(heading, {}).setdefault(row[0], {}).update(zip(titles, row))

mechanisms = list(dict.fromkeys(key[1] for key in runs))
for ranks in 8, 16:
    memory = tables[f"Table 4: peak of active memory, schedule by memory, P = {ranks}"]["ULTRASOUND3"]
    messages = tables[f"Table 6: load messages, schedule by flops, without the load thread, P = {ranks}"]["ULTRASOUND3"]
    for mechanism in mechanisms:
        expect("memory", memory[mechanism], f"{runs[ranks, mechanism, 'memory', False]['peak_active_entries_max'] / 1e6:.2f}")
        expect("messages", messages[mechanism], str(runs[ranks, mechanism, "flops", False]["load_messages"]))
    for number, thread, word in (5, False, "without"), (7, True, "with"):
        seconds = tables[f"Table {number}: time of the factorization {word} the load thread, schedule by flops, P = {ranks}"]["ULTRASOUND3"]
        ratio = runs[ranks, "snapshot", "flops", thread]["predicted_seconds"] / runs[ranks, "increments", "flops", thread]["predicted_seconds"]
        expect("time", seconds["snapshot / increments"], f"{ratio:.2f}")
    snapshot = runs[ranks, "snapshot", "flops", False]
    formula = 3 * (ranks - 1) * snapshot["dynamic_decisions"] + snapshot["slaves_chosen"]
    expect("formula", messages["3 (P - 1) decisions + slaves"], str(formula))
    if formula == 0 or snapshot["load_messages"] < formula:
        sys.exit(f"{snapshot['load_messages']} messages for snapshots, but {formula} are the fewest")
    decisions = tables["Table 3: dynamic decisions"]["ULTRASOUND3"][f"ours, P = {ranks}"]
    expect("decisions", decisions, str(snapshot["dynamic_decisions"]))
EOF

# What is there is not simulated again; what is gone is, and with the same outcome.
cp "$report" "$scratch/first.md"
succeeds "$((num_mechanisms * 6)) simulations, $((num_mechanisms * 6)) of them are there already" study "${small[@]}"
cmp -s "$report" "$scratch/first.md" || fail 'another report from the same results'
rm "$folder"/results/*/*_16-ranks_flops_thread-off_snapshot.json
succeeds '[1/1]' study "${small[@]}"
cmp -s "$report" "$scratch/first.md" || fail 'another report after simulating a case again'

# A stand-in, and a file instead of it.
stand_in=(--matrices TWOTONE --scale 0.05 --ranks 4 --mechanisms 'increments,snapshot')
succeeds '6 simulations, 0 of them' study "${stand_in[@]}"
grep -q 'TWOTONE \*' "$report" || fail 'the stand-in is not marked'
grep -q '^| TWOTONE .* 120750 | 1224224 | stand-in | ' "$report" || fail 'original and stand-in are not side by side'
mkdir "$scratch/matrices"
printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n' >"$scratch/matrices/twotone.mtx"
fails 'twotone.mtx has order 2 and 1 entries, but TWOTONE has order 120750' study --matrices TWOTONE --matrix-dir "$scratch/matrices" --ranks 4
mkdir "$scratch/matrices/PRE2"
printf '%%%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 1\n' | gzip >"$scratch/matrices/PRE2/pre2.mtx.gz"
fails 'PRE2/pre2.mtx.gz has order 3 and 1 entries, but PRE2 has order 659033' study --matrices PRE2 --matrix-dir "$scratch/matrices" --ranks 4

# Beyond the paper.
beyond=(--beyond --matrices LAPLACIAN3D --scale 0.15 --ranks '4,6')
succeeds "$((num_mechanisms * 8)) simulations, 0 of them" study "${beyond[@]}"
for machine in fast slow two-clusters slowed-rank; do
  grep -q "^## Seconds, schedule by flops, machine $machine" "$report" || fail "no table of machine $machine"
done
grep -q -- '–' <(sed -n '/^## Seconds, schedule by flops, machine/,$p' "$report" | grep LAPLACIAN3D | cut -d'|' -f4-8) && fail 'figures are missing'

# Simulations that fail are told, and tried again.
cat >"$scratch/broken" <<EOF
#!/bin/bash
[ "\$1" = simulate ] && [ "\$2" != --help-all ] && { echo 'error: the simulator is broken' >&2; exit 5; }
exec "$frond" "\$@"
EOF
chmod +x "$scratch/broken"
failing=(--matrices LAPLACIAN3D --scale 0.1 --ranks 4 --mechanisms naive --frond "$scratch/broken")
fails 'error: 3 simulations failed' study "${failing[@]}"
exits 3 study "${failing[@]}"
grep -q '^| LAPLACIAN3D-0.1 | 4 | .* error: the simulator is broken' "$report" || fail 'the report does not tell what failed'

# What goes wrong is told.
fails 'there is no frond, neither' env PATH=/nowhere "$(python3 -c 'import sys; print(sys.executable)')" -B -c "
import sys
sys.path.insert(0, '$root/tools/studies')
from load_exchange.simulations import find_frond
from load_exchange.errors import StudyError
try:
    find_frond(None, '$scratch')
except StudyError as error:
    sys.exit(str(error))"
fails 'missing/frond is no program' study "${small[@]}" --frond "$scratch/missing/frond"
exits 2 study "${small[@]}" --frond "$scratch/missing/frond"
fails 'NOWHERE is no matrix of this study; choose from: BMWCRA_1' study --matrices nowhere
exits 2 study --matrices nowhere
fails 'has no mechanism telepathy; choose from: naive' study --mechanisms telepathy
fails 'there is no machine abacus; choose from: fast' study --beyond --machines abacus
exits 2 study --ranks 1
succeeds 'examples:' study --help
exit $((failures > 0))
