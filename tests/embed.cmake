# Tests of what other projects see of us: the headers, the symbols, the installation, the example hosts.

# Each header compiles alone, as C and as C++, strictly. That it compiles is the test.
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
  set(CMAKE_CXX_STANDARD 11)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_EXTENSIONS OFF)
else()
  message(STATUS "tests of the headers in C++: off, no C++ compiler (Debian: g++)")
endif()
set(alone)
foreach(header nz_common noisert noisec)
  foreach(language c cpp)
    if(language STREQUAL "c" OR CMAKE_CXX_COMPILER)
      set(file ${CMAKE_CURRENT_BINARY_DIR}/alone_${header}.${language})
      file(CONFIGURE OUTPUT ${file} CONTENT "#include <${header}.h>\n#include <${header}.h>\nint alone_${header}_${language};\n")
      list(APPEND alone ${file})
    endif()
  endforeach()
endforeach()
add_library(headers_alone OBJECT ${alone})
target_include_directories(headers_alone PRIVATE ${PROJECT_SOURCE_DIR}/compiler ${PROJECT_SOURCE_DIR}/runtime)
target_compile_options(headers_alone PRIVATE -Werror)

# C++ hosts, linked with the static and with the shared libraries
if(CMAKE_CXX_COMPILER)
  foreach(kind static shared)
    add_executable(embed_cpp_${kind} embed.cpp)
    target_compile_options(embed_cpp_${kind} PRIVATE -Werror)
    target_link_libraries(embed_cpp_${kind} PRIVATE noisec_${kind})
    add_test(NAME cpp_${kind} COMMAND embed_cpp_${kind})
    set_tests_properties(cpp_${kind} PROPERTIES PASS_REGULAR_EXPRESSION "^fine")
  endforeach()
endif()

# what the libraries show, and that they keep nothing between calls
if(CMAKE_NM AND CMAKE_READELF AND NOT NOISEC_SANITIZE)
  add_test(NAME symbols COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DREADELF=${CMAKE_READELF}
    -DRUNTIME=$<TARGET_FILE:noisert_shared> -DCOMPILER=$<TARGET_FILE:noisec_shared>
    -DRUNTIME_ARCHIVE=$<TARGET_FILE:noisert_static> -DCOMPILER_ARCHIVE=$<TARGET_FILE:noisec_static>
    -DROOT=${PROJECT_SOURCE_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/symbols.cmake)
endif()

# 32 bits; where the GPU tests run, on all the programs that they make
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64" AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND NOT NOISEC_SANITIZE)
  add_dependencies(headers_alone sums)                            # so that it is built
  set(programs ${PROJECT_SOURCE_DIR}/examples)
  if(NOISEC_HAVE_GPU)
    set(programs ${programs},${CMAKE_CURRENT_BINARY_DIR}/programs)
  endif()
  add_test(NAME m32 COMMAND ${CMAKE_COMMAND} -DCC=${CMAKE_C_COMPILER} -DROOT=${PROJECT_SOURCE_DIR} -DBUILD=${PROJECT_BINARY_DIR}/m32
    -DSUMS=$<TARGET_FILE:sums> -DPROGRAMS=${programs} -P ${CMAKE_CURRENT_SOURCE_DIR}/m32.cmake)
  set_tests_properties(m32 PROPERTIES DEPENDS "library;random")
endif()

# the example hosts
add_executable(live ${PROJECT_SOURCE_DIR}/examples/embed/live.c)
target_link_libraries(live PRIVATE noisec::noisec)
set(world ${CMAKE_CURRENT_BINARY_DIR}/embed/world.h)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/embed)
add_custom_command(OUTPUT ${world} COMMAND noisec ${PROJECT_SOURCE_DIR}/examples/embed/world.noise -t program --header ${world}
  DEPENDS noisec ${PROJECT_SOURCE_DIR}/examples/embed/world.noise VERBATIM)
add_executable(game ${PROJECT_SOURCE_DIR}/examples/embed/game.c ${world})
target_include_directories(game PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embed)
target_link_libraries(game PRIVATE noisec::noisert)
noisec_test(embed command)
target_compile_definitions(test_embed PRIVATE GAME="$<TARGET_FILE:game>" CC="${CMAKE_C_COMPILER}" CXX="${CMAKE_CXX_COMPILER}")
add_dependencies(test_embed noisec game)

# the installation
if(NOISEC_INSTALL AND NOT NOISEC_SANITIZE)
  find_program(PKG_CONFIG pkg-config)
  add_test(NAME install COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DROOT=${PROJECT_SOURCE_DIR} -DSCRATCH=${PROJECT_BINARY_DIR}/install-test
    -DCC=${CMAKE_C_COMPILER} -DCXX=${CMAKE_CXX_COMPILER} -DPKG_CONFIG=$<$<BOOL:${PKG_CONFIG}>:${PKG_CONFIG}> -DVERSION=${PROJECT_VERSION}
    -DLIVE=$<TARGET_FILE:live> -P ${CMAKE_CURRENT_SOURCE_DIR}/install.cmake)
endif()

# the manual page
if(NOISEC_INSTALL)
  find_program(GROFF groff)
  add_test(NAME manual COMMAND ${CMAKE_COMMAND} -DNOISEC=$<TARGET_FILE:noisec> -DPAGE=${PROJECT_BINARY_DIR}/noisec.1
    -DGROFF=$<$<BOOL:${GROFF}>:${GROFF}> -P ${CMAKE_CURRENT_SOURCE_DIR}/manual.cmake)
endif()
