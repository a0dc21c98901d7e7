// SPDX-License-Identifier: BSD-3-Clause
// What elimination leaves of a front: its columns of the factors.
#pragma once

#include "factorization/kernels/panel_layout.hpp"
#include "frond/types.hpp"

namespace frond {

/// What a pivot position of LDLT or LDLH holds.
enum class PivotKind : signed char {
  one_by_one,     ///< D_kk = d[2k]
  two_by_two,     ///< first of two: D = [d[2k], conj(d[2k+1]); d[2k+1], d[2k+2]] (conj for LDLH only)
  second_of_two,  ///< second of two
  null            ///< no usable pivot: its column of L is zero, its equation is left out (LU: too)
};

// How the fully summed columns lie in memory:
//
//   Cholesky                  LDLT, LDLH               LU (columns are rows of A)
//   ┌──┐                      ┌──────┐                 ┌──────┐  ┌───────────┐
//   │0 └──┐                   │ D L^T│                 │ N11 \│  │ N12,      │
//   │  │1 └──┐                │ \    │                 │\ M11 │  │ held      │
//   │  │  │2 │                │ L11 \│                 ├──────┤  │ transposed│
//   │  │  │  │                ├──────┤                 │ M21  │  └───────────┘
//   └──┴──┴──┘                │ L21  │                 └──────┘   (m-p) x p, `upper`
//   block columns without     └──────┘                  m x p, `lower`
//   the rows above them        m x p; D L^T is there while a panel is applied
//
// Columns that find no pivot end behind the eliminated ones, where the parent reads them.

/// The eliminated front of one node. With m = order, p = num_fully_summed, e = num_eliminated, the rows of the front are
///   positions 0 .. e-1    eliminated here, in pivot order,
///   positions e .. p-1    delayed: fully summed here, eliminated in an ancestor,
///   positions p .. m-1    cb_rows of the tree node, in their order.
///
/// Symmetric methods hold L in `lower` (m x p in `layout`, columns 0 .. e-1 meaningful):
///   Cholesky   A = L L^H, diagonal of L included;
///   LDLT/LDLH  A = L D L^T or L D L^H, L unit lower triangular (its diagonal is not stored: the places hold anything), D in `d`
///   and `pivots`.
///
/// LU works on B = A^T (columns of B = rows of A, so that the pivot test along a row of A runs along memory). B = M N with M unit
/// lower, N upper triangular; |m_ij| <= 1/u. That is A = N^T M^T.
///   M  strictly below the diagonal of `lower` (m x p, ordinary column-major), columns 0 .. e-1;
///   N  on and above the diagonal of `lower` in rows 0 .. e-1, columns 0 .. p-1, and for the columns p .. m-1
///      transposed in `upper`, (m-p) x p, column-major: N(k, p+i) = upper[i + k (m-p)], k < e.
/// Rows of B (columns of A) at positions 0 .. p-1 are the variables col_variables[], columns of B (rows of A) are row_variables[].
/// For the symmetric methods both spans are the same.
///
/// Memory belongs to the Factors object.
template <Scalar S>
struct FrontFactor {
  Index order = 0;
  Index num_fully_summed = 0;
  Index num_eliminated = 0;
  Index num_schur_rows = 0;  ///< the last rows, of the Schur complement's variables: pivots are not tested against them
  PanelLayout layout;
  S* lower = nullptr;
  S* upper = nullptr;              ///< LU only
  S* d = nullptr;                  ///< LDLT and LDLH only, length 2 p
  PivotKind* pivots = nullptr;     ///< LDLT, LDLH and LU only, length p
  Index* row_variables = nullptr;  ///< length p, new variable numbers
  Index* col_variables = nullptr;  ///< length p, new variable numbers

  [[nodiscard]] Index num_delayed() const { return num_fully_summed - num_eliminated; }
  [[nodiscard]] Index cb_order() const { return order - num_fully_summed; }
};

}  // namespace frond
