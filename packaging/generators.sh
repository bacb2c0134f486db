#!/bin/sh
# Builds of llama.cpp for different processors. `generators.sh flags` prints the settings of the fastest build for this machine.
# `generators.sh all` makes every build for this architecture in target/dist, for the packages;
# crates/models/src/generate/program.rs selects one of them at run time.
set -eu
cd "$(dirname "$0")/.."
exe=
case $(uname -s) in MINGW* | MSYS*) exe=.exe ;; esac

avx512="GGML_AVX512=ON GGML_AVX512_VNNI=ON"
avxvnni="GGML_AVX_VNNI=ON"
sse42="GGML_AVX=OFF GGML_AVX2=OFF GGML_FMA=OFF GGML_F16C=OFF GGML_BMI2=OFF"

has() {
    for flag in "$@"; do
        grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null | grep -qw "$flag" || return 1
    done
}

# build PROGRAM VARIABLE=VALUE...: llama.cpp's build reads GGML_ settings from the environment. Each build has its own folder.
build() {
    program=$1
    shift
    env "$@" cargo build --locked --profile dist -p oriel-generator --target-dir "target/$program"
    mkdir -p target/dist
    cp -f "target/$program/dist/oriel-generator$exe" "target/dist/$program$exe"
}

case $(uname -m)/$1 in
x86_64/all | amd64/all)
    # The packages must not depend on the settings for this machine.
    unset GGML_AVX512 GGML_AVX512_VNNI GGML_AVX_VNNI GGML_AVX GGML_AVX2 GGML_FMA GGML_F16C GGML_BMI2
    build oriel-generator
    # shellcheck disable=SC2086 # each is a list of words
    {
        build oriel-generator-avx512 $avx512
        build oriel-generator-avxvnni $avxvnni
        build oriel-generator-sse42 $sse42
    }
    ;;
*/all) build oriel-generator ;;
x86_64/flags)
    if has avx2 avx512f avx512cd avx512bw avx512dq avx512vl avx512_vnni; then
        echo "$avx512"
    elif has avx2 avx_vnni; then
        echo "$avxvnni"
    elif [ -r /proc/cpuinfo ] && ! has avx2 fma f16c bmi2; then
        echo "$sse42"
    fi
    ;;
esac
