# SPDX-License-Identifier: BSD-3-Clause
# cmake -DSOURCE=<.cu> -DLARGEST=<elements> -DOUT=<.cu> -P small_tiles.cmake
# The file without the kernels whose tile, which ends their names, is larger.
file(READ ${SOURCE} content)
string(REGEX MATCHALL "\nMYBLAS_[A-Z0-9_]+\\([a-z0-9_]+_[0-9]+x[0-9]+x[0-9]+," lines "${content}")
foreach(line IN LISTS lines)
  string(REGEX MATCH "_([0-9]+)x([0-9]+)x[0-9]+,$" tile "${line}")
  math(EXPR area "${CMAKE_MATCH_1} * ${CMAKE_MATCH_2}")
  if(area GREATER LARGEST)
    string(REPLACE "${line}" "\n//" content "${content}")
  endif()
endforeach()
file(WRITE ${OUT} "${content}")
