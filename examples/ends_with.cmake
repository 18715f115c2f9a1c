# cmake -D STATUS=N -P ends_with.cmake -- PROGRAM [ARGUMENT...]
#
# Fails unless the program ends with status N. CTest by itself tells only zero from the rest, and a
# crash would pass for a refusal.
set(command)
set(found FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(found)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(found TRUE)
  endif()
endforeach()

execute_process(COMMAND ${command} RESULT_VARIABLE status)
if(NOT status STREQUAL STATUS)
  message(FATAL_ERROR "it ended with ${status}, not with ${STATUS}")
endif()
