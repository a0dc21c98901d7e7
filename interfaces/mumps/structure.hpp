// SPDX-License-Identifier: BSD-3-Clause
// The structure through which programs call MUMPS, as their compilers laid it out: an ordered list of members, from which offsets
// follow by the rules of the x86-64 ABI, and access by name. Names, types and order are those that the users' guide documents;
// tests compare the offsets with those of Debian's header.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "frond/types.hpp"

namespace frond::mumps {

/// The members that are read or written here; the others only take room.
enum class Member {
  sym,
  par,
  job,
  comm_fortran,
  icntl,
  cntl,
  keep8,
  n,
  nz,
  nnz,
  irn,
  jcn,
  a,
  nz_loc,
  nnz_loc,
  irn_loc,
  jcn_loc,
  a_loc,
  nelt,
  eltptr,
  eltvar,
  a_elt,
  perm_in,
  sym_perm,
  colsca,
  rowsca,
  rhs,
  redrhs,
  rhs_sparse,
  sol_loc,
  rhs_loc,
  irhs_sparse,
  irhs_ptr,
  isol_loc,
  irhs_loc,
  nrhs,
  lrhs,
  lredrhs,
  nz_rhs,
  lsol_loc,
  nloc_rhs,
  lrhs_loc,
  mapping,
  schur_mloc,
  schur_nloc,
  schur_lld,
  mblock,
  nblock,
  nprow,
  npcol,
  info,
  infog,
  rinfo,
  rinfog,
  pivnul_list,
  size_schur,
  listvar_schur,
  schur,
  instance_number,
  version_number,
  ooc_tmpdir,
  ooc_prefix,
  write_problem,
  save_dir,
  save_prefix,
  other
};

/// Versions whose structures differ, by the first of them.
enum class Version { v5_3, v5_7, v5_9 };

/// What a member is; a real has the precision of the structure's numbers.
enum class Kind { integer, wide, real, pointer, text };

struct MemberRow {
  Member member;
  Kind kind;
  std::size_t count = 1;
  Version first = Version::v5_3;
  Version last = Version::v5_9;
};

/// In their order.
inline constexpr std::array kMembers = {
    MemberRow{Member::sym, Kind::integer},
    MemberRow{Member::par, Kind::integer},
    MemberRow{Member::job, Kind::integer},
    MemberRow{Member::comm_fortran, Kind::integer},
    MemberRow{Member::icntl, Kind::integer, 60},
    MemberRow{Member::other, Kind::integer, 500},  // KEEP
    MemberRow{Member::cntl, Kind::real, 15},
    MemberRow{Member::other, Kind::real, 230},  // DKEEP
    MemberRow{Member::keep8, Kind::wide, 150},
    MemberRow{Member::n, Kind::integer},
    MemberRow{Member::other, Kind::integer, 2},  // NBLK, NZ_ALLOC
    MemberRow{Member::nz, Kind::integer},
    MemberRow{Member::nnz, Kind::wide},
    MemberRow{Member::irn, Kind::pointer},
    MemberRow{Member::jcn, Kind::pointer},
    MemberRow{Member::a, Kind::pointer},
    MemberRow{Member::nz_loc, Kind::integer},
    MemberRow{Member::nnz_loc, Kind::wide},
    MemberRow{Member::irn_loc, Kind::pointer},
    MemberRow{Member::jcn_loc, Kind::pointer},
    MemberRow{Member::a_loc, Kind::pointer},
    MemberRow{Member::nelt, Kind::integer},
    MemberRow{Member::eltptr, Kind::pointer},
    MemberRow{Member::eltvar, Kind::pointer},
    MemberRow{Member::a_elt, Kind::pointer},
    MemberRow{Member::other, Kind::pointer, 2},  // BLKPTR, BLKVAR
    MemberRow{Member::perm_in, Kind::pointer},
    MemberRow{Member::sym_perm, Kind::pointer},
    MemberRow{Member::other, Kind::pointer},  // UNS_PERM
    MemberRow{Member::colsca, Kind::pointer},
    MemberRow{Member::rowsca, Kind::pointer},
    MemberRow{Member::other, Kind::integer, 2},                 // who made COLSCA and ROWSCA
    MemberRow{Member::other, Kind::pointer, 5, Version::v5_7},  // COLSCA_LOC, ROWSCA_LOC, ROWIND, COLIND, PIVOTS
    MemberRow{Member::rhs, Kind::pointer},
    MemberRow{Member::redrhs, Kind::pointer},
    MemberRow{Member::rhs_sparse, Kind::pointer},
    MemberRow{Member::sol_loc, Kind::pointer},
    MemberRow{Member::rhs_loc, Kind::pointer},
    MemberRow{Member::other, Kind::pointer, 1, Version::v5_7},  // RHSINTR
    MemberRow{Member::irhs_sparse, Kind::pointer},
    MemberRow{Member::irhs_ptr, Kind::pointer},
    MemberRow{Member::isol_loc, Kind::pointer},
    MemberRow{Member::irhs_loc, Kind::pointer},
    MemberRow{Member::other, Kind::pointer, 2, Version::v5_7},  // GLOB2LOC_RHS, GLOB2LOC_SOL
    MemberRow{Member::nrhs, Kind::integer},
    MemberRow{Member::lrhs, Kind::integer},
    MemberRow{Member::lredrhs, Kind::integer},
    MemberRow{Member::nz_rhs, Kind::integer},
    MemberRow{Member::lsol_loc, Kind::integer},
    MemberRow{Member::nloc_rhs, Kind::integer},
    MemberRow{Member::lrhs_loc, Kind::integer},
    MemberRow{Member::other, Kind::integer, 1, Version::v5_7},  // NSOL_LOC
    MemberRow{Member::schur_mloc, Kind::integer},
    MemberRow{Member::schur_nloc, Kind::integer},
    MemberRow{Member::schur_lld, Kind::integer},
    MemberRow{Member::mblock, Kind::integer},
    MemberRow{Member::nblock, Kind::integer},
    MemberRow{Member::nprow, Kind::integer},
    MemberRow{Member::npcol, Kind::integer},
    MemberRow{Member::other, Kind::integer, 1, Version::v5_7},  // LD_RHSINTR
    MemberRow{Member::info, Kind::integer, 80},
    MemberRow{Member::infog, Kind::integer, 80},
    MemberRow{Member::rinfo, Kind::real, 40},
    MemberRow{Member::rinfog, Kind::real, 40},
    MemberRow{Member::other, Kind::integer, 1, Version::v5_3, Version::v5_7},  // DEFICIENCY
    MemberRow{Member::pivnul_list, Kind::pointer},
    MemberRow{Member::mapping, Kind::pointer},
    MemberRow{Member::other, Kind::pointer, 1, Version::v5_7},  // SINGULAR_VALUES
    MemberRow{Member::other, Kind::integer, 1, Version::v5_9},  // NB_SINGULAR_VALUES
    MemberRow{Member::size_schur, Kind::integer},
    MemberRow{Member::listvar_schur, Kind::pointer},
    MemberRow{Member::schur, Kind::pointer},
    MemberRow{Member::instance_number, Kind::integer, 1, Version::v5_3, Version::v5_3},
    MemberRow{Member::other, Kind::pointer},  // WK_USER
    MemberRow{Member::version_number, Kind::text, 32},
    MemberRow{Member::ooc_tmpdir, Kind::text, 256, Version::v5_3, Version::v5_3},
    MemberRow{Member::ooc_tmpdir, Kind::text, 1024, Version::v5_7},
    MemberRow{Member::ooc_prefix, Kind::text, 64, Version::v5_3, Version::v5_3},
    MemberRow{Member::ooc_prefix, Kind::text, 256, Version::v5_7},
    MemberRow{Member::write_problem, Kind::text, 256, Version::v5_3, Version::v5_3},
    MemberRow{Member::write_problem, Kind::text, 1024, Version::v5_7},
    MemberRow{Member::other, Kind::integer},  // LWK_USER
    MemberRow{Member::save_dir, Kind::text, 256, Version::v5_3, Version::v5_3},
    MemberRow{Member::save_dir, Kind::text, 1024, Version::v5_7},
    MemberRow{Member::save_prefix, Kind::text, 256},
    MemberRow{Member::other, Kind::integer, 40},  // METIS_OPTIONS
    MemberRow{Member::instance_number, Kind::integer, 1, Version::v5_7},
};

/// Where members lie and how long they are, in bytes.
struct Layout {
  std::array<std::size_t, static_cast<std::size_t>(Member::other)> offsets{};
  std::array<std::size_t, static_cast<std::size_t>(Member::other)> lengths{};
  std::size_t size = 0;

  [[nodiscard]] constexpr std::size_t offset(Member member) const { return offsets[static_cast<std::size_t>(member)]; }
  [[nodiscard]] constexpr std::size_t length(Member member) const { return lengths[static_cast<std::size_t>(member)]; }
};

/// The layout of a structure whose reals take `real_bytes`.
constexpr Layout layout_of(Version version, std::size_t real_bytes) {
  Layout layout;
  constexpr std::size_t kAlignment = 8;
  for (const MemberRow& row : kMembers) {
    if (version < row.first || version > row.last) {
      continue;
    }
    const std::size_t bytes = row.kind == Kind::text      ? 1
                              : row.kind == Kind::integer ? sizeof(int)
                              : row.kind == Kind::real    ? real_bytes
                                                          : kAlignment;
    layout.size = (layout.size + bytes - 1) / bytes * bytes;
    if (row.member != Member::other) {
      layout.offsets[static_cast<std::size_t>(row.member)] = layout.size;
      layout.lengths[static_cast<std::size_t>(row.member)] = bytes * row.count;
    }
    layout.size += bytes * row.count;
  }
  layout.size = (layout.size + kAlignment - 1) / kAlignment * kAlignment;
  return layout;
}

/// Access to a caller's structure. Controls and results are counted from 1, as in the guide.
template <Scalar S>
class Structure {
 public:
  using R = RealOf<S>;

  Structure(void* data, const Layout& layout) : data_(static_cast<std::byte*>(data)), layout_(&layout) {}

  [[nodiscard]] int& integer(Member member) const { return at<int>(member); }
  [[nodiscard]] std::int64_t& wide(Member member) const { return at<std::int64_t>(member); }
  [[nodiscard]] int& icntl(int number) const { return (&at<int>(Member::icntl))[number - 1]; }
  [[nodiscard]] R& cntl(int number) const { return (&at<R>(Member::cntl))[number - 1]; }
  [[nodiscard]] int& info(int number) const { return (&at<int>(Member::info))[number - 1]; }
  [[nodiscard]] int& infog(int number) const { return (&at<int>(Member::infog))[number - 1]; }
  [[nodiscard]] R& rinfo(int number) const { return (&at<R>(Member::rinfo))[number - 1]; }
  [[nodiscard]] R& rinfog(int number) const { return (&at<R>(Member::rinfog))[number - 1]; }
  template <class T>
  [[nodiscard]] T*& pointer(Member member) const {
    return at<T*>(member);
  }

  /// Sets INFO and INFOG, which are the same in one process.
  void set_info(int number, int value) const { info(number) = infog(number) = value; }
  void set_text(Member member, std::string_view text) const {
    std::memcpy(&at<char>(member), text.data(), text.size());
    (&at<char>(member))[text.size()] = '\0';
  }
  [[nodiscard]] std::span<std::byte> bytes() const { return {data_, layout_->size}; }
  [[nodiscard]] std::span<std::byte> bytes(Member member) const {
    return bytes().subspan(layout_->offset(member), layout_->length(member));
  }
  [[nodiscard]] const Layout& layout() const { return *layout_; }
  /// All bytes but those of the four members that a caller sets before the first call.
  void clear() const {
    const std::size_t begin = layout_->offset(Member::icntl);
    std::memset(data_ + begin, 0, layout_->size - begin);
  }

 private:
  template <class T>
  [[nodiscard]] T& at(Member member) const {
    return *reinterpret_cast<T*>(data_ + layout_->offset(member));
  }

  std::byte* data_;
  const Layout* layout_;
};

}  // namespace frond::mumps
