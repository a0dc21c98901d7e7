// SPDX-License-Identifier: BSD-3-Clause
// Injects faults on virtual ranks: into channels, parts of fronts and files.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "factorization/distributed/front_parts.hpp"
#include "factorization/recovery/move_file.hpp"
#include "frond/error.hpp"
#include "loadinfo/mechanisms/load_message.hpp"
#include "tests/support/ranks/virtual_ranks.hpp"

namespace frond::test {

// A channel with a bug.
class BuggyChannel final : public Channel {
 public:
  BuggyChannel(Channel& channel, PlantedBug bug) : channel_(channel), bug_(bug) {}

  [[nodiscard]] Rank rank() const override { return channel_.rank(); }
  [[nodiscard]] Rank num_ranks() const override { return channel_.num_ranks(); }
  [[nodiscard]] bool send(Rank to, const MessageBody& body) override { return channel_.send(to, body); }
  [[nodiscard]] bool take_room_event() override { return channel_.take_room_event() && bug_ != PlantedBug::lost_room; }
  [[nodiscard]] std::optional<ReceivedMessage> poll() override {
    if (again_) {
      return std::exchange(again_, std::nullopt);
    }
    std::optional<ReceivedMessage> message = channel_.poll();
    if (!message || (bug_ != PlantedBug::lost_end && bug_ != PlantedBug::doubled_reservation)) {
      return message;
    }
    const LoadMessageKind kind = decode(message->bytes()).kind;
    if (bug_ == PlantedBug::lost_end && kind == LoadMessageKind::end && rank() == 1) {
      return std::nullopt;
    }
    if (bug_ == PlantedBug::doubled_reservation && kind == LoadMessageKind::reservation) {
      auto bytes = std::make_unique<std::byte[]>(message->bytes().size());
      std::copy(message->bytes().begin(), message->bytes().end(), bytes.get());
      again_.emplace(message->from(), message->num_bytes(), std::move(bytes));
    }
    return message;
  }

 private:
  Channel& channel_;
  PlantedBug bug_;
  std::optional<ReceivedMessage> again_;
};

// Parts that may fail, and that do not announce what they delay if that bug is planted.
class TroubledParts final : public PartNumerics, public FrontParts {
 public:
  TroubledParts(PartNumerics& numerics, FrontParts& parts, Rank rank, const VirtualRun& run)
      : numerics_(numerics), parts_(parts), rank_(rank), run_(run) {}

  void start(TaskId task) override { numerics_.start(task); }
  [[nodiscard]] Announcement announce(TaskId task) const override {
    run_.before(rank_, Phase::announcing);
    Announcement announcement = parts_.announce(task);
    if (run_.bug == PlantedBug::lost_delays) {
      std::fill(announcement.tops.begin(), announcement.tops.end(), DelayedVariables());
    }
    return announcement;
  }
  [[nodiscard]] std::vector<std::byte> right_sides_of(TaskId task) override { return numerics_.right_sides_of(task); }
  void take_right_sides(TaskId child, std::span<const std::byte> bytes) override { numerics_.take_right_sides(child, bytes); }
  [[nodiscard]] Count bytes_to_expect(const FrontPlan& plan, FrontPart part) const override {
    run_.before(rank_, Phase::choosing_slaves);
    return parts_.bytes_to_expect(plan, part);
  }
  [[nodiscard]] Count free_bytes() const override { return parts_.free_bytes(); }
  std::vector<SizedStream> expect(const FrontPlan& plan, FrontPart part) override {
    run_.before(rank_, Phase::expecting);
    return parts_.expect(plan, part);
  }
  void cancel(FrontPart part) override { parts_.cancel(part); }
  void write(const RowStream& stream, Count offset, std::span<const std::byte> bytes) override {
    run_.before(rank_, Phase::receiving_rows);
    parts_.write(stream, offset, bytes);
  }
  [[nodiscard]] std::vector<RowShare> shares_of(FrontPart part) const override {
    run_.before(rank_, Phase::sending_rows);
    return parts_.shares_of(part);
  }
  [[nodiscard]] Count stream_bytes(const RowStream& stream) const override { return parts_.stream_bytes(stream); }
  void read(const RowStream& stream, Count offset, std::span<std::byte> bytes) const override {
    run_.before(rank_, Phase::sending_rows);
    parts_.read(stream, offset, bytes);
  }
  void release(FrontPart part) override { parts_.release(part); }
  void begin(FrontPart part) override {
    run_.before(rank_, Phase::assembling);
    numerics_.begin(part);
  }
  void step(FrontPart part, Rank from, std::vector<std::byte> body) override {
    run_.before(rank_, phase_of(part));
    numerics_.step(part, from, std::move(body));
  }
  void go_on(FrontPart part) override {
    run_.before(rank_, phase_of(part));
    numerics_.go_on(part);
  }
  void abandon_root() override { numerics_.abandon_root(); }

 private:
  [[nodiscard]] static Phase phase_of(FrontPart part) {
    return part.role == PartRole::grid ? Phase::factorizing_root : Phase::eliminating;
  }

  PartNumerics& numerics_;
  FrontParts& parts_;
  Rank rank_;
  const VirtualRun& run_;
};

// Files on a disk that may fill up.
class TroubledMoveFiles final : public MoveFiles {
 public:
  explicit TroubledMoveFiles(const VirtualRun& run) : run_(run) {}

  void write(const std::string& path, Count total_bytes, const Read& read) override {
    if (run_.is_disk_full()) {
      throw OutputError("planted");
    }
    MoveFiles::write(path, total_bytes, read);
  }

 private:
  const VirtualRun& run_;
};

}  // namespace frond::test
