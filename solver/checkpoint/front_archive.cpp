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
      found_(tree, options_.directory, options_.key),
      has_factor_(found_.nodes()),
      has_block_(has_factor_.size(), 0),
      is_released_(has_factor_.size(), 0) {
  counts_.num_fronts_found = found_.num_fronts();
  counts_.num_fronts_lost = found_.num_lost();
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    has_block_[static_cast<std::size_t>(node)] = found_.has(node) && found_.block(node).log != nullptr ? 1 : 0;
  }
  remove_unlisted();
  verify_blocks();
  begin_run();
}

template <Scalar F>
FrontArchive<F>::~FrontArchive() {
  finish();
}

// A run that ended before its first list has left nothing of use.
template <Scalar F>
void FrontArchive<F>::remove_unlisted() const {
  const std::vector<ListedLog>& listed = found_.logs();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(options_.directory)) {
    const std::string stem = entry.path().stem().string();
    const bool is_log = stem.starts_with("run-");
    if (is_log && std::none_of(listed.begin(), listed.end(), [&stem](const ListedLog& log) { return log.stem == stem; })) {
      fs::remove(entry.path(), error);
    }
  }
}

// Before anything is computed with them.
template <Scalar F>
void FrontArchive<F>::verify_blocks() const {
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    if (found_.needs_block(node)) {
      found_.block(node).log->verify(*found_.block(node).piece);
    }
  }
}

// Its first list has what was found, so that a run after this one knows of both.
template <Scalar F>
void FrontArchive<F>::begin_run() {
  const Index run = found_.list().run + 1;
  const std::string stem = fmt::format("run-{}", run);
  writer_ = std::make_unique<FrontLogWriter>(options_.directory + "/" + stem, options_.key);
  list_ = {run, 0, options_.key, found_.logs()};
  list_.logs.push_back({stem, run, writer_->num_index_bytes(), true});
  seal_list();
  last_list_seconds_ = steady_seconds();
  threads_ = std::make_unique<LogThreads>(*writer_, std::min(kLongestTickSeconds, options_.list_seconds),
                                          [this](const std::vector<StoredPiece>& pieces) { on_committed(pieces); });
}

template <Scalar F>
DescribedFactor<F> FrontArchive<F>::described(const StoredPiece& piece) const {
  try {
    return described_factor<F>(piece, method_);
  } catch (const InternalError& error) {
    throw InputError(options_.directory, 0, fmt::format("is damaged: {}", error.what()));
  }
}

template <Scalar F>
DelayedVariables FrontArchive<F>::delayed(NodeId node) const {
  const DescribedFactor<F> stored = described(*found_.factor(node).piece);
  DelayedVariables delayed;
  delayed.rows.assign(stored.row_variables.begin() + stored.num_eliminated, stored.row_variables.end());
  if (method_ == Method::lu) {
    delayed.columns.assign(stored.col_variables.begin() + stored.num_eliminated, stored.col_variables.end());
  }
  return delayed;
}

template <Scalar F>
PivotCounts FrontArchive<F>::read_factor(NodeId node, FrontFactor<F>& front) {
  const FoundFronts::Piece found = found_.factor(node);
  const DescribedFactor<F> stored = described(*found.piece);
  if (stored.order != front.order || stored.num_fully_summed != front.num_fully_summed) {
    throw InputError(options_.directory, 0, fmt::format("is damaged: front {} has another size than its children leave it", node));
  }
  frond::read_factor(*found.log, *found.piece, stored, method_, front);
  counts_.flops_found += elimination_cost(stored.order, stored.num_eliminated, method_).flops;
  return stored.counts;
}

template <Scalar F>
void FrontArchive<F>::read_rows(const RowStream& stream, std::span<std::byte> image) const {
  const FoundFronts::Piece found = found_.block(stream.child);
  if (found.piece->num_bytes != static_cast<Count>(image.size())) {
    throw InputError(options_.directory, 0,
                     fmt::format("is damaged: the block of front {} has {} bytes, and not {}", stream.child, found.piece->num_bytes,
                                 image.size()));
  }
  found.log->read(*found.piece, 0, image);
}

template <Scalar F>
void FrontArchive<F>::take_factor(NodeId node, const NumericFront<F>& front, const PivotCounts& counts) {
  std::vector<Index> born_children;
  for (const NodeId child : tree_.children(node)) {
    born_children.push_back(has(child) ? found_.born(child) : list_.run);
  }
  threads_->push(factor_to_write(node, front, method_, counts, born_children));
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
void FrontArchive<F>::seal_list() const {
  if (!seal(options_.directory, list_)) {
    throw OutputError(fmt::format("{}: another process has gone on with this checkpoint", options_.directory));
  }
}

template <Scalar F>
void FrontArchive<F>::make_list() {
  ++list_.number;
  list_.logs.back().num_index_bytes = writer_->num_index_bytes();
  seal_list();
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
    return parent != kNoParent && listed[static_cast<std::size_t>(node)] != 0 && listed[static_cast<std::size_t>(parent)] != 0;
  };
  for (auto block = own_blocks_.begin(); block != own_blocks_.end();) {
    if (is_spent(block->first)) {
      writer_->release(block->second);
      block = own_blocks_.erase(block);
    } else {
      ++block;
    }
  }
  for (NodeId node = 0; node < tree_.num_nodes(); ++node) {
    char& is_released = is_released_[static_cast<std::size_t>(node)];
    if (is_released == 0 && has(node) && found_.block(node).log != nullptr && is_spent(node)) {
      found_.block(node).log->release(*found_.block(node).piece);
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
