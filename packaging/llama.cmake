# CMake reads this file at the beginning of llama.cpp's build, see .cargo/config.toml. `llama-cpp-2` cannot switch off the library
# of llama.cpp's own programs (chat templates, JSON, downloads). It takes half of the build time, and Oriel does not use it.
set(LLAMA_BUILD_COMMON OFF CACHE BOOL "" FORCE)
