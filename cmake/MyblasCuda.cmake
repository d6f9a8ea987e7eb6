# SPDX-License-Identifier: BSD-3-Clause
# Finds nvcc, resolves MYBLAS_ARCHS, and compiles device code to fatbin images that are embedded
# in the library as data (docs/adr/0006). Sets
#   MYBLAS_HAVE_CUDA, MYBLAS_NVCC, MYBLAS_CUDA_INCLUDE_DIR, MYBLAS_ARCH_LIST
# and defines myblas_kernel_image(<target> <family> <file.cu>... ARCHS <all | list>).

set(MYBLAS_HAVE_CUDA OFF)
if(NOT MYBLAS_CUDA STREQUAL "OFF")
  find_program(MYBLAS_NVCC nvcc HINTS ${CUDAToolkit_ROOT}/bin ENV CUDA_HOME ENV CUDA_PATH
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
  message(STATUS "myblas: no CUDA: the CPU backend alone")
  return()
endif()

# `native`: the chips of this machine, as nvidia-smi names them.
if(MYBLAS_ARCHS STREQUAL "native")
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE caps OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "MYBLAS_ARCHS=native: nvidia-smi does not answer; name the targets")
  endif()
  string(REPLACE "." "" caps "${caps}")
  string(REPLACE "\n" ";" caps "${caps}")
  list(REMOVE_DUPLICATES caps)
  list(TRANSFORM caps REPLACE "^90$" "90a")
  set(MYBLAS_ARCH_LIST ${caps})
else()
  set(MYBLAS_ARCH_LIST ${MYBLAS_ARCHS})
endif()
message(STATUS "myblas: nvcc ${MYBLAS_NVCC_VERSION}, targets ${MYBLAS_ARCH_LIST}")

# -gencode flags for a family's targets. The lowest and the highest plain target also give PTX:
# the highest for later chips, the lowest for chips between the listed ones.
function(myblas_gencode_flags out)
  set(flags "")
  set(plain ${ARGN})
  list(FILTER plain EXCLUDE REGEX "[a-z]$")
  foreach(arch IN LISTS ARGN)
    list(APPEND flags -gencode arch=compute_${arch},code=sm_${arch})
  endforeach()
  if(plain)
    list(SORT plain COMPARE NATURAL)
    list(GET plain 0 lowest)
    list(GET plain -1 highest)
    foreach(arch IN LISTS lowest highest)
      list(APPEND flags -gencode arch=compute_${arch},code=compute_${arch})
    endforeach()
    list(REMOVE_DUPLICATES plain)
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

# Compiles the files to one fatbin each and embeds them in <target> as
# myblas_image_<stem>, with myblas_image_<stem>_end behind it; kernel_images.inc lists them.
function(myblas_kernel_image target family)
  cmake_parse_arguments(arg "" "" "ARCHS" ${ARGN})
  set(archs ${arg_ARCHS})
  if(archs STREQUAL "all")
    set(archs ${MYBLAS_ARCH_LIST})
  else()
    set(wanted ${archs})
    set(archs "")
    foreach(arch IN LISTS wanted)
      if(arch IN_LIST MYBLAS_ARCH_LIST)
        list(APPEND archs ${arch})
      endif()
    endforeach()
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
    .global myblas_image_@stem@_end
    .hidden myblas_image_@stem@_end
myblas_image_@stem@_end:
")
    set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS ${fatbin})
    target_sources(${target} PRIVATE ${assembly})
    set_property(TARGET ${target} APPEND PROPERTY MYBLAS_IMAGES "MYBLAS_IMAGE(${stem})")
  endforeach()
endfunction()
