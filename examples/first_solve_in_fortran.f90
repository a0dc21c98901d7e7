! SPDX-License-Identifier: BSD-3-Clause
! A x = b with A = tridiag(-1, 4, -1), of which the lower triangle is given entry by entry.
program first_solve
  use frond
  use, intrinsic :: iso_fortran_env, only: int32, real64
  implicit none
  integer(int32), parameter :: n = 1000
  integer(int32) :: rows(2 * n - 1), cols(2 * n - 1), k
  real(real64) :: values(2 * n - 1), b(n), x(n)
  character(len=:), allocatable :: verdict
  type(frond_solver) :: solver
  integer :: status

  rows(:n) = [(k, k = 1, n)]
  cols(:n) = rows(:n)
  values(:n) = 4
  rows(n + 1:) = [(k + 1, k = 1, n - 1)]
  cols(n + 1:) = [(k, k = 1, n - 1)]
  values(n + 1:) = -1
  b = 2

  call solver%create(frond_double)
  call solver%set_triplets(n, frond_symmetric, rows, cols, values)
  call solver%solve(b, x, status)
  if (status /= frond_success) then
    print *, solver%message()
    error stop 1
  end if
  call solver%text_figure("description", verdict)
  print '(a)', verdict
  print '(a, f20.15)', "x(1) = ", x(1)
end program first_solve
