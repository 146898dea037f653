#!/bin/bash
# Feeds generated output to the emulator for SECONDS (default: 60); fails on a trap, a hang, or unbounded memory use.
#
# usage: run.sh [SECONDS [CORPUS]]
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
build=.build/fuzz
corpus=${2:-$build/corpus}
mkdir -p "$build/CLinux" "$corpus"
echo "module CLinux { umbrella \"$PWD/Sources/CLinux/include\" export * }" >"$build/CLinux/module.modulemap"
flags=(-O -swift-version 6 -package-name vt -sanitize=fuzzer,address -parse-as-library -module-cache-path "$build/cache"
    -I "$build" -I "$build/CLinux" -enable-upcoming-feature MemberImportVisibility -strict-memory-safety
    -suppress-warnings -enable-upcoming-feature NonisolatedNonsendingByDefault -enable-upcoming-feature ExistentialAny)

for source in Sources/CLinux/*.c; do
    clang -O1 -ISources/CLinux/include -c "$source" -o "$build/$(basename "$source" .c).o"
done
for module in Core Terminal; do
    mapfile -t sources < <(find "Sources/$module" -name '*.swift' | sort)
    swiftc "${flags[@]}" -wmo -module-name $module -emit-module -emit-module-path "$build/$module.swiftmodule" \
        -c "${sources[@]}" -o "$build/$module.o"
done
swiftc "${flags[@]}" -module-name TerminalFuzz Tests/Fuzz/TerminalFuzz.swift "$build"/*.o \
    -o "$build/terminal-fuzz"
"$build/terminal-fuzz" "$corpus" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=1024 \
    -artifact_prefix="$build/" -print_final_stats=1
