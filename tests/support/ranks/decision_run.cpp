// SPDX-License-Identifier: BSD-3-Clause
// Takes decisions, comes to rest, and checks the views.
#include "tests/support/ranks/decision_run.hpp"

#include <chrono>
#include <numeric>
#include <thread>

namespace frond::test {
namespace {

class RankRun {
 public:
  RankRun(const DecisionRunSetup& setup, Channel& channel, const SumOverRanks& sum)
      : setup_(setup),
        rank_(channel.rank()),
        num_ranks_(channel.num_ranks()),
        sum_(sum),
        service_(make_load_service(setup.service, channel, setup.exchange, setup.threads_may_call)) {
    candidates_.resize(static_cast<std::size_t>(num_ranks_));
    std::iota(candidates_.begin(), candidates_.end(), 0);
  }

  DecisionRun run() {
    while (num_decided_ < num_decisions_of(rank_)) {
      serve();
      service_->with_exchange([this](LoadExchange& exchange) { ask_or_decide(exchange); });
    }
    come_to_rest();
    await_load_thread();
    DecisionRun result;
    result.own = service_->counts();
    check_loads();
    check_order();
    add_totals(result);
    result.failure = failure_;
    return result;
  }

 private:
  [[nodiscard]] bool is_exact() const {
    return setup_.exchange.mechanism == LoadMechanism::snapshot || setup_.exchange.mechanism == LoadMechanism::partial_snapshot;
  }
  [[nodiscard]] Count num_decisions_of(Rank rank) const { return setup_.one_master && rank > 0 ? 0 : setup_.num_decisions; }

  void serve() {
    if (service_->serve() == 0) {
      std::this_thread::sleep_for(std::chrono::microseconds(20));  // other ranks need the processor, too
    }
  }

  // A rank that is its own candidate sees its own load exactly as well.
  void ask_or_decide(LoadExchange& exchange) {
    if (exchange.may_decide()) {
      const std::span<const Load> view = exchange.view();
      seen_bytes_.push_back(std::accumulate(view.begin(), view.end(), Load{}).bytes);
      std::vector<Assignment> chosen;
      for (const Rank candidate : exchange.candidates()) {
        if (candidate != rank_) {
          chosen.push_back({candidate, {0, 1}});
        }
      }
      exchange.decide(chosen);
      ++num_decided_;
    } else if (!exchange.is_blocked() && !exchange.is_deciding()) {
      exchange.vary({1, 0});
      exchange.want_to_decide(candidates_);
    }
  }

  // Serves until all ranks have decided and all messages have arrived: until sums over the ranks agree twice.
  void come_to_rest() {
    std::vector<Count> last;
    while (true) {
      const LoadServiceCounts counts = service_->counts();
      const std::vector<Count> sums = sum_({counts.sent.total_messages(), counts.num_received}, [this] { serve(); });
      if (sums[0] == sums[1] && sums == last) {
        return;
      }
      last = sums;
    }
  }

  // On a busy machine all ranks may come to rest before the load thread, if there is one, has run.
  void await_load_thread() {
    using std::chrono::steady_clock;
    const bool has_thread = setup_.service.use_thread && setup_.threads_may_call;
    const steady_clock::time_point end = steady_clock::now() + std::chrono::seconds(20);
    while (has_thread && service_->counts().num_wake_ups == 0 && steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

  void check(bool holds, const char* what) {
    failure_ += holds ? "" : std::string("rank ") + std::to_string(rank_) + ": " + what + "\n";
  }

  void check_loads() {
    service_->with_exchange([this](const LoadExchange& exchange) {
      check(!exchange.is_blocked() && !exchange.is_deciding(), "blocked at rest");
      check(exchange.load() == load_at_rest(rank_), "its load is wrong at rest");
      for (Rank other = 0; other < num_ranks_ && !is_exact(); ++other) {
        check(exchange.view()[other] == load_at_rest(other), "a view is wrong at rest");
      }
    });
  }

  [[nodiscard]] Load load_at_rest(Rank rank) const {
    Count num_others = 0;  // decisions of other ranks
    for (Rank other = 0; other < num_ranks_; ++other) {
      num_others += other == rank ? 0 : num_decisions_of(other);
    }
    return {static_cast<double>(num_decisions_of(rank)), setup_.exchange.mechanism == LoadMechanism::naive ? 0 : num_others};
  }

  // The k-th decision of all sees (P - 1) k bytes.
  void check_order() {
    if (!is_exact() || num_ranks_ == 1) {
      return;
    }
    Count num_all = 0;
    for (Rank rank = 0; rank < num_ranks_; ++rank) {
      num_all += num_decisions_of(rank);
    }
    std::vector<Count> times_seen(static_cast<std::size_t>(num_all), 0);  // times_seen[k]: by this rank, k decisions before its own
    for (const Count bytes : seen_bytes_) {
      const Count before = bytes / (num_ranks_ - 1);
      const bool is_possible = bytes % (num_ranks_ - 1) == 0 && before >= 0 && before < num_all;
      check(is_possible, "a view shows a part of a decision");
      times_seen[is_possible ? before : 0] += 1;
    }
    const std::vector<Count> sums = sum_(times_seen, [this] { serve(); });
    check(sums == std::vector<Count>(static_cast<std::size_t>(num_all), 1), "decisions do not see each other");
  }

  void add_totals(DecisionRun& result) {
    const auto& [messages, bytes] = result.own.sent;
    const std::vector<Count> sums = sum_({messages.begin(), messages.end()}, [this] { serve(); });
    std::copy(sums.begin(), sums.end(), result.total.messages.begin());
    const std::vector<Count> byte_sums = sum_({bytes.begin(), bytes.end()}, [this] { serve(); });
    std::copy(byte_sums.begin(), byte_sums.end(), result.total.bytes.begin());
  }

  const DecisionRunSetup& setup_;
  Rank rank_;
  Rank num_ranks_;
  const SumOverRanks& sum_;
  std::unique_ptr<LoadService> service_;
  std::vector<Rank> candidates_;
  Count num_decided_ = 0;
  std::vector<Count> seen_bytes_;  // in all of the view, at each decision
  std::string failure_;
};

}  // namespace

DecisionRun run_decisions(const DecisionRunSetup& setup, Channel& channel, const SumOverRanks& sum) {
  return RankRun(setup, channel, sum).run();
}

}  // namespace frond::test
