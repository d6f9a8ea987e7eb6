# SPDX-License-Identifier: BSD-3-Clause
# cmake --install, the CMake and pkg-config packages, and CPack (.deb, .tar.gz).
include(CMakePackageConfigHelpers)

# The packages find what belongs to them by relative paths, wherever the tree is moved to.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR must be relative to the prefix, not ${CMAKE_INSTALL_LIBDIR}")
endif()

set(MYBLAS_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/myblas)
set(MYBLAS_COMPAT_DIR ${CMAKE_INSTALL_INCLUDEDIR}/myblas/compat)

# The same target names for an installed myblas and for one added by add_subdirectory.
if(NOT TARGET myblas::myblas)
  add_library(myblas::myblas ALIAS myblas)
endif()
set_target_properties(myblas PROPERTIES EXPORT_NAME myblas)
install(TARGETS myblas EXPORT myblasTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/myblas.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

if(TARGET myblas_cublas)
  if(NOT TARGET myblas::cublas)
    add_library(myblas::cublas ALIAS myblas_cublas)
  endif()
  set_target_properties(myblas_cublas PROPERTIES EXPORT_NAME cublas)
  install(TARGETS myblas_cublas EXPORT myblasTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${MYBLAS_COMPAT_DIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat/ DESTINATION ${MYBLAS_COMPAT_DIR}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
endif()

# Under cuBLAS's own names, in a folder of their own that no loader searches by itself.
foreach(target myblas_cublas_so13 myblas_cublas_so12 myblas_cublaslt_so13 myblas_cublaslt_so12)
  if(TARGET ${target})
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/myblas NAMELINK_SKIP)
  endif()
endforeach()
if(TARGET myblas_cublas_so13)
  set(link ${PROJECT_BINARY_DIR}/packaging/libcublas.so)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/packaging)
  file(CREATE_LINK ../libmyblas_cublas.so.1 ${link} SYMBOLIC)
  install(FILES ${link} DESTINATION ${CMAKE_INSTALL_LIBDIR}/myblas)
endif()

foreach(program myblas-info myblas-run) # myblas-bench installs itself, with its data
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

# ---- pkg-config: paths relative to the .pc file, so that the tree can be moved ------------------
set(MYBLAS_PC_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH MYBLAS_PC_TO_PREFIX /prefix/${MYBLAS_PC_DIR} /prefix)
string(REGEX REPLACE "/$" "" MYBLAS_PC_TO_PREFIX "${MYBLAS_PC_TO_PREFIX}")
foreach(package myblas myblas-cublas)
  configure_file(${PROJECT_SOURCE_DIR}/pkgconfig/${package}.pc.in
    ${PROJECT_BINARY_DIR}/packaging/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/packaging/${package}.pc DESTINATION ${MYBLAS_PC_DIR})
endforeach()

# ---- find_package(myblas) ------------------------------------------------------------------------
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/myblasConfig.cmake.in
  ${PROJECT_BINARY_DIR}/packaging/myblasConfig.cmake INSTALL_DESTINATION ${MYBLAS_CMAKE_DIR})
# Below 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/packaging/myblasConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/packaging/myblasConfig.cmake
  ${PROJECT_BINARY_DIR}/packaging/myblasConfigVersion.cmake DESTINATION ${MYBLAS_CMAKE_DIR})
install(EXPORT myblasTargets NAMESPACE myblas:: DESTINATION ${MYBLAS_CMAKE_DIR})

# ---- CPack ---------------------------------------------------------------------------------------
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_NAME myblas)
set(CPACK_PACKAGE_VENDOR "myblas")
set(CPACK_PACKAGE_CONTACT "myblas developers <myblas@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
  "Serves cuBLAS's GEMM calls with kernels of its own on NVIDIA GPUs, with OpenBLAS where\n there \
is no GPU, and hands everything else to cuBLAS if it is installed.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME
  myblas-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.34), libgcc-s1, libstdc++6")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libopenblas0")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libcuda1")
file(WRITE ${PROJECT_BINARY_DIR}/packaging/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/packaging/triggers)
if(PROJECT_IS_TOP_LEVEL)
  include(CPack)
endif()
