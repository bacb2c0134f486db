#!/bin/sh
# Builds the program that runs llama.cpp for the processors of this machine's kind: `generators.sh TARGET here` makes the one
# build that is fastest on this machine, `generators.sh TARGET all` every one. They go to TARGET/release. Which of them
# runs is decided at run time, by crates/models/src/generate/program.rs.
set -eu
cd "$(dirname "$0")/.."
target=$1
which=$2
exe=
case $(uname -s) in MINGW* | MSYS*) exe=.exe ;; esac

# build NAME VARIABLE=VALUE...: llama.cpp's build takes GGML_ settings from the environment, so each has a folder of its own.
build() {
    name=$1
    shift
    env "$@" cargo build --locked --release -p oriel-generator --target-dir "$target/$name"
    mkdir -p "$target/release"
    cp -f "$target/$name/release/oriel-generator$exe" "$target/release/oriel-generator-$name$exe"
}

has() {
    for flag in "$@"; do
        grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null | grep -qw "$flag" || return 1
    done
}

avx512() { build avx512 GGML_AVX512=ON GGML_AVX512_VNNI=ON; }
avxvnni() { build avxvnni GGML_AVX_VNNI=ON; }
plain() { cargo build --locked --release -p oriel-generator --target-dir "$target"; }
sse42() { build sse42 GGML_AVX=OFF GGML_AVX2=OFF GGML_FMA=OFF GGML_F16C=OFF GGML_BMI2=OFF; }

case $(uname -m)/$which in
x86_64/all | amd64/all)
    plain
    avx512
    avxvnni
    sse42
    ;;
x86_64/here)
    if has avx2 avx512f avx512cd avx512bw avx512dq avx512vl avx512_vnni; then
        avx512
    elif has avx2 avx_vnni; then
        avxvnni
    elif [ -r /proc/cpuinfo ] && ! has avx2 fma f16c bmi2; then
        sse42
    else
        plain
    fi
    ;;
*) plain ;;
esac
