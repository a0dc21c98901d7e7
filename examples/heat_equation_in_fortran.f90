! SPDX-License-Identifier: BSD-3-Clause
! du/dt = laplace(u) on the unit square, with u = 0 on its boundary, by the implicit midpoint rule for three initial states at once:
! one factorization, and a solve for each step. Each state is a product of sines, and decays as exp(-(j^2 + k^2) pi^2 t).
program heat_equation_in_fortran
  use frond
  use, intrinsic :: iso_fortran_env, only: int32, real64
  implicit none
  integer(int32), parameter :: points = 100, n = points**2
  integer, parameter :: num_steps = 100, j(3) = [1, 2, 3], k(3) = [1, 1, 2]
  real(real64), parameter :: pi = acos(-1.0_real64), h = 1.0_real64 / (points + 1), dt = 2.0e-4_real64
  integer(int32) :: rows(3 * n), cols(3 * n), x, y, here, count
  real(real64) :: values(3 * n), u(n, 3), middle(n, 3), start(n, 3), exact(3), decay(3)
  type(frond_solver) :: solver
  integer :: step, status, state

  count = 0
  do y = 1, points
    do x = 1, points
      here = x + points * (y - 1)
      call add(here, here, 1 + 2 * dt / h**2)  ! the lower triangle of I - dt/2 laplace
      if (x < points) call add(here + 1, here, -dt / (2 * h**2))
      if (y < points) call add(here + points, here, -dt / (2 * h**2))
      start(here, :) = sin(j * pi * x * h) * sin(k * pi * y * h)
    end do
  end do

  call solver%create(frond_double)
  call solver%set_triplets(n, frond_symmetric, rows(:count), cols(:count), values(:count))
  u = start
  do step = 1, num_steps
    call solver%solve(u, middle, status)  ! the first one factorizes
    if (status /= frond_success) then
      print '(a)', solver%message()
      error stop 1
    end if
    u = 2 * middle - u
  end do

  ! The sines are eigenvectors of the matrix, too, so that the shapes stay as they are but for rounding.
  exact = exp(-(j**2 + k**2) * pi**2 * dt * num_steps)
  decay = [(dot_product(start(:, state), u(:, state)) / dot_product(start(:, state), start(:, state)), state = 1, 3)]
  print '(a, 3f10.6)', "decay:  ", decay, "theory: ", exact
  print '(a, es8.1)', "largest change of shape:", maxval(abs(u - start * spread(decay, 1, n)))
  if (any(abs(decay - exact) > 2e-3 * decay) .or. any(abs(u - start * spread(decay, 1, n)) > 1e-12)) error stop 1

contains

  subroutine add(row, col, value)
    integer(int32), intent(in) :: row, col
    real(real64), intent(in) :: value
    count = count + 1
    rows(count) = row
    cols(count) = col
    values(count) = value
  end subroutine add
end program heat_equation_in_fortran
