# Libraries with OpenBLAS inside them, so that their kernels are their own, whatever BLAS the process has loaded before.
get_target_property(openblas OpenBLAS::OpenBLAS IMPORTED_LOCATION)
cmake_path(GET openblas PARENT_PATH openblas_folder)
find_library(OpenBLAS_ARCHIVE libopenblas.a PATHS ${openblas_folder} NO_DEFAULT_PATH)
get_target_property(amd AMD::AMD IMPORTED_LOCATION)
cmake_path(GET amd PARENT_PATH amd_folder)
find_library(AMD_ARCHIVE libamd.a PATHS ${amd_folder} NO_DEFAULT_PATH)
find_library(SUITESPARSE_CONFIG_ARCHIVE libsuitesparseconfig.a PATHS ${amd_folder} NO_DEFAULT_PATH)
mark_as_advanced(OpenBLAS_ARCHIVE AMD_ARCHIVE SUITESPARSE_CONFIG_ARCHIVE)
set(FROND_HAS_ARCHIVES ON)
if(NOT OpenBLAS_ARCHIVE OR NOT AMD_ARCHIVE OR NOT SUITESPARSE_CONFIG_ARCHIVE)
  set(FROND_HAS_ARCHIVES OFF)
endif()

# frond_add_self_contained_library(<target> <symbols> [OPENMPI] <source>...): a shared library of these sources, the interface of C and
# all rooms, which shows what the version script `symbols` lists. OPENMPI: and of what communicates over it, which the library shares
# with the program, as it does the system's ScaLAPACK.
function(frond_add_self_contained_library target symbols)
  cmake_parse_arguments(PARSE_ARGV 2 arg "OPENMPI" "" "")
  list(TRANSFORM FROND_ROOMS PREPEND frond_ OUTPUT_VARIABLE rooms)
  set(shared_libraries "")
  if(arg_OPENMPI)
    list(TRANSFORM FROND_MPI_TARGETS APPEND _openmpi OUTPUT_VARIABLE parts)
    list(APPEND rooms ${parts})
    set(shared_libraries OpenMPI::OpenMPI ScaLAPACK::OpenMPI)
  endif()
  list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
  add_library(${target} SHARED ${arg_UNPARSED_ARGUMENTS} $<TARGET_OBJECTS:frond_c>)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX LINK_DEPENDS ${symbols})
  target_link_options(${target} PRIVATE LINKER:--no-undefined,--as-needed,--gc-sections,-Bsymbolic,-z,nodelete LINKER:--version-script=${symbols})
  add_dependencies(${target} ${rooms})
  # By their files: what they are linked with otherwise is OpenBLAS's shared library.
  target_link_libraries(${target} PRIVATE -Wl,--start-group ${archives} -Wl,--end-group
    ${OpenBLAS_ARCHIVE} ${AMD_ARCHIVE} ${SUITESPARSE_CONFIG_ARCHIVE}
    METIS::METIS TBB::tbb fmt::fmt ZLIB::ZLIB LibArchive::LibArchive Threads::Threads m
    ${shared_libraries})  # after OpenBLAS, of which it is not to take anything
endfunction()
