# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE_ROOT=<src> -DOUT=<dir> -P overlay.cmake
# The kernels' headers, line for line, with the one thing that g++ has no form for: dynamic shared
# memory, `extern __shared__ T name[];`, becomes a pointer to it.
file(GLOB headers RELATIVE ${SOURCE_ROOT} ${SOURCE_ROOT}/kernels/*/*.cuh)
foreach(header IN LISTS headers)
  file(READ ${SOURCE_ROOT}/${header} content)
  string(REGEX REPLACE "extern __shared__( __align__\\([0-9]+\\)| alignas\\([0-9]+\\))? ([A-Za-z0-9_:]+( [a-z]+)?) ([a-z_]+)\\[\\];"
         "\\2* const \\4 = static_cast<\\2*>(::emulator::dynamic_shared_memory());" content "${content}")
  set(there "")
  if(EXISTS ${OUT}/${header})
    file(READ ${OUT}/${header} there)
  endif()
  if(NOT there STREQUAL content)
    file(WRITE ${OUT}/${header} "${content}")
  endif()
endforeach()
file(TOUCH ${OUT}/stamp)
