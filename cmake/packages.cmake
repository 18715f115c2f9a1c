# What `cpack` and `./dev packages` make: Debian packages of the shared library, of what it takes to
# compile against it, and of the command. docs/packages.md is about them.
set(GUIRA_PACKAGE_MAINTAINER "guira contributors <contributors@guira.invalid>" CACHE STRING
  "Name and address that the packages give")

# Beside the shared library programmers get the same objects as an archive: guira::guira_static.
add_library(guira_archive STATIC $<TARGET_OBJECTS:guira_objects>)
set_target_properties(guira_archive PROPERTIES
  LINKER_LANGUAGE C OUTPUT_NAME guira EXPORT_NAME guira_static)
target_include_directories(guira_archive INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(guira_archive PRIVATE m)
install(TARGETS guira_archive EXPORT guira COMPONENT development)

set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL library development tools)
set(CPACK_PACKAGE_CONTACT ${GUIRA_PACKAGE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SOURCE guira)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(deb_version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
get_target_property(soversion guira SOVERSION)
set(library_package libguira${soversion})

set(about_guira "A filter of guira stands for a set of keys in little memory and tells whether
a key is in it: always if it is, and wrongly if it is not at a rate that is
chosen beforehand. Keys can be removed.
")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "cuckoo filter shared by many threads
${about_guira}Any number of threads may use one filter at the same time.
.
This package holds the shared library.")
# The staging script writes these, and what the package depends on: what cpack can do itself calls
# ldconfig from scripts, where Debian wants a trigger, and knows no symbols.
set(control_dir ${PROJECT_BINARY_DIR}/packages/debian/${library_package}/DEBIAN)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
  ${control_dir}/symbols ${control_dir}/shlibs ${control_dir}/triggers)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libguira-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library_package} (= ${deb_version})")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "cuckoo filter shared by many threads (development files)
${about_guira}Any number of threads may use one filter at the same time.
.
This package holds the headers for C and C++, the library to link statically,
what CMake and pkg-config find it by, the documents and the examples.")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME guira-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "sets of lines in little memory
${about_guira}.
This package holds the command guira, which builds, queries, changes and merges
filters of the lines of texts.")

# Between installing into the packages' folders and packing them.
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_BINARY_DIR}/packages/stage.cmake)
configure_file(cmake/packages/stage.cmake.in packages/stage.cmake @ONLY)

include(CPack)
