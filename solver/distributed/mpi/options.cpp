// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts options as one message.
#include "solver/distributed/mpi/options.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "loadinfo/messages/message_fields.hpp"
#include "solver/distributed/mpi/agreement.hpp"
#include "solver/distributed/mpi/field_exchange.hpp"

namespace frond {
namespace {

// Passes the options that count for all.
template <class Fields>
void pass_shared(Fields&& fields, SolverOptions& options) {
  AnalysisOptions& analysis = options.analysis;
  fields(options.method, options.detect_symmetry, analysis.amalgamate, analysis.schur_variables);
  MappingOptions& mapping = analysis.mapping;
  fields(mapping.candidate_relaxation, mapping.layer_tolerance, mapping.upper_node_seconds, mapping.min_slave_rows,
         mapping.min_front_flops, mapping.grid_order_per_side, mapping.grid_block_size, mapping.grid_ranks, mapping.split_fronts,
         mapping.max_master_ratio, mapping.min_split_pivots, mapping.entry_transfer_seconds);
  fields(options.scaling, options.row_scales, options.col_scales);
  FactorizationOptions& factorization = options.factorization;
  fields(factorization.pivoting, factorization.kept, options.mixed_precision, options.error_bounds);
  fields(options.refinement.max_steps, options.refinement.max_krylov_steps, options.refinement.target, options.refinement.measures);
  fields(options.ranks.load_exchange, options.ranks.schedule, options.ranks.sharing, options.ranks.chunks, options.ranks.may_leave);
  fields(options.checkpoint.is_in_memory);
}

}  // namespace

SolverOptions shared_options(const Communicator& ranks, const SolverOptions& given) {
  SolverOptions mine;
  std::vector<std::byte> shared;
  agree(ranks, [&] {
    mine = given;
    FieldWriter fields;
    pass_shared(fields, mine);
    shared = fields.take();
  });
  broadcast_fields(ranks, shared);
  agree(ranks, [&] {
    ByteReader bytes(shared);
    FieldReader fields(bytes);
    pass_shared(fields, mine);
  });
  mine.analysis.mapping.num_ranks = ranks.num_ranks();
  return mine;
}

}  // namespace frond
