# find_package(noisec [COMPONENTS static|shared]) gives
#   noisec::noisert   the runtime: evaluates compiled programs
#   noisec::noisec    the compiler as a library; brings the runtime along
#   noisec::cli       the command, for $<TARGET_FILE:noisec::cli>
# The libraries are static ones, unless the component or BUILD_SHARED_LIBS says shared. The ones with _static and
# _shared behind their names are always there.
include(${CMAKE_CURRENT_LIST_DIR}/noisecTargets.cmake)

set(noisec_kind static)
if(BUILD_SHARED_LIBS)
  set(noisec_kind shared)
endif()
foreach(component IN LISTS noisec_FIND_COMPONENTS)
  if(component STREQUAL "static" OR component STREQUAL "shared")
    set(noisec_kind ${component})
  elseif(noisec_FIND_REQUIRED_${component})
    set(noisec_FOUND FALSE)
    set(noisec_NOT_FOUND_MESSAGE "noisec has the components static and shared, not ${component}")
  endif()
endforeach()
foreach(library noisert noisec)
  if(NOT TARGET noisec::${library})
    add_library(noisec::${library} ALIAS noisec::${library}_${noisec_kind})
  endif()
endforeach()
