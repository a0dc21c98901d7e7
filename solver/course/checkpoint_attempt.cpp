// SPDX-License-Identifier: BSD-3-Clause
// Finds or makes the archive of a factorization, and records how it ended.
#include "solver/course/checkpoint_attempt.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "factorization/memory/memory_limit.hpp"
#include "matrices/checksum.hpp"

namespace frond {
namespace {

// The counts of an archive as plain values, to be sent.
struct SentCounts {
  double flops_found = 0;
  Count num_bytes = 0;
  Count num_left_out = 0;
  double seconds_waited = 0;
  Count most_bytes = 0;
};

constexpr Count kLeastBytesInMemory = Count{1} << 20;  // if nearly everything is found

// The outcome of an attempt, to be sent.
struct SentOutcome {
  enum class Kind { none, gave_up, indefinite };
  Kind kind = Kind::none;
  BudgetError::Figures figures;
  Index variable = 0;
};

template <class T>
void add_value(Checksum& sum, const T& value) {
  sum.add(std::as_bytes(std::span(&value, 1)));
}

// A hash of the problem.
template <Scalar F>
std::uint64_t factorization_key(const CheckpointedProblem<F>& problem) {
  const auto& [symbolic, method, pivoting, values, row_scaling, col_scaling] = problem;
  Checksum sum;
  add_value(sum, sizeof(F));
  add_value(sum, kIsComplex<F>);
  add_value(sum, method);
  add_value(sum, pivoting.kind);
  add_value(sum, pivoting.pivot_threshold);
  add_value(sum, pivoting.null_threshold);
  add_value(sum, pivoting.perturbation);
  sum.add_all(std::span<const Index>(symbolic.permutation().perm));
  sum.add_all(std::span<const Index>(symbolic.row_perm()));
  const AssemblyTree& tree = symbolic.tree();
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    add_value(sum, tree.parent(node));
    add_value(sum, tree.num_fully_summed(node));
    add_value(sum, tree.cb_order(node));
  }
  sum.add_all(values);
  sum.add_all(row_scaling);
  sum.add_all(col_scaling);
  return sum.value();
}

// A description for people.
template <Scalar F>
std::string about_factorization(Method method) {
  return to_string(method) + (sizeof(RealOf<F>) == sizeof(float) ? " in single precision" : " in double precision");
}

}  // namespace

void check_checkpoint_options(bool keeps_schur_complement, KeptFactors kept) {
  if (keeps_schur_complement) {
    throw UsageError("a factorization that keeps a Schur complement leaves no checkpoint: leave out one of both");
  }
  if (kept != KeptFactors::all) {
    throw UsageError("a factorization that gives its factors back leaves no checkpoint: leave out the checkpoint");
  }
}

template <Scalar F>
CheckpointAttempt<F>::CheckpointAttempt(const Team& team, const Checkpoint& checkpoint, const CheckpointedProblem<F>& problem,
                                        const ArchivePlace& place)
    : team_(team), checkpoint_(checkpoint) {
  std::uint64_t key = 0;
  const AssemblyTree& tree = problem.symbolic.tree();
  team_.agree([&] {
    key = factorization_key(problem);
    folder_ = fmt::format("{}/{:016x}", checkpoint_.options.directory, key);
    if (team_.leads()) {
      folder_ = checkpoint_.directory->folder(key, about_factorization<F>(problem.method), tree.num_nodes());
    }
  });
  look_at_outcome(tree.num_variables());
  if (!indefinite_at_) {
    open_archive(problem, key, place);
  }
}

template <Scalar F>
void CheckpointAttempt<F>::open_archive(const CheckpointedProblem<F>& problem, std::uint64_t key, const ArchivePlace& place) {
  const CheckpointOptions& options = checkpoint_.options;
  team_.agree([&] {
    archive_ = std::make_unique<FrontArchive<F>>(problem.symbolic.tree(), problem.method,
                                                 ArchiveOptions{.directory = folder_,
                                                                .key = key,
                                                                .list_seconds = options.every_seconds,
                                                                .requests = checkpoint_.directory.get(),
                                                                .observer = checkpoint_.observer.get(),
                                                                .rank = place.rank,
                                                                .mapping = place.mapping,
                                                                .min_slave_rows = place.min_slave_rows});
    if (options.is_in_memory) {
      const Count found = archive_->num_bytes_found() / team_.size();
      most_bytes_ = std::max(kLeastBytesInMemory, place.predicted.num_bytes() - found);
      const Count for_factors = std::clamp(place.predicted.for_factors - found, Count{0}, most_bytes_);
      archive_->set_room({for_factors, most_bytes_ - for_factors});
    }
  });
  try {
    team_.agree_on_leader([&] { archive_->clear(); });
    team_.agree([&] { archive_->open(); });
    team_.agree([&] { archive_->publish(); });
  } catch (const OutputError& error) {
    archive_->stay_closed(error.what());
    most_bytes_ = 0;
  }
}

template <Scalar F>
void CheckpointAttempt<F>::take_room(Count& memory_limit, std::string& reason) const {
  if (memory_limit > 0 && most_bytes_ > 0) {
    reason = fmt::format("{} with {} bytes, less {} bytes for copies of what is finished,", reason.empty() ? "the limit" : reason,
                         memory_limit, most_bytes_);
    memory_limit = std::max(kNoMemoryIsLeft, memory_limit - most_bytes_);
  }
}

template <Scalar F>
void CheckpointAttempt<F>::look_at_outcome(Index order) {
  SentOutcome sent;
  std::string text;
  team_.agree([&] {
    const std::optional<AttemptOutcome> outcome = team_.leads() ? read_outcome(folder_, order) : std::nullopt;
    if (outcome && outcome->gave_up) {
      sent = {SentOutcome::Kind::gave_up, outcome->gave_up->figures(), 0};
      text = outcome->gave_up->what();
    } else if (outcome) {
      sent = {SentOutcome::Kind::indefinite, {}, *outcome->indefinite_at};
    }
  });
  share_value(team_, sent);
  share_list(team_, text);
  if (sent.kind == SentOutcome::Kind::gave_up) {
    throw BudgetError(text, sent.figures);
  }
  if (sent.kind == SentOutcome::Kind::indefinite) {
    indefinite_at_ = sent.variable;
  }
}

// However the factorization ended.
template <Scalar F>
void CheckpointAttempt<F>::end(CheckpointReport& report) {
  archive_->finish(0);
  const ArchiveCounts mine = archive_->counts();
  report.directory = checkpoint_.options.directory;
  report.is_in_memory = checkpoint_.options.is_in_memory;
  report.num_fronts_found += mine.num_fronts_found;
  report.num_fronts_lost += mine.num_fronts_lost;
  const SentCounts sent{mine.flops_found, mine.log.num_bytes, mine.log.num_blocks_let_go, mine.log.seconds_waited, most_bytes_};
  for (const SentCounts& counts : gather_list(team_, std::span<const SentCounts>(&sent, 1))) {
    report.flops_found += counts.flops_found;
    report.bytes_written += counts.num_bytes;
    report.num_blocks_left_out += counts.num_left_out;
    report.seconds_waited += counts.seconds_waited;
    report.most_bytes += counts.most_bytes;
  }
  const std::string error = mine.log.error.value_or("");
  for (const std::vector<char>& text : gather_lists(team_, std::span<const char>(error))) {
    if (report.error.empty()) {
      report.error.assign(text.begin(), text.end());
    }
  }
  if (team_.leads()) {
    report.num_lists += mine.num_lists;
    report.left_behind = checkpoint_.directory->left_behind();
  }
  for (double* figure : {&report.flops_found, &report.seconds_waited}) {
    share_value(team_, *figure);
  }
  for (Count* figure : {&report.bytes_written, &report.num_blocks_left_out, &report.most_bytes}) {
    share_value(team_, *figure);
  }
  share_value(team_, report.num_lists);
  share_list(team_, report.left_behind);
  share_list(team_, report.error);
}

template <Scalar F>
void CheckpointAttempt<F>::note(const AttemptOutcome& outcome) const {
  team_.agree_on_leader([&] { set_outcome(folder_, outcome); });
}

FROND_INSTANTIATE_CLASS(CheckpointAttempt)

}  // namespace frond
