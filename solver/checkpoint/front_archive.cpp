// SPDX-License-Identifier: BSD-3-Clause
// Finds what is stored, and makes lists of what is added.
#include "solver/checkpoint/front_archive.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "analysis/tree/front_cost.hpp"
#include "factorization/recovery/census.hpp"
#include "frond/error.hpp"
#include "matrices/steady_clock.hpp"

namespace frond {
namespace {

namespace fs = std::filesystem;

constexpr double kLongestTickSeconds = 1;

}  // namespace

template <Scalar F>
FrontArchive<F>::FrontArchive(const AssemblyTree& tree, Method method, ArchiveOptions options)
    : tree_(tree),
      method_(method),
      options_(std::move(options)),
      found_(static_cast<std::size_t>(tree.num_nodes()), 0),
      has_factor_(found_.size(), 0),
      has_block_(found_.size(), 0),
      is_released_(found_.size(), 0) {
  std::vector<ListedLog> logs_before = read_logs();
  remove_unlisted(logs_before);
  find_fronts();
  verify_blocks();
  begin_run(list_.run + 1, std::move(logs_before));
}

template <Scalar F>
FrontArchive<F>::~FrontArchive() {
  finish();
}

// The logs of runs that have ended, as far as they are complete.
template <Scalar F>
std::vector<ListedLog> FrontArchive<F>::read_logs() {
  const std::optional<CheckpointList> last = last_list(options_.directory);
  if (!last) {
    return {};
  }
  if (last->key != options_.key) {
    throw InputError(options_.directory, 0, "holds the fronts of another factorization: files of two checkpoints are mixed up");
  }
  list_ = *last;
  std::vector<ListedLog> logs;
  for (const ListedLog& listed : last->logs) {
    // What was committed after the list was made is as good. A log that was closed may have grown by a process that did not know.
    logs_.push_back(std::make_unique<FrontLogReader>(options_.directory + "/" + listed.stem, options_.key,
                                                     listed.is_open ? -1 : listed.num_index_bytes));
    if (logs_.back()->num_index_bytes() < listed.num_index_bytes) {
      throw InputError(options_.directory + "/" + listed.stem + ".index", 0,
                       fmt::format("is damaged at byte {}, though {} bytes of it were complete", logs_.back()->num_index_bytes(),
                                   listed.num_index_bytes));
    }
    logs.push_back({listed.stem, logs_.back()->num_index_bytes(), false});
  }
  return logs;
}

// A run that ended before its first list has left nothing of use.
template <Scalar F>
void FrontArchive<F>::remove_unlisted(const std::vector<ListedLog>& listed) const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(options_.directory)) {
    const std::string stem = entry.path().stem().string();
    const bool is_log = stem.starts_with("run-");
    if (is_log && std::none_of(listed.begin(), listed.end(), [&stem](const ListedLog& log) { return log.stem == stem; })) {
      fs::remove(entry.path(), error);
    }
  }
}

template <Scalar F>
void FrontArchive<F>::find_fronts() {
  for (const std::unique_ptr<FrontLogReader>& log : logs_) {
    for (const StoredPiece& piece : log->pieces()) {
      if (piece.node < 0 || piece.node >= tree_.num_nodes()) {
        throw InputError(options_.directory, 0, "names a front that the analysis does not have: the checkpoint is damaged");
      }
      const auto index = static_cast<std::size_t>(piece.node);
      if (piece.kind == StoredKind::factor) {
        found_factors_[piece.node] = {log.get(), &piece};
        has_factor_[index] = 1;
      } else {
        found_blocks_[piece.node] = {log.get(), &piece};
        has_block_[index] = 1;
      }
    }
  }
  found_ = resumable_fronts(tree_, has_factor_, has_block_);
  counts_.num_fronts_found = std::count(found_.begin(), found_.end(), 1);
  counts_.num_fronts_lost = std::count(has_factor_.begin(), has_factor_.end(), 1) - counts_.num_fronts_found;
  has_factor_ = found_;
}

// Before anything is computed with them.
template <Scalar F>
void FrontArchive<F>::verify_blocks() const {
  for (const auto& [node, block] : found_blocks_) {
    if (const NodeId parent = tree_.parent(node); has(node) && parent != kNoParent && !has(parent)) {
      block.log->verify(*block.piece);
    }
  }
}

// Its first list has what was found, so that a run after this one knows of both.
template <Scalar F>
void FrontArchive<F>::begin_run(Index run, std::vector<ListedLog> logs_before) {
  for (bool is_sealed = false; !is_sealed; ++run) {
    const std::string stem = fmt::format("run-{}", run);
    writer_ = std::make_unique<FrontLogWriter>(options_.directory + "/" + stem, options_.key);
    list_ = {run, 0, options_.key, logs_before};
    list_.logs.push_back({stem, writer_->num_index_bytes(), true});
    is_sealed = seal(options_.directory, list_);
  }
  last_list_seconds_ = steady_seconds();
  threads_ = std::make_unique<LogThreads>(*writer_, std::min(kLongestTickSeconds, options_.list_seconds),
                                          [this](const std::vector<StoredPiece>& pieces) { on_committed(pieces); });
}

template <Scalar F>
PivotCounts FrontArchive<F>::read_factor(NodeId node, FrontFactor<F>& front) {
  const Found& found = found_factors_.at(node);
  try {
    const DescribedFactor<F> described = described_factor<F>(*found.piece, method_);
    if (described.order != front.order || described.num_fully_summed != front.num_fully_summed) {
      throw InternalError("a stored front has another size than its children leave it");
    }
    frond::read_factor(*found.log, *found.piece, described, method_, front);
    counts_.flops_found += elimination_cost(described.order, described.num_eliminated, method_).flops;
    return described.counts;
  } catch (const InternalError& error) {
    throw InputError(options_.directory, 0, fmt::format("is damaged: {}", error.what()));
  }
}

template <Scalar F>
void FrontArchive<F>::read_rows(const RowStream& stream, std::span<std::byte> image) const {
  const Found& found = found_blocks_.at(stream.child);
  if (found.piece->num_bytes != static_cast<Count>(image.size())) {
    throw InputError(options_.directory, 0,
                     fmt::format("is damaged: the block of front {} has {} bytes, and not {}", stream.child, found.piece->num_bytes,
                                 image.size()));
  }
  found.log->read(*found.piece, 0, image);
}

template <Scalar F>
void FrontArchive<F>::take_factor(NodeId node, const NumericFront<F>& front, const PivotCounts& counts) {
  threads_->push(factor_to_write(node, front, method_, counts));
}

template <Scalar F>
void FrontArchive<F>::take_block(NodeId node, const NumericFront<F>& front) {
  if (tree_.parent(node) != kNoParent) {
    threads_->push(block_to_write(node, front, method_));
  }
}

template <Scalar F>
void FrontArchive<F>::let_go(NodeId node) {
  threads_->let_go(node);
}

template <Scalar F>
void FrontArchive<F>::on_committed(const std::vector<StoredPiece>& pieces) {
  for (const StoredPiece& piece : pieces) {
    has_changed_ = true;
    if (piece.kind == StoredKind::factor) {
      has_factor_[static_cast<std::size_t>(piece.node)] = 1;
    } else {
      has_block_[static_cast<std::size_t>(piece.node)] = 1;
      own_blocks_[piece.node] = {piece.kind, piece.node, piece.offset, piece.num_bytes, piece.checksum, {}};
    }
  }
  const bool is_asked = options_.wants_list && options_.wants_list();
  if (has_changed_ && (is_asked || steady_seconds() - last_list_seconds_ >= options_.list_seconds)) {
    make_list();
  }
}

template <Scalar F>
void FrontArchive<F>::make_list() {
  ++list_.number;
  list_.logs.back().num_index_bytes = writer_->num_index_bytes();
  if (!seal(options_.directory, list_)) {
    throw OutputError(fmt::format("{}: another process has gone on with this checkpoint", options_.directory));
  }
  ++counts_.num_lists;
  has_changed_ = false;
  last_list_seconds_ = steady_seconds();
  release_blocks();
}

// Blocks whose parents are listed are not needed again: neither by this run, which has assembled them, nor by one after it.
template <Scalar F>
void FrontArchive<F>::release_blocks() {
  const std::vector<char> listed = resumable_fronts(tree_, has_factor_, has_block_);
  const auto is_spent = [&](NodeId node) {
    const NodeId parent = tree_.parent(node);
    return listed[static_cast<std::size_t>(node)] != 0 && listed[static_cast<std::size_t>(parent)] != 0;
  };
  for (auto block = own_blocks_.begin(); block != own_blocks_.end();) {
    if (is_spent(block->first)) {
      writer_->release(block->second);
      block = own_blocks_.erase(block);
    } else {
      ++block;
    }
  }
  for (const auto& [node, block] : found_blocks_) {
    char& is_released = is_released_[static_cast<std::size_t>(node)];
    if (is_released == 0 && is_spent(node)) {
      block.log->release(*block.piece);
      is_released = 1;
    }
  }
}

template <Scalar F>
void FrontArchive<F>::finish() noexcept {
  threads_->finish();
  if (has_changed_ && !threads_->progress().error) {
    try {
      make_list();
    } catch (const std::exception& error) {
      counts_.log.error = error.what();
    }
  }
}

template <Scalar F>
ArchiveCounts FrontArchive<F>::counts() const {
  ArchiveCounts counts = counts_;
  counts.log = threads_->progress();
  if (counts_.log.error) {
    counts.log.error = counts_.log.error;
  }
  return counts;
}

template class FrontArchive<float>;
template class FrontArchive<double>;
template class FrontArchive<std::complex<float>>;
template class FrontArchive<std::complex<double>>;

}  // namespace frond
