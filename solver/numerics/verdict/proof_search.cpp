// SPDX-License-Identifier: BSD-3-Clause
// Collects evidence, draws conclusions, and chooses where to search next.
#include "solver/numerics/verdict/proof_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "matrices/words.hpp"
#include "solver/numerics/accuracy/condition.hpp"
#include "solver/numerics/verdict/bauer_skeel.hpp"
#include "solver/numerics/verdict/outcome.hpp"

namespace frond {
namespace {

// Each raise finds one more null pivot that no threshold distinguishes from a small one.
constexpr int kMostRaises = 12;

// Solves with factors approximate A^-1 if I - G A, G being the solve, has at most this norm.
constexpr double kMostContraction = 0.5;

constexpr Count kFreeBytes = Count{64} << 20;        // in addition to one and a half times the bytes of the first factors
constexpr Count kFreeVectorBytes = Count{16} << 20;  // in addition to half of the bytes of the factors

template <Scalar S>
constexpr double kEps = static_cast<double>(std::numeric_limits<RealOf<S>>::epsilon());

// tau rho of the eliminated part, |A^-1| being at most |G| / (1 - ||I - G A||); infinite if that is not a bound.
template <Scalar S>
double distance_of_rest(const ProofEvidence& evidence) {
  return evidence.contraction <= kMostContraction ? kSingularTolerance<S> * evidence.bauer_skeel / (1 - evidence.contraction)
                                                  : std::numeric_limits<double>::infinity();
}

// The variables on which null vectors are reduced to the identity; empty if there are too many.
template <Scalar S>
FewVariables with_unknowns_without_pivot(const ScaledSystem<S>& system, FewVariables anchors, Index num_null) {
  if (num_null == 0) {
    return anchors;
  }
  const std::vector<char> has_none = system.find_unknowns_without_pivot();
  for (std::size_t i = 0; i < has_none.size(); ++i) {
    if (has_none[i] != 0 && anchors.count == FewVariables::kMost) {
      return {};
    }
    if (has_none[i] != 0) anchors.add(static_cast<Index>(i));
  }
  return anchors;
}

// The evidence from the existing factors.
template <Scalar S>
ProofEvidence look_at_rest(const ScaledSystem<S>& system) {
  ProofEvidence evidence;
  const BauerSkeel<RealOf<S>> rest = estimate_bauer_skeel(system, 1 / kSingularTolerance<S>);
  evidence.bauer_skeel = rest.bound;
  evidence.contraction = estimate_contraction(system, rest.weights);
  return evidence;
}

template <Scalar S>
ProofEvidence look_at(const ScaledSystem<S>& system, const FactorizationReport& report, const ProofQuestion& question) {
  const auto num_null = static_cast<Index>(report.null_pivots.size());
  ProofEvidence evidence = look_at_rest(system);
  if (num_null > question.order - question.structural_rank) {
    const Count most_bytes = report.factor_bytes / 2 + kFreeVectorBytes;
    evidence.nulls = test_null_pivots(system, std::span<const Index>(report.null_pivots), most_bytes, question.num_threads);
  }
  if (!(distance_of_rest<S>(evidence) < 1)) {
    const HiddenVectors hidden = find_hidden_vectors(system, report.factor_bytes / 2 + kFreeVectorBytes, question.num_threads);
    evidence.hidden = hidden.test;
    const bool are_null = evidence.nulls.num_proved == evidence.nulls.num_tested;
    evidence.anchors = with_unknowns_without_pivot(system, hidden.anchors, are_null ? num_null : 0);
  }
  if (num_null == 0) {
    evidence.equilibrated_condition =
        estimate_scaled_condition<S>(system.matrix, system.row_scaling, system.col_scaling, system.solve);
  }
  return evidence;
}

template <Scalar S>
ProofEvidence look_within_memory(const ScaledSystem<S>& system, const FactorizationReport& report, const ProofQuestion& question) {
  try {
    return look_at(system, report, question);
  } catch (const std::bad_alloc&) {
    throw MemoryError("no memory for the vectors that would prove the rank: free some, or raise the limit of the process", 0, 0);
  }
}

template <Scalar S>
class ProofSearch {
 public:
  ProofSearch(SystemReport& report, const ProofQuestion& question, const ProofPort<S>& port)
      : report_(report),
        question_(question),
        port_(port),
        notes_(report.notes),
        tried_{question.first},
        first_flops_(report.factorization.flops),
        left_{.flops = std::max(kMostFlops * first_flops_, kFreeFlops),
              .bytes = report.factorization.peak_bytes / 2 * 3 + kFreeBytes} {
    best_.highest = question.structural_rank;
  }

  void run() {
    if (!port_.has_factors() && !keep_first_factors()) {
      return;
    }
    examine();
    for (std::optional<FactorizationWay> way = next_way(); way; way = next_way()) {
      go(*way);
    }
    if (!port_.has_factors()) {
      go_back(last_,
              "the search for a proof of the rank ended for lack of memory or for its cost; it went back to the factors before");
    } else if (best_.lowest == best_.highest && !is_decided()) {
      go_back(way_of_lowest_, "null vectors of other factors proved the rank; it went back to those that have it");
      examine();
    }
    conclude();
  }

 private:
  [[nodiscard]] const FactorizationReport& pivots() const { return report_.factorization; }
  [[nodiscard]] Index num_null() const { return static_cast<Index>(pivots().null_pivots.size()); }
  [[nodiscard]] bool refutes_claims() const { return num_null() > question_.order - now_.highest; }
  [[nodiscard]] bool is_rest_proved() const { return now_.rest < 1; }
  // Factors without null pivots that approximate A^-1 show that the doubt is A's own: no other factors would remove it.
  [[nodiscard]] bool is_doubt_final() const {
    const bool is_own = evidence_.contraction <= kMostContraction && std::isfinite(now_.rest);
    return num_null() == 0 && best_.highest == question_.order && (is_own || question_.leaves_doubts);
  }
  [[nodiscard]] bool is_decided() const { return best_.lowest == best_.highest && question_.order - num_null() == best_.lowest; }
  [[nodiscard]] bool has_tried(const FactorizationWay& way) const {
    return std::any_of(tried_.begin(), tried_.end(), [&](const FactorizationWay& other) { return other.is_like(way); });
  }

  // Returns false, with the rank in doubt, if resources do not suffice.
  bool keep_first_factors() {
    const SystemReport before = report_;
    report_.notes = notes_;
    if (!try_to_factorize(question_.first)) {
      report_ = before;
      report_.rank = {.status = RankVerdict::in_doubt, .highest = best_.highest};
      report_.notes.emplace_back("the rank is in doubt: memory did not suffice to keep factors, which would prove it");
      call_doubtful();
      return false;
    }
    left_.flops += first_flops_;  // it does not count as another way
    has_ended_ = false;
    return true;
  }

  // Returns false if memory or the budget of the way runs out.
  bool try_to_factorize(const FactorizationWay& way) {
    try {
      port_.factorize(way);
      spend(pivots().flops);
      return port_.has_factors();
    } catch (const MemoryError&) {
      has_ended_ = true;
      return false;
    } catch (const BudgetError&) {
      spend(way.budget.flops);  // how much was actually done depends on the threads
      return false;
    }
  }

  void examine() {
    evidence_ = {};  // without evidence
    try {
      evidence_ = port_.examine([this](const ScaledSystem<S>& system) { return look_within_memory(system, pivots(), question_); });
    } catch (const MemoryError&) {
      has_ended_ = true;
    }
    now_ = proof_of<S>(evidence_, num_null(), question_);
    report_.equilibrated_condition = evidence_.equilibrated_condition;
    if (is_rest_proved() && now_.lowest > best_.lowest) {
      best_.lowest = now_.lowest;
      way_of_lowest_ = last_;
    }
    if (now_.highest <= best_.highest && now_.num_vectors > 0) {
      best_.number = now_.number;
      best_.num_vectors = evidence_.nulls.num_proved + evidence_.hidden.num_proved;
      best_.is_sample = now_.is_sample;
    }
    best_.highest = std::min(best_.highest, now_.highest);
  }

  // Empty when the rank is decided or nothing is left to try.
  [[nodiscard]] std::optional<FactorizationWay> next_way() {
    if (is_decided() || is_doubt_final() || !question_.has_choice || is_last_resort(last_)) {
      return std::nullopt;
    }
    for (FactorizationWay way : further_ways()) {
      if (has_tried(way) || (has_ended_ && !is_last_resort(way))) {
        continue;
      }
      way.budget = is_last_resort(way) ? question_.last_budget : left_;
      if (!is_last_resort(way)) {
        way.budget.flops -= first_flops_;  // reserve for the factors of the last resort
      }
      return way;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<FactorizationWay> further_ways() const {
    std::vector<FactorizationWay> ways = refutes_claims() ? ways_to_fewer_null_pivots() : ways_to_a_proof();
    if (evidence_.hidden.num_proved > 0 && evidence_.anchors.count > 0) {
      const std::array leaving_them = {with_anchors_last(last_), with_anchors_last(safer(last_))};
      ways.insert(ways.begin(), leaving_them.begin(), leaving_them.end());
    }
    return ways;
  }

  // Variables where null vectors are the identity may become null pivots; at the end these do not spoil other pivots.
  [[nodiscard]] FactorizationWay with_anchors_last(FactorizationWay way) const {
    if (way.method == Method::cholesky) {
      way.method = indefinite_method<S>(Symmetry::hermitian);
    }
    way.last_variables = evidence_.anchors;
    const auto begin = way.last_variables.numbers.begin();
    std::sort(begin, begin + static_cast<std::ptrdiff_t>(way.last_variables.count));
    return way;
  }

  [[nodiscard]] FactorizationWay with_other_scales(FactorizationWay way) const {
    way.scaling = report_.scaling == ScalingKind::matching ? ScalingKind::equilibrate : ScalingKind::matching;
    return way;
  }

  [[nodiscard]] FactorizationWay safer(FactorizationWay way) const {
    const SaferFactorization safe = safer_factorization<S>(way.method, question_.order);
    way.method = safe.method;
    way.pivoting = safe.pivoting;
    return way;
  }

  // The first way, but with a method that has a choice of pivots.
  [[nodiscard]] FactorizationWay first_way() const {
    FactorizationWay first = question_.first;
    if (first.method == Method::cholesky) {
      first.method = indefinite_method<S>(Symmetry::hermitian);
    }
    return first;
  }

  // Some null pivots are small ones whose vectors are not null vectors: noise of a bad scaling, or truly small.
  [[nodiscard]] std::vector<FactorizationWay> ways_to_fewer_null_pivots() const {
    std::vector<FactorizationWay> ways;
    if (question_.may_rescale) {
      ways.push_back(with_other_scales(first_way()));
    }
    if (!is_rest_proved()) {
      ways.push_back(safer(last_));
    }
    if (best_.highest == question_.order) {  // otherwise it is singular, and x is better without negligible pivots
      ways.push_back(last_resort());
    }
    return ways;
  }

  // Accepts every nonzero pivot. Even if it proves nothing, it gives an x.
  [[nodiscard]] FactorizationWay last_resort() const {
    FactorizationWay way = first_way();
    way.scaling = report_.scaling;
    way.pivoting.null_threshold = kEps<S> * kEps<S>;
    return way;
  }
  static bool is_last_resort(const FactorizationWay& way) { return way.pivoting.null_threshold == kEps<S> * kEps<S>; }

  // Small pivots may stand for zeros, each of which is hidden by the others' noise.
  [[nodiscard]] std::vector<FactorizationWay> ways_to_a_proof() const {
    FactorizationWay safe = safer(last_);
    if (has_tried(safe) && num_raises() < kMostRaises && std::isfinite(pivots().smallest_pivot)) {
      constexpr double kAbove = 1.01;  // rounding of the threshold must not save the pivot
      safe.pivoting.null_threshold = std::min(0.5, kAbove * pivots().smallest_pivot / pivots().largest_entry);
    }
    return question_.may_rescale ? std::vector{safe, with_other_scales(safer(question_.first))} : std::vector{safe};
  }

  [[nodiscard]] int num_raises() const { return static_cast<int>(tried_.size()) - 2; }

  void go(const FactorizationWay& way) {
    tried_.push_back(way);
    const SystemReport before = report_;
    report_.notes = notes_;
    if (try_to_factorize(way)) {
      ++num_further_;
      last_ = way;
      examine();
    } else {
      report_ = before;
    }
  }

  void spend(double flops) {
    left_.flops = std::max(left_.flops - flops, 1.0);
    has_ended_ = has_ended_ || left_.flops <= 1.5 * first_flops_;  // less than half of it remains for another way
  }

  // Returns to a way that led to factors.
  void go_back(const FactorizationWay& way, const char* why) {
    report_.notes = notes_;
    last_ = way;
    last_.budget = {};  // its cost is known, and was affordable
    const double condition = report_.equilibrated_condition;
    port_.factorize(last_);
    report_.equilibrated_condition = condition;
    report_.notes.emplace_back(why);
  }

  void conclude() {
    RankProof& proof = report_.rank;
    proof = now_;
    proof.lowest = best_.lowest <= best_.highest ? best_.lowest : 0;  // vectors are tested, the rest is estimated
    proof.highest = best_.highest;
    if (is_decided()) {
      const Index structural_deficiency = question_.order - question_.structural_rank;
      proof.status = num_null() == 0                       ? RankVerdict::nonsingular
                     : num_null() == structural_deficiency ? RankVerdict::structural
                                                           : RankVerdict::singular;
      if (proof.status == RankVerdict::singular) {  // its vectors may be from other factors
        proof.number = best_.number;
        proof.num_vectors = best_.num_vectors;
        proof.is_sample = best_.is_sample;
      }
    } else {
      proof.status = RankVerdict::in_doubt;
      call_doubtful();
    }
    note_way();
  }

  // Neither singular nor nonsingular is proved for all pivots.
  void call_doubtful() {
    FactorizationReport& factorization = report_.factorization;
    if (best_.highest < question_.order && num_null() == 0) {
      count_smallest_pivot_as_zero(report_);
    } else if (best_.highest == question_.order && num_null() > 0 && question_.has_choice && question_.measures_solutions) {
      factorization.status = FactorizationStatus::success;
      factorization.null_pivots.clear();
    }
  }

  void note_way() {
    if (num_further_ == 0) {
      return;
    }
    const std::string how = fmt::format(
        "factorized {} by {} with scales by {}, pivot threshold {:g} and null threshold {:.1e}{}",
        num_further_ == 1 ? "once more" : fmt::format("{} times more, last", num_further_), to_string(last_.method),
        to_string(report_.scaling), last_.pivoting.pivot_threshold, relative_null_threshold<S>(question_.order, last_.pivoting),
        last_.last_variables.count == 0
            ? ""
            : fmt::format(", {} variables that null vectors name left for the end", last_.last_variables.count));
    report_.notes.push_back(fmt::format("the first factors left the rank in doubt: {}", how));
  }

  SystemReport& report_;
  const ProofQuestion& question_;
  const ProofPort<S>& port_;
  std::vector<std::string> notes_;
  std::vector<FactorizationWay> tried_;
  FactorizationWay last_ = question_.first;           // the last one that led to factors
  FactorizationWay way_of_lowest_ = question_.first;  // whose factors proved the lowest possible rank
  double first_flops_;
  WorkBudget left_;
  ProofEvidence evidence_;  // of the last factors
  RankProof now_;           // from that evidence
  RankProof best_;          // bounds from all of them
  int num_further_ = 0;
  bool has_ended_ = false;
};

}  // namespace

std::string to_string(RankVerdict status) {
  constexpr Words<RankVerdict, 5> kWords{"verdict", {"presumed", "nonsingular", "singular", "structurally_singular", "in_doubt"}};
  return std::string(kWords.name(status));
}

std::string describe_bounds(const RankProof& rank, Index order) {
  if (rank.lowest > 0) {
    return fmt::format("between {} and {} of {}", rank.lowest, rank.highest, order);
  }
  return rank.highest < order ? fmt::format("at most {} of {}", rank.highest, order) : "nothing is proved of it";
}

template <Scalar S>
bool wants_proof(const FactorizationReport& report) {
  if (report.num_perturbed_pivots > 0 || report.status == FactorizationStatus::not_positive_definite) {
    return false;
  }
  return report.status == FactorizationStatus::singular || may_hide_singularity<S>(report) ||
         report.pivot_growth >= 1 / std::sqrt(kEps<S>);
}

template <Scalar S>
std::optional<RankProof> prove_nonsingular(const ScaledSystem<S>& system, bool leaves_doubts, SystemReport& report) {
  const auto order = static_cast<Index>(system.order());
  const RankProof proof = proof_of<S>(look_at_rest(system), 0, {.order = order, .structural_rank = order});
  if (proof.status != RankVerdict::nonsingular &&
      !(leaves_doubts && find_hidden_vectors(system, kFreeVectorBytes, 1).test.num_proved == 0)) {
    return std::nullopt;
  }
  report.equilibrated_condition = estimate_scaled_condition<S>(system.matrix, system.row_scaling, system.col_scaling, system.solve);
  return proof;
}

RankProof presumed_rank(const FactorizationReport& factorization, Index order, Index structural_rank) {
  if (factorization.status == FactorizationStatus::not_positive_definite) {
    return {.highest = structural_rank};
  }
  if (factorization.status == FactorizationStatus::success && factorization.num_perturbed_pivots == 0) {
    return {.lowest = order, .highest = order};
  }
  return {.status = RankVerdict::in_doubt, .highest = structural_rank};
}

void presume_rank(SystemReport& report, Index order, Index structural_rank) {
  report.rank = presumed_rank(report.factorization, order, structural_rank);
}

template <Scalar S>
RankProof proof_of(const ProofEvidence& evidence, Index num_null_pivots, const ProofQuestion& question) {
  const Index structural_deficiency = question.order - question.structural_rank;
  const NullVectorTest& nulls = evidence.nulls;
  RankProof proof;
  proof.num_vectors = nulls.num_tested + evidence.hidden.num_tested;
  proof.is_sample = nulls.is_sample;
  proof.rest = distance_of_rest<S>(evidence);
  const bool all_proved = nulls.num_tested > 0 && nulls.num_proved == nulls.num_tested;
  const Index num_proved = (all_proved ? num_null_pivots : nulls.num_proved) + evidence.hidden.num_proved;
  proof.highest = question.order - std::max(num_proved, structural_deficiency);
  proof.lowest = proof.rest < 1 ? question.order - num_null_pivots : 0;
  if (proof.lowest != proof.highest) {
    proof.status = RankVerdict::in_doubt;
  } else if (num_null_pivots == 0) {
    proof.status = RankVerdict::nonsingular;
    proof.number = proof.rest;
  } else {
    proof.status = num_null_pivots == structural_deficiency ? RankVerdict::structural : RankVerdict::singular;
  }
  if (nulls.num_proved + evidence.hidden.num_proved > 0) {
    proof.number = std::max(nulls.worst_proved, evidence.hidden.worst_proved);
  }
  return proof;
}

template <Scalar S>
bool prove_rank(SystemReport& report, KeptFactors& kept, const ProofQuestion& question, const ProofPort<S>& port) {
  if (!port.has_factors() || !wants_proof<S>(report.factorization)) {
    presume_rank(report, question.order, question.structural_rank);
    return true;
  }
  const KeptFactors asked = kept;
  const ProofPort<S> keeping{.factorize =
                                 [&](const FactorizationWay& way) {
                                   kept = KeptFactors::all;
                                   port.factorize(way);
                                 },
                             .has_factors = [&] { return kept == KeptFactors::all && port.has_factors(); },
                             .examine = port.examine};
  search_proof(report, question, keeping);
  kept = asked;
  if (kept != KeptFactors::all) {
    report.factorization.factor_bytes = 0;
  }
  return kept == KeptFactors::all;
}

template <Scalar S>
void search_proof(SystemReport& report, const ProofQuestion& question, const ProofPort<S>& port) {
  ProofSearch<S>(report, question, port).run();
}

#define FROND_INSTANTIATE(S)                                                                        \
  template bool wants_proof<S>(const FactorizationReport&);                                         \
  template RankProof proof_of<S>(const ProofEvidence&, Index, const ProofQuestion&);                \
  template std::optional<RankProof> prove_nonsingular(const ScaledSystem<S>&, bool, SystemReport&); \
  template void search_proof(SystemReport&, const ProofQuestion&, const ProofPort<S>&);             \
  template bool prove_rank(SystemReport&, KeptFactors&, const ProofQuestion&, const ProofPort<S>&);
FROND_FOR_ALL_SCALARS(FROND_INSTANTIATE)
#undef FROND_INSTANTIATE

}  // namespace frond
