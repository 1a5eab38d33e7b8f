# What an installation has: the command and its manual page, both libraries static and shared, three headers, a CMake package and
# pkg-config files. All of it may be moved: no file names the prefix.
include(CMakePackageConfigHelpers)

set_target_properties(noisec PROPERTIES EXPORT_NAME cli)
install(TARGETS noisec noisert_static noisert_shared noisec_static noisec_shared EXPORT noisecTargets)
install(FILES runtime/nz_common.h runtime/noisert.h compiler/noisec.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# the manual page, made of the help texts
set(MANUAL ${PROJECT_BINARY_DIR}/noisec.1)
add_custom_command(OUTPUT ${MANUAL}
  COMMAND ${PROJECT_SOURCE_DIR}/cmake/manual.sh $<TARGET_FILE:noisec> ${PROJECT_VERSION} > ${MANUAL}
  DEPENDS noisec cmake/manual.sh VERBATIM)
add_custom_target(manual ALL DEPENDS ${MANUAL})
install(FILES ${MANUAL} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

set(PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/noisec)
install(EXPORT noisecTargets NAMESPACE noisec:: DESTINATION ${PACKAGE})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/noisecConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/noisecConfig.cmake ${PROJECT_BINARY_DIR}/noisecConfigVersion.cmake DESTINATION ${PACKAGE})

set(PKGCONFIG ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH UP ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(NOISEC_INCLUDE "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
set(NOISEC_LIB "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
foreach(name noisert noisec)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${PKGCONFIG})
endforeach()
