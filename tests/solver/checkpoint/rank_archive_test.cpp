// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints on virtual ranks, of which some leave: stopped at a drawn moment, and resumed by another number of ranks.
// FROND_CHECKPOINT_SEEDS=10000 asks for a long run, FROND_CHECKPOINT_SEED=s for one.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <complex>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "frond/error.hpp"
#include "solver/checkpoint/front_archive.hpp"
#include "tests/support/oracles/dense_oracle.hpp"
#include "tests/support/programs/drawn_seeds.hpp"
#include "tests/support/programs/scratch_folder.hpp"
#include "tests/support/ranks/drawn_drains.hpp"
#include "tests/support/ranks/rank_problem.hpp"

namespace frond::test {
namespace {

constexpr std::uint64_t kKey = 42;
constexpr std::array<Rank, 6> kRanks = {1, 2, 3, 5, 8, 16};
constexpr std::array kTypes = {Types::sequential, Types::row_distributed, Types::grid};

// What a long run must have met.
struct Coverage {
  Count runs = 0;
  Count stopped = 0;
  Count out_of_memory = 0;
  Count fronts_found = 0;
  Count shares = 0;
  Count records = 0;
  Count resumed_after_records = 0;  // from fronts of a run in which a rank had left
  Count parts_moved = 0;
  Count refused_drains = 0;
  Count lists = 0;
  std::map<Phase, Count> lists_in_phase;
  std::map<Phase, Count> drains_in_phase;

  [[nodiscard]] std::string missing() const {
    std::string names;
    const auto look_at = [&names](Count count, const std::string& name) { names += count > 0 ? "" : name + "; "; };
    look_at(stopped, "stops");
    look_at(out_of_memory, "lack of memory");
    look_at(fronts_found, "fronts found");
    look_at(shares, "shares");
    look_at(records, "records");
    look_at(resumed_after_records, "runs that go on where a rank has left");
    look_at(parts_moved, "parts that moved");
    look_at(refused_drains, "refused drains");
    for (const Phase phase : kPhases) {
      const bool is_rare =
          phase == Phase::factorizing_root || phase == Phase::ending;  // elsewhere ranks leave during the root, too
      look_at(lists_in_phase.contains(phase) ? 1 : 0, "lists while " + to_string(phase));
      look_at(is_rare || drains_in_phase.contains(phase) ? 1 : 0, "drains while " + to_string(phase));
    }
    return names;
  }

  void print() const {
    std::cout << "runs " << runs << ", stopped " << stopped << ", out of memory " << out_of_memory << ", fronts found "
              << fronts_found << ", shares " << shares << ", records " << records << ", resumed after records "
              << resumed_after_records << ", parts moved " << parts_moved << ", refused " << refused_drains << ", lists " << lists;
    for (const auto& [phase, count] : lists_in_phase) {
      std::cout << "; lists while " << to_string(phase) << ' ' << count;
    }
    for (const auto& [phase, count] : drains_in_phase) {
      std::cout << "; drains while " << to_string(phase) << ' ' << count;
    }
    std::cout << '\n';
  }
};

// A factorization drawn from a seed, in up to four runs.
template <class S>
class CheckpointedRuns {
 public:
  CheckpointedRuns(std::mt19937& random, const testing::ScratchFolder& folder, Coverage& coverage)
      : random_(random), directory_(folder.path("checkpoint")), moves_(folder.path("moves")), coverage_(coverage) {
    std::filesystem::create_directory(directory_);
    std::filesystem::create_directory(moves_);
  }

  // What is wrong.
  std::string go() {
    const std::vector<Method> methods = kIsComplex<S>
                                            ? std::vector<Method>{Method::cholesky, Method::lu, Method::ldlt, Method::ldlh}
                                            : std::vector<Method>{Method::cholesky, Method::lu, Method::ldlt};
    const Method method = methods[below(methods.size())];
    const Values values = method == Method::cholesky || below(2) == 0 ? Values::dominant : Values::zero_diagonal;
    const RankProblem<S> problem(method, static_cast<Index>(4 + below(2)), values, kTypes[below(kTypes.size())],
                                 kRanks[below(kRanks.size())]);
    const Inertia inertia = problem.run_on_one_rank().report.inertia;
    const VirtualRunResult<S> undisturbed =
        factorize_on_virtual_ranks<S>(problem.symbolic, problem.method, problem.a, problem.mapping, {.seed = seed()});
    for (int again = 0; again < 4; ++again) {
      const RankProblem<S> mapped = again == 0 ? problem : mapped_to(problem, kTypes[below(kTypes.size())]);
      const VirtualRunResult<S> result = run(mapped, undisturbed.counts, again == 3);
      if (!result.complaints.empty()) {
        return result.complaints.front();
      }
      if (result.failure && again < 3) {
        coverage_.stopped += result.failure->kind == Failure::Kind::stopped ? 1 : 0;
        coverage_.out_of_memory += result.failure->kind == Failure::Kind::memory ? 1 : 0;
      } else if (std::string complaint = judge(mapped, result, inertia); !complaint.empty()) {
        return complaint;
      }
    }
    return "";
  }

 private:
  [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }
  [[nodiscard]] std::uint32_t seed() { return static_cast<std::uint32_t>(random_()); }

  // The tree is that of the first run; a run that goes on maps it to its own ranks.
  RankProblem<S> mapped_to(const RankProblem<S>& problem, Types types) {
    RankProblem<S> other = problem;
    MappingOptions options;
    options.num_ranks = kRanks[below(kRanks.size())];
    options.layer.upper_node_seconds = 0;
    options.layer.tolerance = 0.01;
    options.grid = {.order_per_side = types == Types::grid ? 1 : std::numeric_limits<Index>::max(), .block_size = 3};
    if (types != Types::sequential) {
      options.rows = {.min_slave_rows = 1, .min_front_flops = 0};
    }
    other.mapping = map_tree(other.symbolic->tree(), other.method, options);
    return other;
  }

  // The last run is neither stopped nor short of memory.
  VirtualRunResult<S> run(const RankProblem<S>& problem, const VirtualRunCounts& undisturbed, bool is_last) {
    const Rank num_ranks = problem.mapping.num_ranks();
    VirtualRun run{.seed = seed(), .buffer_bytes = Count{200} << below(12), .piece_bytes = Count{64} << below(10)};
    if (!is_last && below(4) == 0) {
      run.memory_limit = undisturbed.peak_bytes * static_cast<Count>(40 + below(130)) / 100;
    }
    DrawnDrains drains;
    if (num_ranks > 1 && below(3) > 0) {
      drains.draw(random_, num_ranks, undisturbed.messages, moves_, run);
    }
    std::size_t steps_left = is_last || below(4) == 0 ? 0 : 1 + below(std::size_t{1} << (3 + below(8)));
    const bool is_root_listed = problem.mapping.root_grid().node != kNoNode && below(3) == 0;
    const Phase listed = is_root_listed ? Phase::factorizing_root : kPhases[below(kPhases.size())];
    std::size_t times_left = is_root_listed ? 1 : 1 + below(std::size_t{1} << below(6));
    run.before = [&](Rank, Phase phase) {
      drains.before(phase);
      if (phase == listed && times_left > 0 && --times_left == 0) {
        if (waits_for_list()) {
          ++coverage_.lists_in_phase[phase];
        }
      }
      if (steps_left > 0 && --steps_left == 0) {
        throw StoppedError("enough");
      }
    };
    const VirtualRunResult<S> result = run_with_archives(problem, run);
    ++coverage_.runs;
    if (drains.phase() && result.counts.pauses > 0) {
      ++coverage_.drains_in_phase[*drains.phase()];
    }
    coverage_.records += result.counts.records;
    coverage_.parts_moved += result.counts.parts_moved;
    coverage_.refused_drains += result.counts.refused_drains;
    has_had_record_ = has_had_record_ || result.counts.records > 0;
    return result;
  }

  // Whether the threads have made a list while this one waited.
  [[nodiscard]] bool waits_for_list() const {
    const auto number = [this] { return last_list(directory_).value().number; };
    const Index before = number();
    for (int i = 0; i < 10 && number() == before; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return number() > before;
  }

  // All of them in this process, in the same directory.
  VirtualRunResult<S> run_with_archives(const RankProblem<S>& problem, const VirtualRun& run) {
    std::vector<std::unique_ptr<FrontArchive<S>>> archives;
    RankStores<S> stores;
    for (Rank rank = 0; rank < problem.mapping.num_ranks(); ++rank) {
      ArchiveOptions options{.directory = directory_, .key = kKey, .list_seconds = 0.002};
      options.rank = rank;
      options.mapping = &problem.mapping;
      archives.push_back(std::make_unique<FrontArchive<S>>(problem.symbolic->tree(), problem.method, options));
      stores.push_back(archives.back().get());
    }
    const Count num_found = archives.front()->counts().num_fronts_found;
    coverage_.fronts_found += num_found;
    coverage_.resumed_after_records += has_had_record_ && num_found > 0 ? 1 : 0;
    archives.front()->clear();
    for (const auto& archive : archives) {
      archive->open();
    }
    archives.front()->publish();
    VirtualRunResult<S> result;
    try {
      result = factorize_on_virtual_ranks<S>(problem.symbolic, problem.method, problem.a, problem.mapping, run, {}, stores);
    } catch (const MemoryError&) {  // for what is found
      result.failure = make_failure(0, std::current_exception());
    }
    for (const auto& archive : archives) {
      if (const auto error = archive->counts().log.error) {
        result.complaints.push_back(*error);
      }
    }
    coverage_.lists += archives.front()->counts().num_lists;
    return result;
  }

  std::string judge(const RankProblem<S>& problem, const VirtualRunResult<S>& result, const Inertia& inertia) {
    if (result.failure) {
      return result.failure->text;
    }
    for (const RankFactors<S>& factors : result.factors) {
      coverage_.shares += static_cast<Count>(factors.shares.size());
    }
    const Factors<S> factors = problem.gather(result);
    const DenseOracle<S> oracle = multiply_out(factors);
    if (oracle.num_eliminated() != problem.a.num_rows) {
      return "only " + std::to_string(oracle.num_eliminated()) + " variables were eliminated";
    }
    if (const double error = oracle.error(permuted_matrix(factors, problem.a.view())); !(error <= 10)) {
      return "the factors are wrong by " + std::to_string(error) + " times the bound";
    }
    const bool has_inertia = !kIsComplex<S> || problem.method != Method::ldlt;
    const Inertia& found = result.report.inertia;
    return has_inertia && (found.positive != inertia.positive || found.negative != inertia.negative) ? "the inertia is another"
                                                                                                     : "";
  }

  std::mt19937& random_;
  std::string directory_;
  std::string moves_;
  Coverage& coverage_;
  bool has_had_record_ = false;
};

std::string run_one(std::uint32_t seed, Coverage& coverage) {
  std::mt19937 random(seed);
  const testing::ScratchFolder folder;
  try {
    return random() % 2 == 0 ? CheckpointedRuns<double>(random, folder, coverage).go()
                             : CheckpointedRuns<std::complex<double>>(random, folder, coverage).go();
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(RankArchive, GoesOnWithOtherRanksOfWhichSomeLeave) {
  Coverage coverage;
  testing::run_drawn_seeds("CHECKPOINT", 60, coverage, run_one);
}

}  // namespace
}  // namespace frond::test
