# Read by CMake at the beginning of llama.cpp's build, see .cargo/config.toml. `llama-cpp-2` cannot switch off the library of
# llama.cpp's own programs (chat templates, JSON, downloads): it takes half of the build, and nothing of it is used here.
set(LLAMA_BUILD_COMMON OFF CACHE BOOL "" FORCE)
