# Debian packages that carry the weight outside of what hone exists for. Everything but libc, libm and the loader is linked
# statically, so that the binary runs on machines without any of them; fmt has no static library, so its one file is compiled in.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_library(HONE_SECCOMP libseccomp.a REQUIRED)
find_library(HONE_CRYPTO libcrypto.a REQUIRED)
find_library(HONE_FFI libffi.a REQUIRED)

add_library(hone_fmt STATIC ${CMAKE_SOURCE_DIR}/cmake/fmt_static.cc)
target_compile_features(hone_fmt PUBLIC cxx_std_20)

add_library(hone_third_party INTERFACE)
target_compile_definitions(hone_third_party INTERFACE TOML_HEADER_ONLY=1 TOML_EXCEPTIONS=0 OPENSSL_SUPPRESS_DEPRECATED)
target_link_libraries(hone_third_party INTERFACE hone_fmt ${HONE_SECCOMP} ${HONE_CRYPTO} ${HONE_FFI} Threads::Threads dl)

if(HONE_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  find_library(HONE_RAPIDCHECK rapidcheck REQUIRED)
  add_library(hone_test_main INTERFACE)
  target_link_libraries(hone_test_main INTERFACE GTest::gmock_main ${HONE_RAPIDCHECK})
  if(HONE_SANITIZE)
    target_sources(hone_test_main INTERFACE ${CMAKE_SOURCE_DIR}/cmake/sanitizer_defaults.cc)
  endif()
endif()
