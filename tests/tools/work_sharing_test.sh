#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests tools/studies/work_sharing.py on a small matrix: work_sharing_test.sh FROND
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
command -v python3 >/dev/null || { echo 'SKIPPED: python3 is not installed'; exit 77; }
frond=$1
folder="$scratch/study"
report="$scratch/report.md"
# shellcheck disable=SC2317 # it is called by succeeds and fails
study() { "$root/tools/studies/work_sharing.py" --frond "$frond" --output "$folder" --report "$report" --jobs 2 "$@"; }
small=(--problems laplacian2d9-700 --scale 0.07 --ranks 18 --modes 'static,ring')

# Nine scenarios, of which the undisturbed one needs no seeds.
succeeds 'factorizations, 18 ranks: 34 simulations; 0 are there already' study "${small[@]}" --seeds 2 --plan
[ -e "$folder" ] && fail 'a plan leaves files behind'
exits 4 study "${small[@]}" --hours 1e-9
succeeds '[16/16]' study "${small[@]}"
[ "$(wc -l <"$folder/results.jsonl")" -eq 18 ] || fail 'not a line for each simulation'

# Figures agree with the results.
python3 - "$folder/results.jsonl" "$report" "$root/tests/scripts" <<'EOF' || fail 'figures do not agree with the results'
import json
import sys

results, report, scripts = sys.argv[1:]
sys.path.insert(0, scripts)
sys.dont_write_bytecode = True
from report_tables import expect, tables_of  # noqa: E402

with open(results, encoding="utf-8") as file:
    records = [json.loads(line) for line in file]
runs = {(record["case"]["mode"], record["case"]["scenario"]): record["run"] for record in records}
rows = {}
for titles, *body in tables_of(report).values():
    for row in body:
        rows.setdefault((titles[0], *row[:2]), dict(zip(titles, row)))

lost = {"undisturbed": 0, "one-loss": 1, "half-lost": 9, "all-but-one-lost": 17}
for mode in "static", "ring":
    undisturbed = runs[mode, "undisturbed"]["predicted_seconds"]
    for scenario in {name for _, name in runs}:
        expect(f"losses of {scenario}", runs[mode, scenario]["lost"], lost.get(scenario, 0))
        if scenario != "undisturbed" and runs[mode, scenario]["predicted_seconds"] < undisturbed:
            sys.exit(f"{mode} is faster with {scenario}")
    for metric, scenario in ("resilience", "all-but-one-lost"), ("flexibility", "late-node"):
        radii = {name: runs[name, scenario]["predicted_seconds"] - runs[name, "undisturbed"]["predicted_seconds"] for name in ("static", "ring")}
        expect(f"{metric} of {mode}", rows["metric", metric, scenario][mode], f"{radii[mode] / min(radii.values()):.2f}")
    expect("messages", rows["mode", mode, f"{runs[mode, 'undisturbed']['peak_bytes_max'] / 1e6:.2f}"]["messages"],
           str(runs[mode, "undisturbed"]["main_messages"]))
if runs["ring", "undisturbed"]["request_rounds"] == 0:
    sys.exit("nobody has asked for work")
EOF

# What is there is not simulated again; what is gone or was not finished is, and with the same outcome.
cp "$report" "$scratch/first.md"
succeeds 'factorizations, 18 ranks: 0 simulations; 18 are there already' study "${small[@]}" --plan
head -c -20 "$folder/results.jsonl" >"$scratch/cut" && cp "$scratch/cut" "$folder/results.jsonl"
succeeds '[1/1]' study "${small[@]}"
diff <(sed 3d "$report") <(sed 3d "$scratch/first.md") >/dev/null || fail 'another report after simulating a case again'

# Simulations that fail are reported, and tried again.
cat >"$scratch/broken" <<EOF
#!/bin/bash
[ "\$1" = simulate ] && { echo 'error: the simulator is broken' >&2; exit 5; }
exec "$frond" "\$@"
EOF
chmod +x "$scratch/broken"
failing=(--problems laplacian2d9-700 --scale 0.043 --ranks 4 --modes static --scenarios slow-node --frond "$scratch/broken")
fails 'error: 2 simulations failed' study "${failing[@]}"
exits 3 study "${failing[@]}"
grep -q '^| laplacian2d9-30 4 static slow-node 0 | the undisturbed run' "$report" || fail 'the report does not say what failed'

# A batch comes to its end with copies of what is not finished alone.
succeeds '[24/24]' study --problems unequal-20000 --scale 0.01 --ranks 18 --seeds 1 --modes 'gss+copies,ss+copies,gss' --output "$scratch/batches"
grep -q '^| 18 | one-loss | 1.000 | [0-9.]* | never |$' "$report" || fail 'the report does not say what never ends'
grep -q '^| 18 | slow-node | 1.000 | [0-9.]* | [0-9.]* |$' "$report" || fail 'a batch without a loss does not end'
python3 - "$scratch/batches/results.jsonl" <<'EOF' || fail 'a batch is not what its results say'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    runs = {(record["case"]["mode"], record["case"]["scenario"]): record["run"] for record in map(json.loads, file)}
for (mode, scenario), run in runs.items():
    is_lossy = scenario in ("one-loss", "half-lost", "all-but-one-lost")
    has_copies = mode.endswith("+copies")
    if (run["predicted_seconds"] is None) != (is_lossy and not has_copies) or (run["copies_given"] > 0) != has_copies:
        sys.exit(f"{mode}, {scenario}: {run}")
    if run["predicted_seconds"] is not None and run["systems_done"] != 200:
        sys.exit(f"{mode}, {scenario}: {run['systems_done']} of 200 systems")
EOF

fails 'there is no problem nowhere; choose from: equal-20000' study --problems nowhere
fails 'there is no mode chaos; choose from: static' study --modes chaos
fails 'there is no scenario flood; choose from: undisturbed' study --scenarios flood
exits 2 study --ranks 1
exits 2 study --hours 0
succeeds 'examples:' study --help
exit $((failures > 0))
