# SPDX-License-Identifier: BSD-3-Clause
# cmake -DLIBRARY=... -DLIST=... -DNM=... -P check_real_cublas.cmake
# No name of the installed cuBLAS is missing from the list. (A later cuBLAS may have more: then the
# list has to grow, or programs that need the new names do not start on the drop-in.)
if(NOT LIBRARY OR NOT EXISTS "${LIBRARY}")
  message("SKIPPED: not on this machine: ${LIST}")
  return()
endif()
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE text RESULT_VARIABLE bad)
if(bad)
  message(FATAL_ERROR "${NM} ${LIBRARY} failed")
endif()
string(REGEX MATCHALL " T [A-Za-z0-9_]+" exported "${text}")
list(TRANSFORM exported REPLACE " T " "")
file(STRINGS ${LIST} listed)
list(REMOVE_ITEM exported ${listed})
if(exported)
  message(FATAL_ERROR "${LIBRARY} exports names that are not in ${LIST}: ${exported}")
endif()
