// SPDX-License-Identifier: BSD-3-Clause
// Compares offsets with those that a compiler gives the members of MUMPS's header, and with those measured for later versions.
#include "interfaces/mumps/structure.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>

#include "tests/interfaces/mumps/client.hpp"

namespace frond::mumps {
namespace {

template <Scalar S>
void expect_layout_of_header() {
  using Struct = typename testing::MumpsOf<S>::Struct;
  const Layout layout = layout_of(Version::v5_3, sizeof(RealOf<S>));
  EXPECT_EQ(layout.size, sizeof(Struct));
#define FROND_EXPECT_OFFSET(NAME) EXPECT_EQ(layout.offset(Member::NAME), offsetof(Struct, NAME)) << #NAME
  FROND_EXPECT_OFFSET(sym);
  FROND_EXPECT_OFFSET(par);
  FROND_EXPECT_OFFSET(job);
  FROND_EXPECT_OFFSET(comm_fortran);
  FROND_EXPECT_OFFSET(icntl);
  FROND_EXPECT_OFFSET(cntl);
  FROND_EXPECT_OFFSET(keep8);
  FROND_EXPECT_OFFSET(n);
  FROND_EXPECT_OFFSET(nz);
  FROND_EXPECT_OFFSET(nnz);
  FROND_EXPECT_OFFSET(irn);
  FROND_EXPECT_OFFSET(jcn);
  FROND_EXPECT_OFFSET(a);
  FROND_EXPECT_OFFSET(nz_loc);
  FROND_EXPECT_OFFSET(nnz_loc);
  FROND_EXPECT_OFFSET(irn_loc);
  FROND_EXPECT_OFFSET(jcn_loc);
  FROND_EXPECT_OFFSET(a_loc);
  FROND_EXPECT_OFFSET(nelt);
  FROND_EXPECT_OFFSET(eltptr);
  FROND_EXPECT_OFFSET(eltvar);
  FROND_EXPECT_OFFSET(a_elt);
  FROND_EXPECT_OFFSET(perm_in);
  FROND_EXPECT_OFFSET(sym_perm);
  FROND_EXPECT_OFFSET(colsca);
  FROND_EXPECT_OFFSET(rowsca);
  FROND_EXPECT_OFFSET(rhs);
  FROND_EXPECT_OFFSET(redrhs);
  FROND_EXPECT_OFFSET(rhs_sparse);
  FROND_EXPECT_OFFSET(sol_loc);
  FROND_EXPECT_OFFSET(rhs_loc);
  FROND_EXPECT_OFFSET(irhs_sparse);
  FROND_EXPECT_OFFSET(irhs_ptr);
  FROND_EXPECT_OFFSET(isol_loc);
  FROND_EXPECT_OFFSET(irhs_loc);
  FROND_EXPECT_OFFSET(nrhs);
  FROND_EXPECT_OFFSET(lrhs);
  FROND_EXPECT_OFFSET(lredrhs);
  FROND_EXPECT_OFFSET(nz_rhs);
  FROND_EXPECT_OFFSET(lsol_loc);
  FROND_EXPECT_OFFSET(nloc_rhs);
  FROND_EXPECT_OFFSET(lrhs_loc);
  FROND_EXPECT_OFFSET(schur_mloc);
  FROND_EXPECT_OFFSET(schur_nloc);
  FROND_EXPECT_OFFSET(schur_lld);
  FROND_EXPECT_OFFSET(mblock);
  FROND_EXPECT_OFFSET(nblock);
  FROND_EXPECT_OFFSET(nprow);
  FROND_EXPECT_OFFSET(npcol);
  FROND_EXPECT_OFFSET(info);
  FROND_EXPECT_OFFSET(infog);
  FROND_EXPECT_OFFSET(rinfo);
  FROND_EXPECT_OFFSET(rinfog);
  FROND_EXPECT_OFFSET(pivnul_list);
  FROND_EXPECT_OFFSET(size_schur);
  FROND_EXPECT_OFFSET(listvar_schur);
  FROND_EXPECT_OFFSET(schur);
  FROND_EXPECT_OFFSET(instance_number);
  FROND_EXPECT_OFFSET(version_number);
  FROND_EXPECT_OFFSET(ooc_tmpdir);
  FROND_EXPECT_OFFSET(ooc_prefix);
  FROND_EXPECT_OFFSET(write_problem);
  FROND_EXPECT_OFFSET(save_dir);
  FROND_EXPECT_OFFSET(save_prefix);
#undef FROND_EXPECT_OFFSET
}

TEST(MumpsLayout, IsThatOfTheHeader) {
  expect_layout_of_header<float>();
  expect_layout_of_header<double>();
  expect_layout_of_header<std::complex<float>>();
  expect_layout_of_header<std::complex<double>>();
}

// Offsets of later versions as compilers and bindings give them.
struct Measured {
  Version version;
  std::size_t size, rhs, info, infog, rinfog, pivnul_list, schur, ooc_tmpdir;
};

class MumpsLayoutOfLaterVersions : public ::testing::TestWithParam<Measured> {};

TEST_P(MumpsLayoutOfLaterVersions, IsTheMeasuredOne) {
  const Measured& measured = GetParam();
  const Layout layout = layout_of(measured.version, sizeof(double));
  EXPECT_EQ(layout.size, measured.size);
  EXPECT_EQ(layout.offset(Member::rhs), measured.rhs);
  EXPECT_EQ(layout.offset(Member::info), measured.info);
  EXPECT_EQ(layout.offset(Member::infog), measured.infog);
  EXPECT_EQ(layout.offset(Member::rinfog), measured.rinfog);
  EXPECT_EQ(layout.offset(Member::pivnul_list), measured.pivnul_list);
  EXPECT_EQ(layout.offset(Member::schur), measured.schur);
  EXPECT_EQ(layout.offset(Member::ooc_tmpdir), measured.ooc_tmpdir);
}

INSTANTIATE_TEST_SUITE_P(Versions, MumpsLayoutOfLaterVersions,
                         ::testing::Values(Measured{Version::v5_7, 10928, 5640, 5800, 6120, 6760, 7088, 7128, 7176},
                                           Measured{Version::v5_9, 10920, 5640, 5800, 6120, 6760, 7080, 7120, 7168}));

}  // namespace
}  // namespace frond::mumps
