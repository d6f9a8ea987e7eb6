# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE_ROOT=<src> -DSUITES=<dir> -DOUT=<dir> -P overlay.cmake
# The kernels' headers and the tests' own kernels, line for line, with the one thing that g++ has no form for: dynamic shared
# memory, `extern __shared__ T name[];`, becomes a pointer to it.
file(GLOB sources RELATIVE ${SOURCE_ROOT} ${SOURCE_ROOT}/kernels/*/*.cuh)
file(GLOB suites ${SUITES}/*_kernels.cu)
foreach(source IN LISTS sources suites)
  if(IS_ABSOLUTE ${source})
    get_filename_component(file ${source} NAME)
    set(copy ${OUT}/suites/${file})
  else()
    set(copy ${OUT}/${source})
    set(source ${SOURCE_ROOT}/${source})
  endif()
  file(READ ${source} content)
  string(REGEX REPLACE "extern __shared__( __align__\\([0-9]+\\)| alignas\\([0-9]+\\))? ([A-Za-z0-9_:]+( [a-z]+)?) ([a-z_]+)\\[\\];"
         "\\2* const \\4 = static_cast<\\2*>(::emulator::dynamic_shared_memory());" content "${content}")
  set(there "")
  if(EXISTS ${copy})
    file(READ ${copy} there)
  endif()
  if(NOT there STREQUAL content)
    file(WRITE ${copy} "${content}")
  endif()
endforeach()
file(TOUCH ${OUT}/stamp)
