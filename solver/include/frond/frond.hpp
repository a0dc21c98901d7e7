// SPDX-License-Identifier: BSD-3-Clause
// Everything that a program includes to solve linear systems. With matrices of Eigen also <frond/eigen.hpp>, and in several
// processes <frond/mpi.hpp>.
#pragma once

#include <frond/analysis.hpp>
#include <frond/answers.hpp>
#include <frond/batch.hpp>
#include <frond/dense.hpp>
#include <frond/error.hpp>
#include <frond/factorization.hpp>
#include <frond/files.hpp>
#include <frond/matrix.hpp>
#include <frond/options.hpp>
#include <frond/report.hpp>
#include <frond/solve.hpp>
#include <frond/types.hpp>
