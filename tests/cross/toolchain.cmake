# For cmake --toolchain: Debian's cross compiler for GUIRA_MACHINE, and qemu to run what it makes.
# GUIRA_HEADERS is the folder with the headers of ConcurrencyKit and xxHash.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GUIRA_MACHINE GUIRA_HEADERS)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${GUIRA_MACHINE})

set(libraries gnu)
if(GUIRA_MACHINE STREQUAL arm)
  set(libraries gnueabihf)
endif()
set(triple ${GUIRA_MACHINE}-linux-${libraries})
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_CXX_COMPILER NOTFOUND)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${GUIRA_MACHINE} -L /usr/${triple})

set(GUIRA_CK_INCLUDE_DIR ${GUIRA_HEADERS})
set(GUIRA_XXHASH_INCLUDE_DIR ${GUIRA_HEADERS})
set(ENV{PKG_CONFIG_LIBDIR} ${CMAKE_CURRENT_LIST_DIR}/foreign)
