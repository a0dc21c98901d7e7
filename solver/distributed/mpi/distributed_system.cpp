// SPDX-License-Identifier: BSD-3-Clause
// Makes the same analysis on every rank from a matrix on rank 0, or in pieces.
#include "solver/distributed/mpi/distributed_system.hpp"

#include <algorithm>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "analysis/mapping/mapping_estimate.hpp"
#include "factorization/memory/memory_limit.hpp"
#include "factorization/scheduling/thread_arena.hpp"
#include "frond/error.hpp"
#include "loadinfo/messages/processors.hpp"
#include "loadinfo/messages/ranks/collective.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/field_exchange.hpp"
#include "solver/distributed/mpi/rank_place.hpp"
#include "solver/distributed/mpi/replicate.hpp"
#include "solver/numerics/problem/found_symmetry.hpp"
#include "solver/numerics/scaling/pivot_hints.hpp"
#include "solver/storage/saved/saved_system.hpp"

namespace frond {
namespace {

/// FNV-1a over values without padding (Fowler, Noll, Vo).
class Hash {
 public:
  template <class T>
  void add(const T& value) requires std::is_integral_v<T> || std::is_enum_v<T> {
    for (const std::byte byte : std::as_bytes(std::span(&value, 1))) {
      state_ = (state_ ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

// Hashes what must be the same on every rank: which rank eliminates what, and where.
std::uint64_t hash_of(const Symbolic& symbolic, const Mapping& mapping) {
  const AssemblyTree& tree = symbolic.tree();
  Hash hash;
  for (const std::vector<Index>& places : {symbolic.permutation().perm, symbolic.row_perm()}) {
    for (const Index variable : places) {
      hash.add(variable);
    }
  }
  for (NodeId node = 0; node < tree.num_nodes(); ++node) {
    hash.add(tree.parent(node));
    hash.add(tree.front_order(node));
    hash.add(tree.num_fully_summed(node));
    hash.add(mapping.type(node));
    hash.add(mapping.master(node));
    for (const Rank candidate : mapping.candidates(node)) {
      hash.add(candidate);
    }
  }
  return hash.value();
}

// Excludes the bounds of this rank alone, and names.
std::string claim_text(const MemoryClaim& claim) {
  std::ostringstream text;
  text << claim.predicted_bytes << ' ' << claim.other_resident << ' ' << claim.other_mapped;
  for (const MemoryBound& bound : claim.bounds) {
    if (!bound.source.empty()) {
      text << ' ' << bound.source << ' ' << bound.bytes;
    }
  }
  return text.str();
}

MemoryClaim claim_in(std::span<const std::byte> bytes) {
  std::istringstream text(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  MemoryClaim claim;
  text >> claim.predicted_bytes >> claim.other_resident >> claim.other_mapped;
  for (MemoryBound bound; text >> bound.source >> bound.bytes;) {
    claim.bounds.push_back(bound);
  }
  return claim;
}

// Collective: returns this rank's share of the memory that it and other ranks may use, given that it is predicted to need
// `predicted_bytes` and has `num_threads` threads. For a bound that ranks share, all use the value read by the lowest of them; no
// rank returns before all have read theirs.
MemoryLimit shared_limit(const Communicator& ranks, Count predicted_bytes, int num_threads) {
  const auto mine = static_cast<std::size_t>(ranks.rank());
  MemoryClaim claim;
  std::string text;
  agree(ranks, [&] {
    claim = claim_memory(predicted_bytes, num_threads, ranks.num_ranks() > 1);
    text = claim_text(claim);
  });
  const std::vector<std::vector<std::byte>> texts = all_gather(ranks, std::as_bytes(std::span(text)));
  MemoryLimit limit;
  agree(ranks, [&] {
    std::vector<MemoryClaim> claims;
    claims.reserve(texts.size());
    for (const std::vector<std::byte>& other : texts) {
      claims.push_back(claim_in(other));
    }
    claims[mine] = claim;
    limit = share_memory(claims, mine);
  });
  return limit;
}

}  // namespace

template <Scalar S>
DistributedSystem<S>::DistributedSystem(const Communicator& ranks, const SystemMatrix<S>* matrix, const SolverOptions& options)
    : own_ranks_(std::make_shared<const Communicator>(ranks.duplicate())),
      ranks_(*own_ranks_),
      options_(shared_options(ranks_, options)) {
  check_watchdog();
  choose_defaults();
  copy_matrix(matrix);
  analyze_copy();
  limit_memory();
}

template <Scalar S>
DistributedSystem<S>::DistributedSystem(const Communicator& ranks, const SystemMatrix<S>* matrix, const SolverOptions& options,
                                        std::shared_ptr<const Symbolic> symbolic, std::optional<Method> method)
    : own_ranks_(std::make_shared<const Communicator>(ranks.duplicate())),
      ranks_(*own_ranks_),
      options_(shared_options(ranks_, options)),
      symbolic_(std::move(symbolic)) {
  check_watchdog();
  choose_defaults();
  copy_matrix(matrix, !method.has_value());
  bool serves_values = true;  // the same on all ranks
  agree(ranks_, [&] {
    method_ = method ? *method : choose_method(this->matrix(), options_);
    serves_values = !is_given_general_ || copy_.num_cols != symbolic_->order() || serves(*symbolic_, copy_.symmetry, method_);
  });
  if (!serves_values) {
    is_analysed_again_ = true;
    analyze_copy();
    limit_memory();
    return;
  }
  agree(ranks_, [&] { fitted_.emplace(*symbolic_, this->matrix(), method_); });
  limit_memory();
}

template <Scalar S>
DistributedSystem<S>::DistributedSystem(const Communicator& ranks, const AnalysisParts& analysis, const SystemMatrix<S>* matrix)
    : DistributedSystem(ranks, matrix, analysis.options, analysis.symbolic, std::nullopt) {
  if (!is_analysed_again_) {
    agree(ranks_, [&] {
      known_scales_ = on_threads(options_.factorization.num_threads, [&] { return analysis.scales_of<S>(analysed()); });
    });
  }
}

template <Scalar S>
void DistributedSystem<S>::check_watchdog() const {
  agree(ranks_, [&] {
    if (options_.ranks.watchdog_seconds > 0 && !options_.observer) {
      throw UsageError("there is a watchdog, but nothing by which it could report: set an observer, too");
    }
  });
}

template <Scalar S>
void DistributedSystem<S>::choose_defaults() {
  const std::vector<int> processors = usable_processors();
  const NodeLayout layout = find_node_layout(ranks_, processors);
  FactorizationOptions& factorization = options_.factorization;
  if (factorization.num_threads == 0) {
    const bool may_be_more = ranks_.gate().level() != MpiThreadLevel::single;
    factorization.num_threads = may_be_more ? std::max(1, static_cast<int>(processors.size()) / layout.num_sharing) : 1;
  }
  if (!options_.analysis.schur_variables.empty()) {
    return;  // the grid holds their Schur complement, without ScaLAPACK
  }
  std::vector<Rank>& grid = options_.analysis.mapping.grid_ranks;
  if (grid.empty()) {
    grid = layout.one_rank_per_core;
  }
  const bool may_call_here = ranks_.carrier().is_mpi() && ranks_.gate().threads_may_call();
  const std::vector<char> may_call = all_gather_values(ranks_, static_cast<char>(may_call_here ? 1 : 0));
  if (std::find(may_call.begin(), may_call.end(), 0) != may_call.end()) {
    grid = {0};  // threads of the factorization call ScaLAPACK
  }
}

template <Scalar S>
void DistributedSystem<S>::copy_matrix(const SystemMatrix<S>* matrix, bool finds_symmetry) {
  const bool is_source = ranks_.rank() == 0;
  SystemMatrix<S> found;
  agree(ranks_, [&] {
    if (is_source && matrix != nullptr) {
      check_system(*matrix);
      found = finds_symmetry ? with_found_symmetry(*matrix, options_) : *matrix;
    }
  });
  copy_ = replicate(ranks_, is_source && matrix != nullptr ? &found.stored : nullptr);
  is_transposed_ = is_source && matrix->transposed;
  is_given_general_ = is_source && finds_symmetry && matrix->stored.pattern.symmetry == Symmetry::general;
  broadcast(ranks_, 0, std::as_writable_bytes(std::span(&is_transposed_, 1)));
  broadcast(ranks_, 0, std::as_writable_bytes(std::span(&is_given_general_, 1)));
}

template <Scalar S>
void DistributedSystem<S>::analyze_copy() {
  choose_and_expand();
  analyze_on_all(order_on_rank_0());
}

template <Scalar S>
void DistributedSystem<S>::choose_and_expand() {
  agree(ranks_, [&] {
    method_ = choose_method(this->matrix(), options_);
    if (needs_expansion(copy_.symmetry, method_)) {
      expanded_ = expand_to_general(copy_.view());
    }
  });
}

template <Scalar S>
MatrixView<S> DistributedSystem<S>::analysed() const {
  if (fitted_) {
    return fitted_->view();
  }
  return needs_expansion(copy_.symmetry, method_) ? expanded_.view() : copy_.view();
}

template <Scalar S>
AnalysisParts DistributedSystem<S>::analysis() const {
  AnalysisParts parts{.place = rank_place(own_ranks_), .symbolic = symbolic_, .method = method_, .options = options_};
  if (!known_scales_.found().empty()) {
    parts.scales = {known_scales_, options_.row_scales, options_.col_scales, values_hash<S>(analysed().values)};
  }
  return parts;
}

template <Scalar S>
VariableOrder DistributedSystem<S>::order_on_rank_0() {
  VariableOrder order;
  agree(ranks_, [&] {
    if (ranks_.rank() == 0) {
      AnalysisOptions analysis = options_.analysis;
      analysis.method = method_;
      analysis.ordering.num_threads = options_.factorization.num_threads;
      analysis.ordering.observer = options_.observer.get();
      PivotHints hints = pivot_hints(analysed(), method_, options_, known_scales_);
      order = order_variables(analysed().pattern, {hints.magnitudes, hints.lowest_threshold}, analysis, std::move(hints.blocks));
    }
  });
  broadcast_fields(ranks_, order.kind, order.matching, order.perm, order.row_of_column, order.has_dear_delays, order.num_compressed,
                   order.ordering_seconds, order.is_block_triangular, order.num_blocks, order.largest_block);
  share_scales(order.matching, order.has_dear_delays);
  return order;
}

// Scales found before rows were matched are useless afterwards.
template <Scalar S>
void DistributedSystem<S>::share_scales(MatchingKind matching, bool has_dear_delays) {
  FoundScales::Map shared;
  for (const ScalingKind kind :
       {ScalingKind::automatic, ScalingKind::none, ScalingKind::equilibrate, ScalingKind::matching, ScalingKind::given}) {
    const auto known = known_scales_.found().find(kind);
    bool is_known = known != known_scales_.found().end() && matching != MatchingKind::rows;
    broadcast_fields(ranks_, is_known);
    if (!is_known) {
      continue;
    }
    std::shared_ptr<ScaleExponents> of_kind;
    agree(ranks_, [&] {
      of_kind = ranks_.rank() == 0 ? std::make_shared<ScaleExponents>(*known->second) : std::make_shared<ScaleExponents>();
      shared[kind] = of_kind;
    });
    broadcast_fields(ranks_, of_kind->kind, of_kind->num_sweeps, of_kind->rows, of_kind->cols);
  }
  known_scales_ = FoundScales(std::move(shared));
  if (has_dear_delays) {
    known_scales_.note_dear_delays();
  }
}

template <Scalar S>
void DistributedSystem<S>::analyze_on_all(const VariableOrder& order) {
  std::uint64_t hash = 0;
  agree(ranks_, [&] {
    AnalysisOptions analysis = options_.analysis;
    analysis.ordering = {.kind = OrderingKind::given, .perm = order.perm};
    analysis.ordering.row_of_column = order.row_of_column;
    analysis.block_triangular = order.is_block_triangular ? Use::always : Use::never;
    analysis.method = method_;
    const std::shared_ptr<Symbolic> symbolic = frond::analyze(analysed().pattern, analysis);
    symbolic->set_origin(order);
    symbolic_ = symbolic;
    hash = hash_of(*symbolic_, mapping(method_));
  });
  const std::vector<std::uint64_t> hashes = all_gather_values(ranks_, hash);
  const auto other = std::find_if(hashes.begin(), hashes.end(), [&](std::uint64_t value) { return value != hashes.front(); });
  if (other != hashes.end()) {
    throw InternalError("rank " + std::to_string(other - hashes.begin()) +
                        " has come to another analysis than rank 0; do all processes run the same Frond?");
  }
}

// A limit found for an earlier system with the same options is determined anew.
template <Scalar S>
void DistributedSystem<S>::limit_memory() {
  FactorizationOptions& factorization = options_.factorization;
  Count predicted_bytes = 0;
  agree(ranks_, [&] {
    const MappingEstimate estimate = estimate_mapping(symbolic_->tree(), mapping(method_), method_, sizeof(S), factorization.kept);
    const RankEstimate& mine = estimate.ranks[ranks_.rank()];
    checkpoint_room_ = options_.checkpoint.is_in_memory ? LogRoom{mine.factor_bytes, 2 * mine.peak_active_bytes} : LogRoom{};
    predicted_bytes = mine.factor_bytes + mine.peak_active_bytes + checkpoint_room_.num_bytes();
  });
  const MemoryLimit found = shared_limit(ranks_, predicted_bytes, factorization.num_threads);
  if (factorization.memory_limit == 0 || !factorization.memory_limit_reason.empty()) {
    factorization.memory_limit = found.bytes;
    factorization.memory_limit_reason = found.reason;
  }
  const std::vector<Count> limits = all_gather_values(ranks_, factorization.memory_limit);
  largest_memory_limit_ = *std::max_element(limits.begin(), limits.end());
}

FROND_INSTANTIATE_CLASS(DistributedSystem)

}  // namespace frond
