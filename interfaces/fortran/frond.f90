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
! Numbers are those of create(): real(real32), real(real64), and complex numbers of both. Indices count from 1, those that come back,
! too. A call whose status is not asked for stops the program where it comes to an error, with the message. A solver gives its memory
! back when it goes out of scope, or by destroy(). frond.h says more of each call.
module frond
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64, error_unit
  implicit none
  private

  integer, parameter, public :: frond_success = 0, frond_accuracy_missed = 1, frond_singular = 2, &
    frond_not_positive_definite = 3, frond_rank_in_doubt = 4, frond_usage_error = -1, frond_input_error = -2, &
    frond_output_error = -3, frond_memory_error = -4, frond_stopped = -5, frond_communication_error = -6, frond_internal_error = -7
  integer, parameter, public :: frond_float = 0, frond_double = 1, frond_complex_float = 2, frond_complex_double = 3
  integer, parameter, public :: frond_general = 0, frond_symmetric = 1, frond_skew_symmetric = 2, frond_hermitian = 3
  integer, parameter, public :: frond_plain = 0, frond_transposed = 1, frond_adjoint = 2

  type, public :: frond_solver
    private
    type(c_ptr) :: handle = c_null_ptr
    integer :: scalar = -1
    character(len=:), allocatable :: complaint  ! of this module, about the last call
  contains
    procedure, public :: create
    procedure, public :: destroy
    procedure, public :: message
    procedure, public :: set
    procedure, private :: set_columns_32, set_columns_64, set_rows_32, set_rows_64, set_triplets_32, set_triplets_64
    generic, public :: set_columns => set_columns_32, set_columns_64
    generic, public :: set_rows => set_rows_32, set_rows_64
    generic, public :: set_triplets => set_triplets_32, set_triplets_64
    procedure, public :: set_values
    procedure, public :: set_schur_variables
    procedure, public :: analyze
    procedure, public :: factorize
    procedure, private :: solve_vector, solve_columns
    generic, public :: solve => solve_vector, solve_columns
    procedure, public :: real_figure
    procedure, public :: integer_figure
    procedure, public :: text_figure
    procedure, public :: inverse_diagonal
    procedure, public :: schur_complement
    procedure, public :: save => save_factors
    procedure, public :: load => load_factors
    final :: finish
  end type frond_solver

  interface
    integer(c_int) function c_create(scalar, solver) bind(c, name="frond_create")
      import :: c_int, c_ptr
      integer(c_int), value :: scalar
      type(c_ptr), intent(out) :: solver
    end function
    subroutine c_destroy(solver) bind(c, name="frond_destroy")
      import :: c_ptr
      type(c_ptr), value :: solver
    end subroutine
    type(c_ptr) function c_message(solver) bind(c, name="frond_message")
      import :: c_ptr
      type(c_ptr), value :: solver
    end function
    integer(c_int) function c_set(solver, name, text) bind(c, name="frond_set")
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: name(*), text(*)
    end function
    integer(c_int) function c_set_columns(solver, n, symmetry, offsets, rows, values) bind(c, name="frond_set_columns")
      import :: c_int, c_ptr, c_int32_t
      type(c_ptr), value :: solver, values
      integer(c_int32_t), value :: n
      integer(c_int), value :: symmetry
      integer(c_int32_t), intent(in) :: offsets(*), rows(*)
    end function
    integer(c_int) function c_set_columns_64(solver, n, symmetry, offsets, rows, values) bind(c, name="frond_set_columns_64")
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver, values
      integer(c_int64_t), value :: n
      integer(c_int), value :: symmetry
      integer(c_int64_t), intent(in) :: offsets(*), rows(*)
    end function
    integer(c_int) function c_set_rows(solver, n, symmetry, offsets, cols, values) bind(c, name="frond_set_rows")
      import :: c_int, c_ptr, c_int32_t
      type(c_ptr), value :: solver, values
      integer(c_int32_t), value :: n
      integer(c_int), value :: symmetry
      integer(c_int32_t), intent(in) :: offsets(*), cols(*)
    end function
    integer(c_int) function c_set_rows_64(solver, n, symmetry, offsets, cols, values) bind(c, name="frond_set_rows_64")
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver, values
      integer(c_int64_t), value :: n
      integer(c_int), value :: symmetry
      integer(c_int64_t), intent(in) :: offsets(*), cols(*)
    end function
    integer(c_int) function c_set_triplets(solver, n, symmetry, num_entries, rows, cols, values) bind(c, name="frond_set_triplets")
      import :: c_int, c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: solver, values
      integer(c_int32_t), value :: n
      integer(c_int), value :: symmetry
      integer(c_int64_t), value :: num_entries
      integer(c_int32_t), intent(in) :: rows(*), cols(*)
    end function
    integer(c_int) function c_set_triplets_64(solver, n, symmetry, num_entries, rows, cols, values) &
        bind(c, name="frond_set_triplets_64")
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver, values
      integer(c_int64_t), value :: n, num_entries
      integer(c_int), value :: symmetry
      integer(c_int64_t), intent(in) :: rows(*), cols(*)
    end function
    integer(c_int) function c_set_values(solver, num_entries, values) bind(c, name="frond_set_values")
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver, values
      integer(c_int64_t), value :: num_entries
    end function
    integer(c_int) function c_set_schur_variables(solver, count, variables) bind(c, name="frond_set_schur_variables")
      import :: c_int, c_ptr, c_int32_t
      type(c_ptr), value :: solver
      integer(c_int32_t), value :: count
      integer(c_int32_t), intent(in) :: variables(*)
    end function
    integer(c_int) function c_analyze(solver) bind(c, name="frond_analyze")
      import :: c_int, c_ptr
      type(c_ptr), value :: solver
    end function
    integer(c_int) function c_factorize(solver) bind(c, name="frond_factorize")
      import :: c_int, c_ptr
      type(c_ptr), value :: solver
    end function
    integer(c_int) function c_solve(solver, operation, count, b, ldb, x, ldx) bind(c, name="frond_solve")
      import :: c_int, c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: solver, b, x
      integer(c_int), value :: operation
      integer(c_int32_t), value :: count
      integer(c_int64_t), value :: ldb, ldx
    end function
    integer(c_int) function c_get_real(solver, name, number) bind(c, name="frond_get_real")
      import :: c_int, c_ptr, c_char, c_double
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: name(*)
      real(c_double), intent(inout) :: number
    end function
    integer(c_int) function c_get_integer(solver, name, number) bind(c, name="frond_get_integer")
      import :: c_int, c_ptr, c_char, c_int64_t
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), intent(inout) :: number
    end function
    integer(c_int) function c_get_text(solver, name, text) bind(c, name="frond_get_text")
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(inout) :: text
    end function
    integer(c_int) function c_inverse_diagonal(solver, refined, diagonal) bind(c, name="frond_inverse_diagonal")
      import :: c_int, c_ptr
      type(c_ptr), value :: solver, diagonal
      integer(c_int), value :: refined
    end function
    integer(c_int) function c_schur_complement(solver, s, lds) bind(c, name="frond_schur_complement")
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: solver, s
      integer(c_int64_t), value :: lds
    end function
    integer(c_int) function c_save(solver, path) bind(c, name="frond_save")
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: path(*)
    end function
    integer(c_int) function c_load(solver, path) bind(c, name="frond_load")
      import :: c_int, c_ptr, c_char
      type(c_ptr), value :: solver
      character(kind=c_char), intent(in) :: path(*)
    end function
    integer(c_size_t) function c_strlen(text) bind(c, name="strlen")
      import :: c_size_t, c_ptr
      type(c_ptr), value :: text
    end function
  end interface

contains

  ! A solver for numbers of this kind, without a matrix; what it was before is gone.
  subroutine create(self, scalar, status)
    class(frond_solver), intent(inout) :: self
    integer, intent(in) :: scalar
    integer, intent(out), optional :: status
    integer(c_int) :: came_to
    call self%destroy()
    came_to = c_create(int(scalar, c_int), self%handle)
    self%scalar = scalar
    if (came_to == frond_success) came_to = c_set(self%handle, terminated("index-base"), terminated("1"))
    call tell(self, came_to, status)
  end subroutine

  subroutine destroy(self)
    class(frond_solver), intent(inout) :: self
    if (c_associated(self%handle)) call c_destroy(self%handle)
    self%handle = c_null_ptr
  end subroutine

  subroutine finish(self)
    type(frond_solver), intent(inout) :: self
    call self%destroy()
  end subroutine

  ! What the last call came to, unless that was a success.
  function message(self) result(text)
    class(frond_solver), intent(in) :: self
    character(len=:), allocatable :: text
    if (allocated(self%complaint)) then
      text = self%complaint
    else
      text = text_at(c_message(self%handle))
    end if
  end function

  ! An option by its name on the command line.
  subroutine set(self, name, value, status)
    class(frond_solver), intent(inout) :: self
    character(len=*), intent(in) :: name, value
    integer, intent(out), optional :: status
    call tell(self, c_set(self%handle, terminated(name), terminated(value)), status)
  end subroutine

  subroutine set_columns_32(self, symmetry, offsets, rows, values, status)
    class(frond_solver), intent(inout) :: self
    integer, intent(in) :: symmetry
    integer(int32), intent(in) :: offsets(:), rows(:)
    class(*), intent(in), target, contiguous, optional :: values(:)
    integer, intent(out), optional :: status
    if (.not. is_own(self, values, "values", status)) return
    call tell(self, c_set_columns(self%handle, size(offsets) - 1, int(symmetry, c_int), offsets, rows, &
                                  numbers(values)), status)
  end subroutine

  subroutine set_columns_64(self, symmetry, offsets, rows, values, status)
    class(frond_solver), intent(inout) :: self
    integer, intent(in) :: symmetry
    integer(int64), intent(in) :: offsets(:), rows(:)
    class(*), intent(in), target, contiguous, optional :: values(:)
    integer, intent(out), optional :: status
    if (.not. is_own(self, values, "values", status)) return
    call tell(self, c_set_columns_64(self%handle, size(offsets, kind=int64) - 1, int(symmetry, c_int), offsets, rows, &
                                     numbers(values)), status)
  end subroutine

  subroutine set_rows_32(self, symmetry, offsets, cols, values, status)
    class(frond_solver), intent(inout) :: self
    integer, intent(in) :: symmetry
    integer(int32), intent(in) :: offsets(:), cols(:)
    class(*), intent(in), target, contiguous, optional :: values(:)
    integer, intent(out), optional :: status
    if (.not. is_own(self, values, "values", status)) return
    call tell(self, c_set_rows(self%handle, size(offsets) - 1, int(symmetry, c_int), offsets, cols, numbers(values)), status)
  end subroutine

  subroutine set_rows_64(self, symmetry, offsets, cols, values, status)
    class(frond_solver), intent(inout) :: self
    integer, intent(in) :: symmetry
    integer(int64), intent(in) :: offsets(:), cols(:)
    class(*), intent(in), target, contiguous, optional :: values(:)
    integer, intent(out), optional :: status
    if (.not. is_own(self, values, "values", status)) return
    call tell(self, c_set_rows_64(self%handle, size(offsets, kind=int64) - 1, int(symmetry, c_int), offsets, cols, &
                                  numbers(values)), status)
  end subroutine

  subroutine set_triplets_32(self, n, symmetry, rows, cols, values, status)
    class(frond_solver), intent(inout) :: self
    integer(int32), intent(in) :: n
    integer, intent(in) :: symmetry
    integer(int32), intent(in) :: rows(:), cols(:)
    class(*), intent(in), target, contiguous, optional :: values(:)
    integer, intent(out), optional :: status
    if (.not. is_own(self, values, "values", status)) return
    call tell(self, c_set_triplets(self%handle, n, int(symmetry, c_int), size(rows, kind=int64), rows, cols, &
                                   numbers(values)), status)
  end subroutine

  subroutine set_triplets_64(self, n, symmetry, rows, cols, values, status)
    class(frond_solver), intent(inout) :: self
    integer(int64), intent(in) :: n
    integer, intent(in) :: symmetry
    integer(int64), intent(in) :: rows(:), cols(:)
    class(*), intent(in), target, contiguous, optional :: values(:)
    integer, intent(out), optional :: status
    if (.not. is_own(self, values, "values", status)) return
    call tell(self, c_set_triplets_64(self%handle, n, int(symmetry, c_int), size(rows, kind=int64), rows, cols, &
                                      numbers(values)), status)
  end subroutine

  ! Other values of the same pattern, in the order in which it was given.
  subroutine set_values(self, values, status)
    class(frond_solver), intent(inout) :: self
    class(*), intent(in), target, contiguous :: values(:)
    integer, intent(out), optional :: status
    if (.not. is_own(self, values, "values", status)) return
    call tell(self, c_set_values(self%handle, size(values, kind=int64), numbers(values)), status)
  end subroutine

  ! Variables that are kept for a Schur complement.
  subroutine set_schur_variables(self, variables, status)
    class(frond_solver), intent(inout) :: self
    integer(int32), intent(in) :: variables(:)
    integer, intent(out), optional :: status
    call tell(self, c_set_schur_variables(self%handle, size(variables), variables), status)
  end subroutine

  subroutine analyze(self, status)
    class(frond_solver), intent(inout) :: self
    integer, intent(out), optional :: status
    call tell(self, c_analyze(self%handle), status)
  end subroutine

  subroutine factorize(self, status)
    class(frond_solver), intent(inout) :: self
    integer, intent(out), optional :: status
    call tell(self, c_factorize(self%handle), status)
  end subroutine

  ! op(A) x = b; x has the size of b.
  subroutine solve_vector(self, b, x, status, operation)
    class(frond_solver), intent(inout) :: self
    class(*), intent(in), target, contiguous :: b(:)
    class(*), intent(inout), target, contiguous :: x(:)
    integer, intent(out), optional :: status
    integer, intent(in), optional :: operation
    integer(c_int) :: which
    if (.not. is_own(self, b, "b", status)) return
    if (.not. is_own(self, x, "x", status)) return
    which = frond_plain
    if (present(operation)) which = int(operation, c_int)
    call tell(self, c_solve(self%handle, which, 1, numbers(b), size(b, kind=int64), numbers(x), &
                            size(x, kind=int64)), status)
  end subroutine

  ! The same for the columns of b and x.
  subroutine solve_columns(self, b, x, status, operation)
    class(frond_solver), intent(inout) :: self
    class(*), intent(in), target, contiguous :: b(:, :)
    class(*), intent(inout), target, contiguous :: x(:, :)
    integer, intent(out), optional :: status
    integer, intent(in), optional :: operation
    integer(c_int) :: which
    if (.not. is_own_table(self, b, "b", status)) return
    if (.not. is_own_table(self, x, "x", status)) return
    which = frond_plain
    if (present(operation)) which = int(operation, c_int)
    call tell(self, c_solve(self%handle, which, size(b, 2), table(b), size(b, 1, kind=int64), table(x), &
                            size(x, 1, kind=int64)), status)
  end subroutine

  ! A figure by its name; frond.h and frond_figure_name() have the names.
  subroutine real_figure(self, name, number, status)
    class(frond_solver), intent(inout) :: self
    character(len=*), intent(in) :: name
    real(real64), intent(inout) :: number
    integer, intent(out), optional :: status
    call tell(self, c_get_real(self%handle, terminated(name), number), status)
  end subroutine

  subroutine integer_figure(self, name, number, status)
    class(frond_solver), intent(inout) :: self
    character(len=*), intent(in) :: name
    integer(int64), intent(inout) :: number
    integer, intent(out), optional :: status
    call tell(self, c_get_integer(self%handle, terminated(name), number), status)
  end subroutine

  subroutine text_figure(self, name, text, status)
    class(frond_solver), intent(inout) :: self
    character(len=*), intent(in) :: name
    character(len=:), allocatable, intent(out) :: text
    integer, intent(out), optional :: status
    type(c_ptr) :: address
    integer(c_int) :: came_to
    address = c_null_ptr
    came_to = c_get_text(self%handle, terminated(name), address)
    text = text_at(address)
    call tell(self, came_to, status)
  end subroutine

  ! The diagonal of the inverse.
  subroutine inverse_diagonal(self, diagonal, status, refined)
    class(frond_solver), intent(inout) :: self
    class(*), intent(inout), target, contiguous :: diagonal(:)
    integer, intent(out), optional :: status
    logical, intent(in), optional :: refined
    integer(c_int) :: accuracy
    if (.not. is_own(self, diagonal, "diagonal", status)) return
    accuracy = 0
    if (present(refined)) accuracy = merge(1, 0, refined)
    call tell(self, c_inverse_diagonal(self%handle, accuracy, numbers(diagonal)), status)
  end subroutine

  ! The Schur complement of the variables that are kept.
  subroutine schur_complement(self, s, status)
    class(frond_solver), intent(inout) :: self
    class(*), intent(inout), target, contiguous :: s(:, :)
    integer, intent(out), optional :: status
    if (.not. is_own_table(self, s, "s", status)) return
    call tell(self, c_schur_complement(self%handle, table(s), size(s, 1, kind=int64)), status)
  end subroutine

  subroutine save_factors(self, path, status)
    class(frond_solver), intent(inout) :: self
    character(len=*), intent(in) :: path
    integer, intent(out), optional :: status
    call tell(self, c_save(self%handle, terminated(path)), status)
  end subroutine

  subroutine load_factors(self, path, status)
    class(frond_solver), intent(inout) :: self
    character(len=*), intent(in) :: path
    integer, intent(out), optional :: status
    call tell(self, c_load(self%handle, terminated(path)), status)
  end subroutine

  ! Hands the status on, or stops at an error that nobody asks for.
  subroutine tell(self, came_to, status, keeps_complaint)
    class(frond_solver), intent(inout) :: self
    integer(c_int), intent(in) :: came_to
    integer, intent(out), optional :: status
    logical, intent(in), optional :: keeps_complaint
    if (.not. present(keeps_complaint) .and. allocated(self%complaint)) deallocate (self%complaint)
    if (present(status)) then
      status = int(came_to)
    else if (came_to < 0) then
      write (error_unit, '(a)') "frond: " // self%message()
      error stop 2
    end if
  end subroutine

  ! Whether numbers are of the kind of create(); if not, that is told as an error.
  function is_own(self, values, name, status) result(is_so)
    class(frond_solver), intent(inout) :: self
    class(*), intent(in), optional :: values(:)
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: status
    logical :: is_so
    is_so = .true.
    if (.not. present(values)) return
    is_so = scalar_of(values(1:0)) == self%scalar
    if (.not. is_so) call refuse(self, name, status)
  end function

  function is_own_table(self, values, name, status) result(is_so)
    class(frond_solver), intent(inout) :: self
    class(*), intent(in) :: values(:, :)
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: status
    logical :: is_so
    is_so = scalar_of(values(1:0, 1)) == self%scalar
    if (.not. is_so) call refuse(self, name, status)
  end function

  function scalar_of(values) result(scalar)
    class(*), intent(in) :: values(:)
    integer :: scalar
    select type (values)
    type is (real(real32))
      scalar = frond_float
    type is (real(real64))
      scalar = frond_double
    type is (complex(real32))
      scalar = frond_complex_float
    type is (complex(real64))
      scalar = frond_complex_double
    class default
      scalar = -2
    end select
  end function

  subroutine refuse(self, name, status)
    class(frond_solver), intent(inout) :: self
    character(len=*), intent(in) :: name
    integer, intent(out), optional :: status
    self%complaint = "the numbers of " // name // " are not of the kind for which the solver was created"
    call tell(self, int(frond_usage_error, c_int), status, keeps_complaint=.true.)
  end subroutine

  ! The address of numbers; null where there are none.
  function numbers(values) result(address)
    class(*), intent(in), target, contiguous, optional :: values(:)
    type(c_ptr) :: address
    address = c_null_ptr
    if (.not. present(values)) return
    if (size(values) == 0) return
    select type (values)
    type is (real(real32))
      address = c_loc(values)
    type is (real(real64))
      address = c_loc(values)
    type is (complex(real32))
      address = c_loc(values)
    type is (complex(real64))
      address = c_loc(values)
    end select
  end function

  function table(values) result(address)
    class(*), intent(in), target, contiguous :: values(:, :)
    type(c_ptr) :: address
    address = c_null_ptr
    if (size(values) == 0) return
    select type (values)
    type is (real(real32))
      address = c_loc(values)
    type is (real(real64))
      address = c_loc(values)
    type is (complex(real32))
      address = c_loc(values)
    type is (complex(real64))
      address = c_loc(values)
    end select
  end function

  function terminated(text) result(characters)
    character(len=*), intent(in) :: text
    character(kind=c_char) :: characters(len_trim(text) + 1)
    integer :: k
    do k = 1, len_trim(text)
      characters(k) = text(k:k)
    end do
    characters(len_trim(text) + 1) = c_null_char
  end function

  function text_at(address) result(text)
    type(c_ptr), intent(in) :: address
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    integer :: k
    if (.not. c_associated(address)) then
      text = ""
      return
    end if
    call c_f_pointer(address, characters, [c_strlen(address)])
    allocate (character(len=size(characters)) :: text)
    do k = 1, size(characters)
      text(k:k) = characters(k)
    end do
  end function

end module frond
