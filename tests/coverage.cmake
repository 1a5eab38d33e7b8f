# Promise: the tests reach the runtime's branches. Runs the tests of the runtime that are linked with an instrumented
# copy of it, prints line and branch coverage by file, and fails below 95 % of the branches.
# Needs -DGCOVR= -DGCOV= -DROOT= -DOBJECTS= (the folder of the instrumented objects) -DTESTS= (the programs, commas between).
cmake_minimum_required(VERSION 3.20)
file(GLOB_RECURSE old ${OBJECTS}/*.gcda)
if(old)
  file(REMOVE ${old})
endif()
string(REPLACE "," ";" tests "${TESTS}")
foreach(test IN LISTS tests)
  execute_process(COMMAND ${test} RESULT_VARIABLE failed OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(failed)
    message(FATAL_ERROR "${test} failed:\n${text}")
  endif()
endforeach()
foreach(what "" --branches)
  execute_process(COMMAND ${GCOVR} --root ${ROOT} --filter ${ROOT}/runtime/ --gcov-executable ${GCOV} ${what}
      --fail-under-branch 95 ${OBJECTS}
    RESULT_VARIABLE failed OUTPUT_VARIABLE text ERROR_VARIABLE errors)
  string(REGEX REPLACE "-----+\n| *GCC Code[^\n]*\n|Directory:[^\n]*\n" "" text "${text}")
  message("${text}")
  if(failed)
    message(FATAL_ERROR "coverage of runtime/: ${errors}")
  endif()
endforeach()
