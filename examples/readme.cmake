# cmake -D README=FILE -D QUICK=FILE -D SIZES=PROGRAM -P readme.cmake
#
# Fails unless the README contains the text of examples/quick.c as a block of C, and what the program
# examples/sizes.c prints.
file(READ ${README} readme)
file(READ ${QUICK} quick)
execute_process(COMMAND ${SIZES} OUTPUT_VARIABLE sizes COMMAND_ERROR_IS_FATAL ANY)

string(FIND "${readme}" "```c\n${quick}```\n" at)
if(at EQUAL -1)
  message(FATAL_ERROR "README.md does not show examples/quick.c as it is")
endif()
string(FIND "${readme}" "\n${sizes}\n" at)
if(at EQUAL -1)
  message(FATAL_ERROR "README.md does not show the table that examples/sizes.c prints:\n${sizes}")
endif()
