# SPDX-License-Identifier: BSD-3-Clause
# cmake -DFAULT=<settings> -DSOURCE_ROOT=<headers> -DKERNEL_SOURCE=<.cu> -DOUT=<dir> -P plant_fault.cmake
# Writes the .cu file with one kernel alone, and a copy of one header with one text replaced; or the
# text is the .cu file's own.
include(${FAULT})
# A fault that had its place in another header leaves no copy of that one.
file(REMOVE_RECURSE ${OUT}/kernels)

if(file MATCHES "\\.cu$")
  file(READ ${KERNEL_SOURCE} content)
else()
  file(READ ${SOURCE_ROOT}/${file} content)
endif()
string(FIND "${content}" "${before}" first)
string(FIND "${content}" "${before}" last REVERSE)
if(first EQUAL -1 OR NOT first EQUAL last)
  # The test says it: a build that stops would keep the kernel's author from running the others.
  file(WRITE ${OUT}/fault.cu "extern \"C\" __global__ void fault_has_lost_its_place() {}\n")
  return()
endif()
string(REPLACE "${before}" "${after}" content "${content}")
if(NOT file MATCHES "\\.cu$")
  file(WRITE ${OUT}/${file} "${content}")
  file(READ ${KERNEL_SOURCE} content)
endif()
string(REGEX REPLACE "(^|\n)(MYBLAS_[A-Z0-9_]+\\(${kernel},[^\n]*)" "\\1//keep \\2" content "${content}")
string(REGEX REPLACE "\nMYBLAS_[A-Z0-9_]+\\([^\n]*" "" content "${content}")
string(REPLACE "//keep " "" content "${content}")
file(WRITE ${OUT}/fault.cu "${content}")
