# SPDX-License-Identifier: BSD-3-Clause
# Finds nvcc, resolves MYBLAS_ARCHS, and compiles device code to fatbin images that are embedded
# in the library as data (docs/adr/0006). Sets
#   MYBLAS_HAVE_CUDA, MYBLAS_NVCC, MYBLAS_CUDA_INCLUDE_DIR, MYBLAS_ARCH_LIST
# and defines myblas_kernel_image(<target> <family> <file.cu>... ARCHS <targets> [ONE_A_GENERATION]
# [PLAIN_90]),
# where a target is a name of MYBLAS_ARCHS (90a), all that are as new (80+), or those of a family
# with the instructions that only they have (120f: 120 and 121); behind these, one that is not (-90a).

set(MYBLAS_HAVE_CUDA OFF)
string(TOUPPER "${MYBLAS_CUDA}" MYBLAS_CUDA)
if(NOT MYBLAS_CUDA STREQUAL "OFF")
  set(nvcc_hints "")
  if(CUDAToolkit_ROOT)
    set(nvcc_hints ${CUDAToolkit_ROOT}/bin)
  endif()
  find_program(MYBLAS_NVCC nvcc HINTS ${nvcc_hints} ENV CUDA_HOME ENV CUDA_PATH
               PATHS /usr/local/cuda/bin PATH_SUFFIXES bin)
  if(MYBLAS_NVCC)
    execute_process(COMMAND ${MYBLAS_NVCC} --version OUTPUT_VARIABLE nvcc_version)
    string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" _ "${nvcc_version}")
    set(MYBLAS_NVCC_VERSION ${CMAKE_MATCH_1})
    get_filename_component(nvcc_real ${MYBLAS_NVCC} REALPATH)
    get_filename_component(nvcc_root ${nvcc_real}/../.. REALPATH)
    find_path(MYBLAS_CUDA_INCLUDE_DIR cuda.h
              HINTS ${nvcc_root}/include ${nvcc_root}/targets/x86_64-linux/include
                    ${nvcc_root}/targets/sbsa-linux/include /usr/local/cuda/include)
  endif()
  if(MYBLAS_NVCC AND MYBLAS_CUDA_INCLUDE_DIR AND MYBLAS_NVCC_VERSION VERSION_GREATER_EQUAL 12.8)
    set(MYBLAS_HAVE_CUDA ON)
  elseif(MYBLAS_CUDA STREQUAL "ON")
    message(FATAL_ERROR "MYBLAS_CUDA=ON needs nvcc 12.8 or newer and cuda.h; found nvcc "
                        "'${MYBLAS_NVCC}' ${MYBLAS_NVCC_VERSION}")
  endif()
endif()

if(NOT MYBLAS_HAVE_CUDA)
  if(MYBLAS_NVCC AND NOT MYBLAS_CUDA STREQUAL "OFF")
    message(STATUS "myblas: ${MYBLAS_NVCC} is ${MYBLAS_NVCC_VERSION}; 12.8 or newer is needed")
  endif()
  message(STATUS "myblas: no CUDA: the CPU backend alone")
  return()
endif()

# `native`, by itself or beside other targets: the chips of this machine, as nvidia-smi names them.
set(MYBLAS_ARCH_LIST ${MYBLAS_ARCHS})
if("native" IN_LIST MYBLAS_ARCH_LIST)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE caps OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "MYBLAS_ARCHS=native: nvidia-smi does not answer; name the targets")
  endif()
  string(REPLACE "." "" caps "${caps}")
  string(REPLACE "\n" ";" caps "${caps}")
  list(REMOVE_ITEM MYBLAS_ARCH_LIST native)
  list(APPEND MYBLAS_ARCH_LIST ${caps})
endif()
# Hopper's own instructions need the a; its code runs on no other chip either way.
list(TRANSFORM MYBLAS_ARCH_LIST REPLACE "^90$" "90a")
list(REMOVE_DUPLICATES MYBLAS_ARCH_LIST)
message(STATUS "myblas: nvcc ${MYBLAS_NVCC_VERSION}, targets ${MYBLAS_ARCH_LIST}")

# -gencode flags for a family's targets. More than half of nvcc's time goes into PTX, so that plain
# targets share it: those of sm_8x, and those from sm_90 on (mostly sm_90 is listed as 90a, which
# shares with none; the PTX of later ones is unrolled otherwise). The lowest and the highest PTX are
# kept too: the highest for later chips, the lowest for chips between the listed ones.
function(myblas_gencode_flags out)
  set(plain ${ARGN})
  list(FILTER plain EXCLUDE REGEX "[a-z]$")
  list(SORT plain COMPARE NATURAL)
  set(own ${ARGN})
  list(FILTER own INCLUDE REGEX "[a-z]$")
  set(virtual "")  # of each group the lowest target, whose PTX it shares
  foreach(arch IN LISTS plain)
    set(group ${arch})
    if(arch GREATER_EQUAL 90)
      set(group 90+)
    elseif(arch MATCHES "^8")
      set(group 8x)
    endif()
    if(NOT DEFINED lowest_of_${group})
      set(lowest_of_${group} ${arch})
      list(APPEND virtual ${arch})
    endif()
    list(APPEND code_of_${lowest_of_${group}} sm_${arch})
  endforeach()
  if(virtual)
    list(GET virtual 0 lowest)
    list(GET virtual -1 highest)
    list(APPEND code_of_${lowest} compute_${lowest})
    list(APPEND code_of_${highest} compute_${highest})
  endif()
  set(flags "")
  foreach(arch IN LISTS virtual)
    list(REMOVE_DUPLICATES code_of_${arch})
    list(JOIN code_of_${arch} "," code)
    list(APPEND flags -gencode "arch=compute_${arch},code=[${code}]")
  endforeach()
  foreach(arch IN LISTS own)
    list(APPEND flags -gencode arch=compute_${arch},code=sm_${arch})
  endforeach()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

# Compiles the files to one fatbin each and embeds them in <target> as myblas_image_<stem>;
# kernel_images.inc lists them. A family that none of the targets runs is left out.
# ONE_A_GENERATION: of targets with the same major number the lowest alone, whose code runs on the
# others too: for kernels that are not scheduled for one chip's FFMA rate.
# PLAIN_90: 90a is plain 90, which shares its PTX with later targets: for kernels that use nothing of
# what sm_90a alone has.
function(myblas_kernel_image target family)
  cmake_parse_arguments(arg "ONE_A_GENERATION;PLAIN_90" "" "ARCHS" ${ARGN})
  set(archs "")
  foreach(arch IN LISTS MYBLAS_ARCH_LIST)
    string(REGEX MATCH "^[0-9]+" number ${arch})
    foreach(wanted IN LISTS arg_ARCHS)
      if(arch STREQUAL wanted OR (wanted MATCHES "^([0-9]+)[+]$" AND number GREATER_EQUAL CMAKE_MATCH_1))
        list(APPEND archs ${arch})
      elseif(wanted MATCHES "^([0-9]+)[0-9]f$")
        if(arch MATCHES "^${CMAKE_MATCH_1}[0-9][af]?$")
          # nvcc 12.8 knows no families: then the first chip of it alone.
          if(MYBLAS_NVCC_VERSION VERSION_LESS 12.9)
            string(REPLACE f a wanted ${wanted})
          endif()
          list(APPEND archs ${wanted})
        endif()
      elseif(wanted STREQUAL "-${arch}")
        list(REMOVE_ITEM archs ${arch})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES archs)
  set(plain ${archs})
  list(FILTER plain INCLUDE REGEX "^[0-9]+$")
  if(arg_PLAIN_90 AND plain)  # else there is nobody to share with
    list(TRANSFORM archs REPLACE "^90a$" 90)
  endif()
  if(arg_ONE_A_GENERATION)
    set(all ${archs})
    list(SORT all COMPARE NATURAL)
    set(archs "")
    set(generations "")
    foreach(arch IN LISTS all)
      string(REGEX MATCH "^[0-9]+" number ${arch})
      math(EXPR generation "${number} / 10")
      if(arch STREQUAL number AND NOT generation IN_LIST generations)
        list(APPEND generations ${generation})
        list(APPEND archs ${arch})
      elseif(NOT arch STREQUAL number)  # 90a: its code runs on that chip alone
        list(APPEND archs ${arch})
      endif()
    endforeach()
  endif()
  if(NOT archs)
    message(STATUS "myblas: no ${family} kernels: none of the targets runs them")
    return()
  endif()
  myblas_gencode_flags(gencode ${archs})
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(stem ${source} NAME_WE)
    set(fatbin ${CMAKE_CURRENT_BINARY_DIR}/${stem}.fatbin)
    add_custom_command(
      OUTPUT ${fatbin}
      COMMAND ${MYBLAS_NVCC} -fatbin -std=c++20 -O3 --threads 2 -Werror all-warnings
              -Xptxas --warn-on-spills ${gencode} -I${PROJECT_SOURCE_DIR}/src
              -MD -MF ${fatbin}.d -o ${fatbin} ${CMAKE_CURRENT_SOURCE_DIR}/${source}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source}
      DEPFILE ${fatbin}.d
      COMMENT "Compiling ${family} kernels (${stem}) for ${archs}"
      VERBATIM)
    set(assembly ${CMAKE_CURRENT_BINARY_DIR}/${stem}_image.S)
    file(CONFIGURE OUTPUT ${assembly} @ONLY CONTENT
"// The fatbin of @source@ as read-only data.
    .section .note.GNU-stack, \"\", %progbits
    .section .rodata
    .balign 64
    .global myblas_image_@stem@
    .hidden myblas_image_@stem@
myblas_image_@stem@:
    .incbin \"@fatbin@\"
")
    set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS ${fatbin})
    target_sources(${target} PRIVATE ${assembly})
    set_property(TARGET ${target} APPEND PROPERTY MYBLAS_IMAGES "MYBLAS_IMAGE(${stem})")
  endforeach()
endfunction()
