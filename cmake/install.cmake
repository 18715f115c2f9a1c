# What `cmake --install` installs: headers, library, CMake package, pkg-config file. The components
# are what packages are made of: the shared library alone, and what programmers need besides.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/guira)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS guira EXPORT guira
  LIBRARY COMPONENT library NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development)
install(DIRECTORY include/guira DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# guira has no dependencies that a user must find, so the exported targets are the whole package.
install(EXPORT guira NAMESPACE guira:: FILE guiraConfig.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/guiraConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/guiraConfigVersion.cmake DESTINATION ${package_dir})

# Paths in guira.pc start from its own folder, so the installed tree can be moved, and
# `cmake --install --prefix` is right too.
set(pkgconfig_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${pkgconfig_dir} OUTPUT_VARIABLE prefix_from_pc)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR
  BASE_DIRECTORY ${pkgconfig_dir} OUTPUT_VARIABLE include_from_pc)
configure_file(cmake/guira.pc.in guira.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/guira.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMENT "Removing what was installed" VERBATIM
    COMMAND ${CMAKE_COMMAND} -D MANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
      -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake)
endif()
