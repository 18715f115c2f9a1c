# The target uninstall: removes the files that `cmake --install` listed in MANIFEST, and the folders
# called guira if they are then empty; others may be there for other reasons. DESTDIR is to be what
# it was when they were installed.
if(NOT EXISTS "${MANIFEST}")
  message(FATAL_ERROR "Nothing is installed from here: ${MANIFEST} is missing")
endif()

file(STRINGS "${MANIFEST}" files)
set(folders)
foreach(file IN LISTS files)
  set(file "$ENV{DESTDIR}${file}")
  message(STATUS "Removing: ${file}")
  file(REMOVE "${file}")
  if(EXISTS "${file}" OR IS_SYMLINK "${file}")
    message(FATAL_ERROR "It could not be removed")
  endif()
  cmake_path(GET file PARENT_PATH folder)
  list(APPEND folders "${folder}")
endforeach()

list(REMOVE_DUPLICATES folders)
list(FILTER folders INCLUDE REGEX "/guira$")
foreach(folder IN LISTS folders)
  execute_process(COMMAND rmdir "${folder}" ERROR_QUIET) # which takes no folder that has something
endforeach()
file(REMOVE "${MANIFEST}")
