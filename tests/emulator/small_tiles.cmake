# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE=<.cu> -DLARGEST=<elements> -DOUT=<.cu> -P small_tiles.cmake
# The file without the kernels whose tile, which ends their names, is larger, and without those for fp16
# that it has for bf16 too: they differ in a type. Reference kernels stay: each type wants its last row.
file(READ ${SOURCE} content)
string(REGEX MATCHALL "\nMYBLAS_[A-Z0-9_]+\\([a-z0-9_]+_[0-9]+x[0-9]+x[0-9]+," lines "${content}")
foreach(line IN LISTS lines)
  string(REGEX MATCH "_([0-9]+)x([0-9]+)x[0-9]+,$" tile "${line}")
  math(EXPR area "${CMAKE_MATCH_1} * ${CMAKE_MATCH_2}")
  string(REGEX REPLACE "_f16_f16_" "_bf16_bf16_" twin "${line}")
  string(REGEX REPLACE "_f16_f32_" "_bf16_f32_" twin "${twin}")
  string(FIND "${content}" "${twin}" at)
  set(is_twin FALSE)
  if(NOT twin STREQUAL line AND at GREATER -1 AND NOT SOURCE MATCHES "gemm_reference")
    set(is_twin TRUE)
  endif()
  if(area GREATER LARGEST OR is_twin)
    string(REPLACE "${line}" "\n//" content "${content}")
  endif()
endforeach()
file(WRITE ${OUT} "${content}")
