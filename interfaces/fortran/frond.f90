! SPDX-License-Identifier: BSD-3-Clause
!
! Frond in Fortran, over the interface of C: A x = b for large sparse A.
!
!   use frond
!   type(frond_solver) :: solver
!   integer :: status
!   call solver%create(frond_double)
!   call solver%set_columns(frond_general, offsets, rows, values)       ! 1-based, of 32 or 64 bits
!   call solver%solve(b, x, status)
!   if (status /= frond_success) print *, solver%message()
!
! Numbers are those of create(): real(real32), real(real64), and complex numbers of both. Indices count from 1, those that come
! back, too. Arrays may be sections, which are copied where their elements do not follow one another, and their sizes are checked. A
! call whose status is not asked for stops the program, with the message, where it comes to an error or the matrix is not what it
! should be: singular, not positive definite, or in doubt. If only the accuracy is missed, it writes the message and goes on. A
! solver gives its memory back when it goes out of scope, or by destroy(); it cannot be assigned. Several threads may use one solver.
! frond.h says more of each call.
!
! Compile this file, which includes those beside it: frond_core.inc has what does not depend on the kind of numbers, and
! frond_numbers.inc what does. Each of the modules below adds one kind to the calls of the one before.
include 'frond_core.inc'

module frond_of_floats
  use frond_core
  use, intrinsic :: iso_c_binding, only: c_int, c_loc
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit real(real32) (a-z)
  private
  integer, parameter :: scalar = frond_float

  type, extends(any_solver), public :: frond_solver
  contains
    procedure, private :: set_columns_s => set_columns, set_columns_64_s => set_columns_64, set_rows_s => set_rows, &
      set_rows_64_s => set_rows_64, set_triplets_s => set_triplets, set_triplets_64_s => set_triplets_64, &
      set_values_s => set_values, solve_s => solve, solve_in_place_s => solve_in_place, &
      solve_rows_s => solve_rows, solve_sparse_s => solve_sparse, &
      solve_sparse_64_s => solve_sparse_64, solve_once_s => solve_once, solve_batch_s => solve_batch, &
      solve_part_s => solve_part, inverse_diagonal_s => inverse_diagonal, inverse_entries_s => inverse_entries, &
      inverse_entries_64_s => inverse_entries_64, null_space_s => null_space, schur_complement_s => schur_complement, &
      condense_s => condense, expand_s => expand
    generic, public :: set_columns => set_columns_s, set_columns_64_s
    generic, public :: set_rows => set_rows_s, set_rows_64_s
    generic, public :: set_triplets => set_triplets_s, set_triplets_64_s
    generic, public :: set_values => set_values_s
    generic, public :: solve => solve_s
    generic, public :: solve_in_place => solve_in_place_s
    generic, public :: solve_rows => solve_rows_s
    generic, public :: solve_sparse => solve_sparse_s, solve_sparse_64_s
    generic, public :: solve_once => solve_once_s
    generic, public :: solve_batch => solve_batch_s
    generic, public :: solve_part => solve_part_s
    generic, public :: inverse_diagonal => inverse_diagonal_s
    generic, public :: inverse_entries => inverse_entries_s, inverse_entries_64_s
    generic, public :: null_space => null_space_s
    generic, public :: schur_complement => schur_complement_s
    generic, public :: condense => condense_s
    generic, public :: expand => expand_s
  end type frond_solver

contains
  include 'frond_numbers.inc'
end module frond_of_floats

module frond_of_doubles
  use frond_core
  use frond_of_floats, only: solver_of_floats => frond_solver
  use, intrinsic :: iso_c_binding, only: c_int, c_loc
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit real(real64) (a-z)
  private
  integer, parameter :: scalar = frond_double

  type, extends(solver_of_floats), public :: frond_solver
  contains
    procedure, private :: set_columns_d => set_columns, set_columns_64_d => set_columns_64, set_rows_d => set_rows, &
      set_rows_64_d => set_rows_64, set_triplets_d => set_triplets, set_triplets_64_d => set_triplets_64, &
      set_values_d => set_values, solve_d => solve, solve_in_place_d => solve_in_place, &
      solve_rows_d => solve_rows, solve_sparse_d => solve_sparse, &
      solve_sparse_64_d => solve_sparse_64, solve_once_d => solve_once, solve_batch_d => solve_batch, &
      solve_part_d => solve_part, inverse_diagonal_d => inverse_diagonal, inverse_entries_d => inverse_entries, &
      inverse_entries_64_d => inverse_entries_64, null_space_d => null_space, schur_complement_d => schur_complement, &
      condense_d => condense, expand_d => expand
    generic, public :: set_columns => set_columns_d, set_columns_64_d
    generic, public :: set_rows => set_rows_d, set_rows_64_d
    generic, public :: set_triplets => set_triplets_d, set_triplets_64_d
    generic, public :: set_values => set_values_d
    generic, public :: solve => solve_d
    generic, public :: solve_in_place => solve_in_place_d
    generic, public :: solve_rows => solve_rows_d
    generic, public :: solve_sparse => solve_sparse_d, solve_sparse_64_d
    generic, public :: solve_once => solve_once_d
    generic, public :: solve_batch => solve_batch_d
    generic, public :: solve_part => solve_part_d
    generic, public :: inverse_diagonal => inverse_diagonal_d
    generic, public :: inverse_entries => inverse_entries_d, inverse_entries_64_d
    generic, public :: null_space => null_space_d
    generic, public :: schur_complement => schur_complement_d
    generic, public :: condense => condense_d
    generic, public :: expand => expand_d
  end type frond_solver

contains
  include 'frond_numbers.inc'
end module frond_of_doubles

module frond_of_complex_floats
  use frond_core
  use frond_of_doubles, only: solver_of_doubles => frond_solver
  use, intrinsic :: iso_c_binding, only: c_int, c_loc
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit complex(real32) (a-z)
  private
  integer, parameter :: scalar = frond_complex_float

  type, extends(solver_of_doubles), public :: frond_solver
  contains
    procedure, private :: set_columns_c => set_columns, set_columns_64_c => set_columns_64, set_rows_c => set_rows, &
      set_rows_64_c => set_rows_64, set_triplets_c => set_triplets, set_triplets_64_c => set_triplets_64, &
      set_values_c => set_values, solve_c => solve, solve_in_place_c => solve_in_place, &
      solve_rows_c => solve_rows, solve_sparse_c => solve_sparse, &
      solve_sparse_64_c => solve_sparse_64, solve_once_c => solve_once, solve_batch_c => solve_batch, &
      solve_part_c => solve_part, inverse_diagonal_c => inverse_diagonal, inverse_entries_c => inverse_entries, &
      inverse_entries_64_c => inverse_entries_64, null_space_c => null_space, schur_complement_c => schur_complement, &
      condense_c => condense, expand_c => expand
    generic, public :: set_columns => set_columns_c, set_columns_64_c
    generic, public :: set_rows => set_rows_c, set_rows_64_c
    generic, public :: set_triplets => set_triplets_c, set_triplets_64_c
    generic, public :: set_values => set_values_c
    generic, public :: solve => solve_c
    generic, public :: solve_in_place => solve_in_place_c
    generic, public :: solve_rows => solve_rows_c
    generic, public :: solve_sparse => solve_sparse_c, solve_sparse_64_c
    generic, public :: solve_once => solve_once_c
    generic, public :: solve_batch => solve_batch_c
    generic, public :: solve_part => solve_part_c
    generic, public :: inverse_diagonal => inverse_diagonal_c
    generic, public :: inverse_entries => inverse_entries_c, inverse_entries_64_c
    generic, public :: null_space => null_space_c
    generic, public :: schur_complement => schur_complement_c
    generic, public :: condense => condense_c
    generic, public :: expand => expand_c
  end type frond_solver

contains
  include 'frond_numbers.inc'
end module frond_of_complex_floats

module frond_of_complex_doubles
  use frond_core
  use frond_of_complex_floats, only: solver_of_complex_floats => frond_solver
  use, intrinsic :: iso_c_binding, only: c_int, c_loc
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  implicit complex(real64) (a-z)
  private
  integer, parameter :: scalar = frond_complex_double

  type, extends(solver_of_complex_floats), public :: frond_solver
  contains
    procedure, private :: set_columns_z => set_columns, set_columns_64_z => set_columns_64, set_rows_z => set_rows, &
      set_rows_64_z => set_rows_64, set_triplets_z => set_triplets, set_triplets_64_z => set_triplets_64, &
      set_values_z => set_values, solve_z => solve, solve_in_place_z => solve_in_place, &
      solve_rows_z => solve_rows, solve_sparse_z => solve_sparse, &
      solve_sparse_64_z => solve_sparse_64, solve_once_z => solve_once, solve_batch_z => solve_batch, &
      solve_part_z => solve_part, inverse_diagonal_z => inverse_diagonal, inverse_entries_z => inverse_entries, &
      inverse_entries_64_z => inverse_entries_64, null_space_z => null_space, schur_complement_z => schur_complement, &
      condense_z => condense, expand_z => expand
    generic, public :: set_columns => set_columns_z, set_columns_64_z
    generic, public :: set_rows => set_rows_z, set_rows_64_z
    generic, public :: set_triplets => set_triplets_z, set_triplets_64_z
    generic, public :: set_values => set_values_z
    generic, public :: solve => solve_z
    generic, public :: solve_in_place => solve_in_place_z
    generic, public :: solve_rows => solve_rows_z
    generic, public :: solve_sparse => solve_sparse_z, solve_sparse_64_z
    generic, public :: solve_once => solve_once_z
    generic, public :: solve_batch => solve_batch_z
    generic, public :: solve_part => solve_part_z
    generic, public :: inverse_diagonal => inverse_diagonal_z
    generic, public :: inverse_entries => inverse_entries_z, inverse_entries_64_z
    generic, public :: null_space => null_space_z
    generic, public :: schur_complement => schur_complement_z
    generic, public :: condense => condense_z
    generic, public :: expand => expand_z
  end type frond_solver

contains
  include 'frond_numbers.inc'
end module frond_of_complex_doubles

! What programs use.
module frond
  use frond_core, only: frond_success, frond_accuracy_missed, frond_singular, frond_not_positive_definite, frond_rank_in_doubt, &
    frond_usage_error, frond_input_error, frond_output_error, frond_memory_error, frond_stopped, frond_communication_error, &
    frond_internal_error, frond_float, frond_double, frond_complex_float, frond_complex_double, frond_general, frond_symmetric, &
    frond_skew_symmetric, frond_hermitian, frond_plain, frond_transposed, frond_adjoint, frond_lower, frond_diagonal, frond_upper, &
    frond_progress, frond_stop, frond_version, frond_status_name, frond_option_name, frond_option_values, frond_option_meaning, &
    frond_figure_name, frond_figure_type, frond_figure_meaning
  use frond_of_complex_doubles, only: frond_solver
end module frond
