! SPDX-License-Identifier: BSD-3-Clause
! Calls that do not depend on the kind of numbers: options, figures, callbacks, lives of solvers, and what is refused.
module callbacks
  use, intrinsic :: iso_c_binding
  implicit none
  type :: course
    integer :: num_calls = 0
    real(c_double) :: last = -1
    logical :: is_rising = .true.
  end type course
contains
  subroutine note_progress(fraction, context) bind(c)
    real(c_double), value :: fraction
    type(c_ptr), value :: context
    type(course), pointer :: noted
    call c_f_pointer(context, noted)
    noted%num_calls = noted%num_calls + 1
    noted%is_rising = noted%is_rising .and. fraction >= noted%last .and. fraction <= 1
    noted%last = fraction
  end subroutine

  integer(c_int) function says_stop(context) bind(c)
    type(c_ptr), value :: context
    integer(c_int), pointer :: answer
    call c_f_pointer(context, answer)
    says_stop = answer
  end function

  integer(c_int) function always_stops(context) bind(c)
    type(c_ptr), value :: context
    always_stops = merge(2, 1, c_associated(context))
  end function
end module callbacks

program fortran_test
  use checks
  use callbacks
  use frond
  use, intrinsic :: iso_c_binding, only: c_int, c_loc
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  implicit none

  ! [4 1; 2 3] x = [6 8] has the solution [1 2], and its transpose [1/5 13/5].
  integer(int32), parameter :: offsets(3) = [1, 3, 5], rows(4) = [1, 2, 1, 2]
  real(real64), parameter :: values(4) = [4, 2, 1, 3], b(2) = [6, 8]

  call solve()
  call ask_figures()
  call count_eigenvalues()
  call set_options()
  call list_names()
  call watch_progress()
  call stop_calls()
  call go_on_from_checkpoint()
  call share_among_threads()
  call end_lives()
  call refuse()
  call finish()

contains

  ! tridiag(-1, 2 - shift, -1), whose lower triangle is set.
  subroutine set_chain(solver, n, shift)
    type(frond_solver), intent(inout) :: solver
    integer(int32), intent(in) :: n
    real(real64), intent(in) :: shift
    integer(int32) :: k
    call solver%set_triplets(n, frond_symmetric, [(k, k = 1, n), (k + 1, k = 1, n - 1)], [(k, k = 1, n), (k, k = 1, n - 1)], &
                             [(2 - shift, k = 1, n), (-1.0_real64, k = 1, n - 1)])
  end subroutine

  ! Numbers that can be worked out by hand.
  subroutine solve()
    type(frond_solver) :: solver
    real(real64) :: x(2), tables(2, 2), solutions(2, 2)
    integer :: status
    call solver%create(frond_double)
    call solver%set_columns(frond_general, offsets, rows, values)
    call solver%solve(b, x)
    call expect(maxval(abs(x - [1, 2])) < 1d-14, "a vector")
    call solver%solve(b, x, operation=frond_transposed)
    call expect(maxval(abs(x - [0.2d0, 2.6d0])) < 1d-14, "transposed")
    tables = reshape([6d0, 8d0, 12d0, 16d0], [2, 2])
    call solver%solve(tables, solutions, status)
    call expect(status == frond_success .and. maxval(abs(solutions - reshape([1, 2, 2, 4], [2, 2]))) < 1d-13, "two sides")
    call solver%set_columns(frond_general, [1_int32], rows(:0), values(:0))
    call solver%solve(b(:0), x(:0), status)
    call expect(status == frond_success, "a matrix of order 0")
  end subroutine

  subroutine ask_figures()
    type(frond_solver) :: solver
    real(real64) :: determinant, tables(2, 3), solutions(2, 3)
    real(real64), allocatable :: errors(:)
    integer(int64), allocatable :: order(:), pivots(:)
    integer(int64) :: number
    character(len=:), allocatable :: method
    integer :: status
    call solver%create(frond_double)
    call solver%set_columns(frond_general, offsets, rows, values)
    call solver%factorize()
    call solver%integer_figure("n", number)
    call solver%real_figure("determinant_real", determinant)
    call solver%text_figure("method", method)
    call expect(number == 2 .and. abs(determinant - 0.625d0) < 1d-15 .and. method == "lu", "figures")
    call solver%integers_figure("elimination_order", order)
    call expect(size(order) == 2 .and. any(order == 1) .and. any(order == 2), "the order of elimination, from 1 on")
    call solver%integers_figure("null_pivots", pivots)
    call expect(allocated(pivots) .and. size(pivots) == 0, "no null pivots")
    tables = 1
    call solver%solve(tables, solutions)
    call solver%reals_figure("backward_errors", errors, status)
    call expect(status == frond_success .and. size(errors) == 3 .and. all(errors >= 0 .and. errors < 1d-14), "errors of columns")

    number = -99
    call solver%integer_figure("method", number, status)
    call expect_refused(solver, status, "is of the type text")
    call expect(number == -99, "a number that stays")
    call solver%text_figure("n", method, status)
    call expect_refused(solver, status, "is of the type integer")
    call expect(method == "", "a text that is empty after an error")
    call solver%integers_figure("no such figure", order, status)
    call expect(status == frond_usage_error .and. size(order) == 0, "a list that is empty after an error")
    call solver%reals_figure("elimination_order", errors, status)
    call expect_refused(solver, status, "is of the type integers")
    call expect(size(errors) == 0, "a list of reals that is empty after an error")
  end subroutine

  ! Those of the chain are 2 - 2 cos(k pi / (n + 1)) - shift.
  subroutine count_eigenvalues()
    integer(int32), parameter :: n = 50
    real(real64), parameter :: pi = acos(-1.0_real64), shift = 1.3_real64
    type(frond_solver) :: solver
    real(real64) :: eigenvalues(n), determinant
    integer(int64) :: positive, negative, zero, exponent
    integer :: k, status
    eigenvalues = [(2 - 2 * cos(k * pi / (n + 1)) - shift, k = 1, n)]
    call solver%create(frond_double)
    call set_chain(solver, n, shift)
    call solver%inertia(positive, negative, zero)
    call expect(positive == count(eigenvalues > 0) .and. negative == count(eigenvalues < 0) .and. zero == 0, "inertia")
    call solver%real_figure("determinant_real", determinant)
    call solver%integer_figure("determinant_exponent", exponent)
    call expect(abs(determinant * 2.0_real64**exponent / product(eigenvalues) - 1) < 1d-12, "the determinant")
    call solver%set_columns(frond_general, offsets, rows, values)
    call solver%inertia(positive, negative, zero, status)
    call expect(status == frond_usage_error .and. positive == -1 .and. zero == -1, "inertia of a general matrix")
    call set_chain(solver, n, shift)
    call solver%set("method", "cholesky")
    call solver%factorize(status)
    call expect(status == frond_not_positive_definite, "not positive definite")
    call expect_message(solver, "positive definite")
  end subroutine

  subroutine set_options()
    type(frond_solver) :: solver
    character(len=:), allocatable :: text
    integer(int64), allocatable :: order(:)
    integer :: status
    call solver%create(frond_double)
    call solver%set("threads", "1")
    call solver%option_value("threads", text)
    call expect(text == "1", "the value of an option")
    call solver%option_value("index-base  ", text)
    call expect(text == "1", "indices count from 1")
    call solver%option_value("treads", text, status)
    call expect_refused(solver, status, "threads")
    call expect(text == "", "no value of no option")
    call solver%set("index-base", "0")
    call solver%set_columns(frond_general, offsets - 1, rows - 1, values)
    call solver%factorize()
    call solver%integers_figure("elimination_order", order)
    call expect(minval(order) == 0, "indices that count from 0")
  end subroutine

  subroutine list_names()
    character(len=:), allocatable :: name
    integer :: k, num_known
    call expect(frond_version() /= "", "the version")
    name = frond_status_name(frond_singular)
    call expect(name == "FROND_SINGULAR", "the name of a status")
    num_known = 0
    do k = 1, 1000
      name = frond_option_name(k)
      if (name == "") exit
      if (frond_option_values(name) /= "") then
        if (frond_option_meaning(name) /= "") num_known = num_known + 1
      end if
    end do
    call expect(k > 3 .and. num_known == k - 1, "options have values and meanings")
    num_known = 0
    do k = 1, 1000
      name = frond_figure_name(k)
      if (name == "") exit
      if (frond_figure_type(name) /= "") then
        if (frond_figure_meaning(name) /= "") num_known = num_known + 1
      end if
    end do
    call expect(k > 3 .and. num_known == k - 1, "figures have types and meanings")
    name = frond_option_values("treads") // frond_option_meaning("treads") // frond_figure_type("m") // frond_figure_meaning("m")
    call expect(name == "", "what there is not has no meaning")
    name = frond_option_name(0)
    call expect(name == "", "names are counted from 1")
  end subroutine

  subroutine watch_progress()
    type(frond_solver) :: solver
    type(course), target :: noted
    integer :: num_calls
    call solver%create(frond_double)
    call solver%set("threads", "1")
    call set_chain(solver, 2000_int32, 0.0_real64)
    call solver%set_progress(note_progress, c_loc(noted))
    call solver%factorize()
    call expect(noted%num_calls > 0 .and. noted%is_rising .and. noted%last > 0.9, "progress")
    num_calls = noted%num_calls
    call solver%set_progress()
    call solver%factorize()
    call expect(noted%num_calls == num_calls, "no progress any more")
  end subroutine

  subroutine stop_calls()
    type(frond_solver) :: solver
    integer(c_int), target :: answer
    integer :: status
    call solver%create(frond_double)
    call solver%set("threads", "1")
    call set_chain(solver, 2000_int32, 0.0_real64)
    answer = 1
    call solver%set_stop(says_stop, c_loc(answer))
    call solver%factorize(status)
    call expect(status == frond_stopped, "a callback that stops")
    answer = 0
    call solver%factorize(status)
    call expect(status == frond_success, "a callback that does not stop")
    call solver%set_stop(always_stops)
    call solver%factorize(status)
    call expect(status == frond_stopped, "a callback without a context")
    call solver%set_stop()
    call solver%set_own_callbacks(stop_wanted=always_stops)
    call solver%factorize(status)
    call expect(status == frond_stopped, "a callback of this thread")
    call solver%set_own_callbacks()
    call solver%set_stop_flag(answer)
    call solver%factorize(status)
    call expect(status == frond_success, "a flag that is not set")
    answer = -1
    call solver%factorize(status)
    call expect(status == frond_stopped, "a flag that is set")
    call solver%set_stop()
    call solver%factorize(status)
    call expect(status == frond_success, "nothing stops any more")
    call solver%set_stop_flag(null())
    call solver%factorize(status)
    call expect(status == frond_success, "no flag")
  end subroutine

  subroutine go_on_from_checkpoint()
    integer(int32), parameter :: n = 300
    character(len=*), parameter :: folder = "fortran_checkpoint"
    type(frond_solver) :: first, second
    real(real64) :: side(n), x(n), y(n)
    integer :: status
    call execute_command_line("rm -rf " // folder)
    side = 1
    call first%create(frond_double)
    call first%resume(status)
    call expect(status < 0, "no checkpoint")
    call first%set("checkpoint", folder)
    call set_chain(first, n, 0.0_real64)
    call first%factorize()
    call first%solve(side, x)
    call first%destroy()  ! the directory serves one at a time
    call second%create(frond_double)
    call second%set("checkpoint", folder)
    call set_chain(second, n, 0.0_real64)
    call second%resume(status)
    call expect(status == frond_success, "a checkpoint")
    call second%solve(side, y)
    call expect(all(abs(x - y) <= 0), "the same factors")
    call second%destroy()
    call execute_command_line("rm -rf " // folder)
  end subroutine

  ! With OpenMP; one after the other without it. x(k) = k (n + 1 - k) / 2 for a side of ones.
  subroutine share_among_threads()
    integer(int32), parameter :: n = 200
    type(frond_solver) :: solver
    real(real64) :: x(n), side(n), expected(n)
    integer :: k, status, num_right
    expected = [(k * (n + 1 - k) / 2.0_real64, k = 1, n)]
    side = 1
    num_right = 0
    call solver%create(frond_double)
    call set_chain(solver, n, 0.0_real64)
    !$omp parallel do private(x, status) reduction(+:num_right)
    do k = 1, 100
      if (modulo(k, 10) == 0) then
        call solver%solve(side(2:), x, status)
        if (status == frond_usage_error) num_right = num_right + 1
      else
        call solver%solve(k * side, x, status)
        if (status == frond_success .and. maxval(abs(x - k * expected)) < 1d-9 * k * maxval(expected)) num_right = num_right + 1
      end if
    end do
    call expect(num_right == 100, "solves of several threads")
  end subroutine

  subroutine end_lives()
    type(frond_solver) :: solver, empty, several(3)
    type(frond_solver), allocatable :: later
    integer :: k, status
    call solver%destroy()
    do k = 1, 3
      call solver%create(frond_double)  ! in the place of the one before
      call several(k)%create(frond_complex_float)
      call set_chain(solver, 100_int32, 0.0_real64)
      call solver%factorize()
    end do
    allocate (later)
    call later%create(frond_float)
    deallocate (later)
    call solver%destroy()
    call solver%destroy()
    call solver%factorize(status)
    call expect_refused(solver, status, "there is no solver: call create() first")
    solver = empty
    call solver%create(4, status)
    call expect_refused(solver, status, "4 is no kind of numbers")
    call solver%factorize(status)
    call expect_refused(solver, status, "there is no solver")
  end subroutine

  subroutine refuse()
    type(frond_solver) :: solver
    real(real32) :: single(4) = 1
    real(real64) :: x(2)
    integer :: status
    call solver%set("threads", "1", status)
    call expect_refused(solver, status, "there is no solver")
    call solver%create(frond_double)
    call solver%set("pivot-treshold", "0.1", status)
    call expect_refused(solver, status, "pivot-threshold")
    call solver%set_columns(frond_general, offsets, rows, single, status)
    call expect_refused(solver, status, "kind")
    call solver%factorize(status)
    call expect_refused(solver, status, "no matrix")
    call solver%set_order([1_int32, 2_int32], status)
    call expect_refused(solver, status, "no matrix")
    call solver%set_schur_variables([1_int32], status)
    call expect_refused(solver, status, "no matrix")
    call solver%factor_order(status=status)
    call expect_refused(solver, status, "no matrix")
    call solver%set("threads", "1", status)
    call expect(status == frond_success, "a success after errors")
    call solver%set_columns(frond_general, offsets, rows)
    call solver%solve(b, x, status)
    call expect_refused(solver, status, "no values")
    call solver%set_scales(single(:2), single(:2), status)
    call expect_refused(solver, status, "the kind of real numbers")
    call solver%factor_scales(single(:2), single(3:), status)
    call expect_refused(solver, status, "the kind of real numbers")
    call solver%set_order([1_int32, 1_int32], status)
    if (status == frond_success) then
      call solver%set_values(values)
      call solver%factorize(status)
    end if
    call expect(status < 0, "no permutation")
    call solver%set_order()
    call solver%set_schur_variables([1_int32, 2_int32, 3_int32], status)
    call expect_refused(solver, status, "3 variables are to be kept, but the matrix has 2")
    call solver%set_schur_variables([3_int64], status)
    call expect_refused(solver, status, "variables")
    call solver%analyze(status)
    call expect(status == frond_success, "the analysis of a pattern")
    call solver%set("threads", "2")
    if (solver%message() /= "") call expect(.false., "a message that goes")
  end subroutine

end program fortran_test
