! SPDX-License-Identifier: BSD-3-Clause
! The module of Fortran: every kind of numbers and indices, answers, and what is refused.
program fortran_test
  use frond
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64, error_unit
  implicit none
  integer :: failures = 0

  ! [4 1; 2 3] x = [6 8] has the solution [1 2], and its transpose [1/5 13/5].
  integer(int32), parameter :: offsets(3) = [1, 3, 5], rows(4) = [1, 2, 1, 2], cols(4) = [1, 1, 2, 2]

  call solve_doubles()
  call solve_other_kinds()
  call answer()
  call refuse()
  if (failures > 0) error stop 1

contains

  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (holds) return
    write (error_unit, '(2a)') "failed: ", what
    failures = failures + 1
  end subroutine

  subroutine solve_doubles()
    type(frond_solver) :: solver
    real(real64) :: values(4) = [4, 2, 1, 3], by_rows(4) = [4, 1, 2, 3], b(2) = [6, 8], x(2), tables(2, 2), solutions(2, 2)
    integer :: status
    call solver%create(frond_double)
    call solver%set("threads", "1")
    call solver%set_columns(frond_general, offsets, rows, values)
    call solver%solve(b, x)
    call expect(maxval(abs(x - [1, 2])) < 1d-14, "columns")
    call solver%solve(b, x, operation=frond_transposed)
    call expect(maxval(abs(x - [0.2d0, 2.6d0])) < 1d-14, "transposed")
    call solver%set_columns(frond_general, int(offsets, int64), int(rows, int64), values)
    call solver%solve(b, x)
    call expect(maxval(abs(x - [1, 2])) < 1d-14, "columns, 64 bits")
    call solver%set_rows(frond_general, offsets, rows, by_rows)
    call solver%solve(b, x)
    call expect(maxval(abs(x - [1, 2])) < 1d-14, "rows")
    call solver%set_rows(frond_general, int(offsets, int64), int(rows, int64), by_rows)
    call solver%solve(b, x)
    call expect(maxval(abs(x - [1, 2])) < 1d-14, "rows, 64 bits")
    call solver%set_triplets(2_int64, frond_general, int(rows, int64), int(cols, int64), values)
    call solver%solve(b, x)
    call expect(maxval(abs(x - [1, 2])) < 1d-14, "triplets, 64 bits")
    call solver%set_triplets(2_int32, frond_general, rows, cols)
    call solver%analyze()
    call solver%solve(b, x, status)
    call expect(status == frond_usage_error, "without values")
    call solver%set_values(values)
    tables = reshape([6d0, 8d0, 12d0, 16d0], [2, 2])
    call solver%solve(tables, solutions, status)
    call expect(status == frond_success .and. maxval(abs(solutions - reshape([1, 2, 2, 4], [2, 2]))) < 1d-13, "two sides")
  end subroutine

  subroutine solve_other_kinds()
    type(frond_solver) :: solver
    real(real32) :: single(4) = [4, 2, 1, 3], bs(2) = [6, 8], xs(2)
    complex(real32) :: complex_single(4) = [4, 2, 1, 3], bc(2) = [6, 8], xc(2)
    complex(real64) :: complex_double(4) = [4, 2, 1, 3], bz(2) = [6, 8], xz(2)
    call solver%create(frond_float)
    call solver%set_columns(frond_general, offsets, rows, single)
    call solver%solve(bs, xs)
    call expect(maxval(abs(xs - [1, 2])) < 1e-5, "single")
    call solver%create(frond_complex_float)
    call solver%set_columns(frond_general, offsets, rows, complex_single)
    call solver%solve(bc, xc)
    call expect(maxval(abs(xc - [1, 2])) < 1e-5, "complex single")
    call solver%create(frond_complex_double)
    call solver%set_columns(frond_general, offsets, rows, complex_double * (0d0, 1d0))
    call solver%solve(bz, xz)
    call expect(maxval(abs(xz * (0d0, 1d0) - [1, 2])) < 1d-14, "complex double")
  end subroutine

  subroutine answer()
    type(frond_solver) :: solver
    real(real64) :: values(4) = [4, 2, 1, 3], diagonal(2), s(1, 1), determinant
    integer(int64) :: order
    character(len=:), allocatable :: method
    call solver%create(frond_double)
    call solver%set_columns(frond_general, offsets, rows, values)
    call solver%factorize()
    call solver%integer_figure("n", order)
    call solver%real_figure("determinant_real", determinant)
    call solver%text_figure("method", method)
    call expect(order == 2 .and. abs(determinant - 0.625d0) < 1d-15 .and. method == "lu", "figures")
    call solver%inverse_diagonal(diagonal, refined=.true.)
    call expect(maxval(abs(diagonal - [0.3d0, 0.4d0])) < 1d-15, "inverse")
    call solver%set_schur_variables([2_int32])
    call solver%schur_complement(s)
    call expect(abs(s(1, 1) - 2.5d0) < 1d-15, "Schur complement")
  end subroutine

  subroutine refuse()
    type(frond_solver) :: solver
    real(real32) :: single(4) = 1
    integer :: status
    call solver%create(frond_double)
    call solver%set("pivot-treshold", "0.1", status)
    call expect(status == frond_usage_error .and. index(solver%message(), "pivot-threshold") > 0, "an option that does not exist")
    call solver%set_columns(frond_general, offsets, rows, single, status)
    call expect(status == frond_usage_error .and. index(solver%message(), "kind") > 0, "numbers of another kind")
    call solver%factorize(status)
    call expect(status == frond_usage_error .and. index(solver%message(), "no matrix") > 0, "no matrix")
    call solver%set("threads", "1", status)
    call expect(status == frond_success .and. solver%message() == "", "a message that goes")
  end subroutine

end program fortran_test
