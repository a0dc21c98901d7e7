// SPDX-License-Identifier: BSD-3-Clause
// Everything an embedding program includes: sparse matrices, files, and the solver. With Eigen, also include "solver/eigen.hpp".
#pragma once

#include "matrices/assemble_elements.hpp"
#include "matrices/build.hpp"
#include "matrices/error.hpp"
#include "matrices/read.hpp"
#include "matrices/sparse_matrix.hpp"
#include "matrices/write.hpp"
#include "solver/factorization.hpp"
#include "solver/options.hpp"
#include "solver/report.hpp"
#include "solver/solve_once.hpp"
#include "solver/system_matrix.hpp"
