// SPDX-License-Identifier: BSD-3-Clause
// Solves A x = b with A = tridiag(-1, 4, -1) in three processes, one of which dies on the way: the others still find the answer.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <frond/survive.hpp>
#include <string>
#include <vector>

int solve(const frond::SurvivalAttempt& attempt, bool dies) {
  const frond::Place& place = attempt.place;
  const frond::Index n = 1000;
  frond::Triplets<double> entries{.num_rows = n, .num_cols = n, .symmetry = frond::Symmetry::symmetric};
  std::vector<frond::Index> rows;
  for (frond::Index i = place.rank(); i < n; i += place.num_ranks()) {
    entries.add(i, i, 4.0);
    if (i > 0) entries.add(i, i - 1, -1.0);
    rows.push_back(i);
  }
  if (dies) kill(getpid(), SIGKILL);
  const std::vector<double> b(rows.size(), 2.0);
  std::vector<double> x(rows.size());
  const frond::Factorization<double> factorization(entries, {}, place);
  const auto report = factorization.solve_rows({rows, frond::column_view(std::span(b))}, {rows, frond::column_view(std::span(x))});
  if (place.rank() == 0) std::printf("%d processes: %s\n", place.num_ranks(), report.describe().c_str());
  std::fflush(stdout);
  return report.verdict == frond::Verdict::solved ? 0 : 1;
}

int main() {
  std::string folder = (std::filesystem::temp_directory_path() / "with_losses.").string() + std::string(6, 'X');
  if (mkdtemp(folder.data()) == nullptr) return 1;
  for (frond::Rank rank = 0; rank < 3; ++rank) {
    if (fork() == 0) {
      const frond::SurvivalOptions options{.directory = folder, .rank = rank, .num_ranks = 3, .limit_seconds = 2};
      _exit(frond::survive(options, [&](const auto& attempt) { return solve(attempt, rank == 0 && attempt.number == 0); }));
    }
  }
  int num_right = 0;
  for (int status = 0; wait(&status) > 0;) num_right += status == 0 ? 1 : 0;
  std::filesystem::remove_all(folder);
  return num_right == 2 ? 0 : 1;
}
