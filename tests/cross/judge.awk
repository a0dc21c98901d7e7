# SPDX-License-Identifier: BSD-3-Clause
# Judges and sums up a table of frond_cross_test: awk -v need_decisions=0|1 -f judge.awk KEYS TABLE
# KEYS has the first six fields of the lines that must be there. Exit code 1 if one is missing or no good: not solved, a backward
# error above 1e-13; x or the determinant differ from those of one process by more than c condition eps, the inertia or the sign of
# the determinant at all; the number of delayed pivots differs from that with one rank by more than a quarter (row-distributed fronts
# judge pivots by bounds); with need_decisions also if several ranks never chose slaves, or no
# rank ever took tasks of others.
BEGIN {
  FS = "\t"
  eps = 2^-52
  c_x = 10  # of 120 labelled matrices with 2 ranks the worst came to 1.6
  c_determinant = 200  # a sum over all pivots: 14
}
NR == FNR { keys[++num_keys] = $0; next }
FNR > 1 { lines[$1 FS $2 FS $3 FS $4 FS $5 FS $6] = $0 }  # of lines with the same key the last one counts

function complaint(field) {
  if (field[22] != "solved") return field[22]
  if (!(field[8] + 0 <= 1e-13)) return "backward error " field[8]
  if (!is_small(field[10], c_x * field[9] * eps)) return "x differs by " field[10] ", condition " field[9]
  if (!is_small(field[11], min(c_determinant * field[9] * eps, 0.5)))  # from 1 on the sign may be another
    return "the determinant differs by " field[11] ", condition " field[9]
  if (field[12] != field[13]) return "inertia " field[12] ", in one process " field[13]
  if (field[1] in delayed_by_one && !is_near(field[14], delayed_by_one[field[1]]))
    return field[14] " delayed pivots, with one rank " delayed_by_one[field[1]]
  return ""
}

function min(a, b) { return a < b ? a : b }

function is_small(text, limit) { return text ~ /^[0-9]/ && text + 0 <= limit }

function is_near(number, reference) { return 0.75 * reference <= number && number <= 1.25 * reference }

function add(group, field) {
  if (!(group in num_runs)) groups[++num_groups] = group
  ++num_runs[group]
  if (field[8] + 0 > worst[group]) worst[group] = field[8] + 0
  delayed[group] += field[14]
  type2[group] += field[15]
  type3[group] += field[16]
  decisions[group] += field[17]
  slaves[group] += field[18]
  messages[group] += field[19]
  taken[group] += field[20]
  all_taken += field[20]
  seconds[group] += field[21]
}

END {
  for (k = 1; k <= num_keys; ++k) {
    split(lines[keys[k]], field)
    if (field[2] == 1 && field[22] == "solved" && !(field[1] in delayed_by_one)) delayed_by_one[field[1]] = field[14]
  }
  for (k = 1; k <= num_keys; ++k) {
    split(keys[k], key)
    num_fields = split(lines[keys[k]], field)
    text = num_fields == 0 ? "missing" : complaint(field)
    if (text != "") {
      ++num_bad
      printf "NO GOOD: %s\n", text
      printf "  echo %s %s %s %s %s >list; ", key[1], key[3], key[4], key[5], key[6]
      printf "mpiexec.mpich -n %s frond_cross_test list one.tsv 600\n", key[2]
    }
    if (num_fields > 0) {
      add("ranks " key[2], field)
      by_matrix[k] = key[1]
    }
  }
  for (k = 1; k <= num_keys; ++k) {
    if (k in by_matrix) {
      split(lines[keys[k]], field)
      add("work " field[6], field)
    }
  }
  for (k = 1; k <= num_keys; ++k) {
    if (k in by_matrix) {
      split(lines[keys[k]], field)
      add(by_matrix[k], field)
    }
  }
  printf "%-30s %5s %8s %9s %7s %7s %9s %8s %9s %6s %8s\n", "", "runs", "error", "delayed", "type 2", "type 3", "decisions", "slaves", \
    "load msgs", "taken", "seconds"
  for (g = 1; g <= num_groups; ++g) {
    group = groups[g]
    printf "%-30s %5d %8.1e %9d %7d %7d %9d %8d %9d %6d %8.1f\n", group, num_runs[group], worst[group], delayed[group], type2[group], \
      type3[group], decisions[group], slaves[group], messages[group], taken[group], seconds[group]
    if (need_decisions && group ~ /^ranks / && group != "ranks 1" && decisions[group] == 0) {
      ++num_bad
      printf "NO GOOD: no slaves were ever chosen by %s\n", group
    }
  }
  if (need_decisions && all_taken == 0) {
    ++num_bad
    printf "NO GOOD: no tasks were ever taken\n"
  }
  printf "%d runs expected, %d no good\n", num_keys, num_bad
  exit num_bad > 0
}
