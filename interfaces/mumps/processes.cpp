// SPDX-License-Identifier: BSD-3-Clause
// Lists which members count on the first process only, and which go back to the caller.
#include "interfaces/mumps/processes.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace frond::mumps {
namespace {

constexpr std::array kOfFirst = {Member::sym,     Member::job,        Member::icntl,         Member::cntl,     Member::n,
                                 Member::nz,      Member::nnz,        Member::nelt,          Member::nrhs,     Member::lrhs,
                                 Member::lredrhs, Member::nz_rhs,     Member::mblock,        Member::nblock,   Member::nprow,
                                 Member::npcol,   Member::size_schur, Member::write_problem, Member::save_dir, Member::save_prefix};
constexpr std::array kResults = {Member::info,       Member::infog,       Member::rinfo,   Member::rinfog,
                                 Member::sym_perm,   Member::pivnul_list, Member::mapping, Member::schur_mloc,
                                 Member::schur_nloc, Member::nprow,       Member::npcol};

template <Scalar S>
void copy(const Structure<S>& from, Member member, const Structure<S>& to) {
  const std::span<std::byte> bytes = from.bytes(member);
  std::copy(bytes.begin(), bytes.end(), to.bytes(member).begin());
}

}  // namespace

template <Scalar S>
SharedStructure<S>::SharedStructure(const Structure<S>& of_caller, const Team& team)
    : of_caller_(of_caller), bytes_(of_caller.bytes().begin(), of_caller.bytes().end()) {
  std::vector<std::byte> of_first(bytes_);
  team.share(of_first);
  const Structure<S> first(of_first.data(), of_caller.layout());
  for (const Member member : kOfFirst) {
    copy(first, member, structure());
  }
}

// The first error counts, before its consequences elsewhere; a warning is for its own process alone.
template <Scalar S>
void SharedStructure<S>::give_results(const Team& team) {
  const Structure<S> own = structure();
  const std::vector<Count> codes = team.of_all(own.info(1));
  const std::vector<Count> details = team.of_all(own.info(2));
  const auto is_error = [](Count code) { return code < 0 && code != static_cast<int>(Code::elsewhere); };
  const auto failed = std::find_if(codes.begin(), codes.end(), is_error);
  const bool is_own = failed == codes.end();
  own.infog(1) = is_own ? own.info(1) : static_cast<int>(*failed);
  own.infog(2) = is_own ? own.info(2) : static_cast<int>(details[static_cast<std::size_t>(failed - codes.begin())]);
  for (const Member member : kResults) {
    copy(own, member, of_caller_);
  }
}

FROND_INSTANTIATE_CLASS(SharedStructure)

}  // namespace frond::mumps
