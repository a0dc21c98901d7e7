// SPDX-License-Identifier: BSD-3-Clause
// Moves the rows of finished parts to the parts of their parents, on a rank's side of each stream.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <span>
#include <tuple>

#include "factorization/ranks/rank_machine.hpp"

namespace frond {

/// Streams leave piece by piece, one after the other, while the channel has room.
class RankStreams : RankMachine {
 public:
  explicit RankStreams(const RankMachine& shared) : RankMachine(shared) {}

  void receive(Rank from, const RowMapMessage& message);
  void receive(Rank from, const RowsMessage& message);

  /// Expects those of the streams that other parts send, and returns their number.
  std::size_t expect(std::span<const SizedStream> streams);
  void forget(FrontPart target);  ///< does not expect streams to it any more

  /// Own tasks whose output has to be sent in streams and has not been.
  [[nodiscard]] Index num_outputs_left() const { return num_outputs_left_; }
  void add_outputs(Index number) { num_outputs_left_ += number; }

  /// Holds the rows of a finished slave's part, as the load exchange knows, until they have gone; they go if their map is here.
  void hold(FrontPart part, Count bytes);
  [[nodiscard]] Count held_bytes(FrontPart part) const;
  void drop_held(FrontPart part);

  /// Begins a record, by which these parts are held.
  void restart(std::map<FrontPart, Count> held);

  void send_pieces();  ///< while the channel has room
  void stop() { outgoing_.clear(); }
  [[nodiscard]] Index num_outgoing() const { return static_cast<Index>(outgoing_.size()); }
  [[nodiscard]] Index num_arriving() const { return static_cast<Index>(arriving_.size()); }
  [[nodiscard]] bool is_idle() const { return outgoing_.empty() && num_outputs_left_ == 0; }
  [[nodiscard]] bool is_at_rest() const { return outgoing_.empty() && arriving_.empty(); }

 private:
  struct Outgoing {
    SizedStream sized;
    Count offset = 0;
  };
  using StreamKey = std::tuple<NodeId, PartRole, Rank, PartRole>;  // child, source, its rank, target
  struct Arriving {
    RowStream stream;
    Count bytes_left = 0;
  };

  void send_rows(FrontPart part, const RowMap& map);
  void send_piece();
  void sent(FrontPart part);

  std::map<FrontPart, Count> held_bytes_;  // [finished slave's part]
  std::map<FrontPart, RowMap> row_maps_;   // of parents of parts that are not finished
  std::map<FrontPart, std::size_t> streams_to_send_;
  std::map<StreamKey, Arriving> arriving_;
  std::deque<Outgoing> outgoing_;
  Index num_outputs_left_ = 0;
};

}  // namespace frond
