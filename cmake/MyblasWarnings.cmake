# SPDX-License-Identifier: BSD-3-Clause
# myblas_warnings(<target>): the project's warning level for host code.
function(myblas_warnings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wconversion -Wshadow>
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -pedantic>)
  if(MYBLAS_WERROR)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX,C>:-Werror>)
  endif()
endfunction()
