! SPDX-License-Identifier: BSD-3-Clause
! Ends with what is not asked for: fortran_stop_test error|refusal|copy|singular|indefinite
program fortran_stop_test
  use frond
  implicit none
  type(frond_solver) :: solver, other
  character(len=10) :: what
  real :: x(1)
  x = 1
  call get_command_argument(1, what)
  call solver%create(frond_double)
  select case (what)
  case ("error")
    call solver%factorize()
  case ("refusal")
    call solver%solve_in_place(x)
  case ("copy")
    other = solver
  case ("singular")
    call solver%set_triplets(2, frond_general, [1, 2], [1, 1], [1d0, 1d0])
    call solver%factorize()
  case ("indefinite")
    call solver%set("method", "cholesky")
    call solver%set_triplets(1, frond_symmetric, [1], [1], [-1d0])
    call solver%factorize()
  end select
  print '(a)', "the program has gone on"
end program fortran_stop_test
