// SPDX-License-Identifier: BSD-3-Clause
// Factorizes on virtual ranks that store their fronts in a directory, and resumes from there on other ranks.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "solver/storage/checkpoint/front_archive.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/ranks/drawn_run.hpp"

namespace frond::test {

inline constexpr std::uint64_t kArchiveKey = 42;
inline constexpr std::array kTypes = {Types::sequential, Types::row_distributed, Types::grid};

/// Draws a small problem of any method, with or without delayed pivots.
template <class S>
[[nodiscard]] RankProblem<S> draw_problem(std::mt19937& random, Rank num_ranks) {
  const auto below = [&random](std::size_t end) { return random() % end; };
  const std::vector<Method> methods = kIsComplex<S> ? std::vector<Method>{Method::cholesky, Method::lu, Method::ldlt, Method::ldlh}
                                                    : std::vector<Method>{Method::cholesky, Method::lu, Method::ldlt};
  const Method method = methods[below(methods.size())];
  const Values values = method == Method::cholesky || below(2) == 0 ? Values::dominant : Values::zero_diagonal;
  const auto grid = static_cast<Index>(4 + below(2));
  return RankProblem<S>(method, grid, values, kTypes[below(kTypes.size())], num_ranks);
}

/// Returns the same problem, with its tree mapped to other ranks.
template <class S>
[[nodiscard]] RankProblem<S> mapped_to(const RankProblem<S>& problem, Types types, Rank num_ranks, double tolerance = 0.01) {
  RankProblem<S> other = problem;
  other.mapping = map_tree(other.symbolic->tree(), other.method, spread_over(num_ranks, types, tolerance));
  return other;
}

/// Holds the archives of all ranks, in this process and in one directory.
template <class S>
class Archives {
 public:
  /// Constructs archives that have found the stored fronts but have not begun to write.
  Archives(const RankProblem<S>& problem, const std::string& directory) {
    for (Rank rank = 0; rank < problem.mapping.num_ranks(); ++rank) {
      ArchiveOptions options{.directory = directory, .key = kArchiveKey, .list_seconds = 0.002};
      options.rank = rank;
      options.mapping = &problem.mapping;
      archives_.push_back(std::make_unique<FrontArchive<S>>(problem.symbolic->tree(), problem.method, options));
    }
  }

  void begin() {
    archives_.front()->clear();
    for (const auto& archive : archives_) {
      archive->open();
    }
    archives_.front()->publish();
  }

  [[nodiscard]] FrontArchive<S>& operator[](Rank rank) { return *archives_[rank]; }
  [[nodiscard]] Rank size() const { return static_cast<Rank>(archives_.size()); }
  [[nodiscard]] RankStores<S> stores() const {
    RankStores<S> stores;
    for (const auto& archive : archives_) {
      stores.push_back(archive.get());
    }
    return stores;
  }

 private:
  std::vector<std::unique_ptr<FrontArchive<S>>> archives_;  // [rank]
};

/// Returns what is wrong with the factors of a successful run; empty if nothing is.
template <class S>
[[nodiscard]] std::string judge_factors(const RankProblem<S>& problem, const VirtualRunResult<S>& result, const Inertia& inertia) {
  if (result.failure) {
    return result.failure->text;
  }
  if (std::string complaint = wrong_factors(problem, result, 10); !complaint.empty()) {
    return complaint;
  }
  const bool has_inertia = !kIsComplex<S> || problem.method != Method::ldlt;
  const Inertia& found = result.report.inertia;
  return has_inertia && (found.positive != inertia.positive || found.negative != inertia.negative) ? "the inertia is another" : "";
}

/// Makes runs from a seed, real or complex, and lets them go; returns what went wrong.
template <template <class> class Runs>
[[nodiscard]] std::string go_with_archives(std::uint32_t seed, testing::EventCoverage& coverage) {
  std::mt19937 random(seed);
  const testing::ScratchFolder folder;
  try {
    return random() % 2 == 0 ? Runs<double>(random, folder, coverage).go()
                             : Runs<std::complex<double>>(random, folder, coverage).go();
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace frond::test
