#!/bin/sh
# Runs every target, or those named, for RUNS inputs each (default 1000000), seeds first.
#   fuzz/run.sh            all targets
#   RUNS=50000 fuzz/run.sh body time
set -eu
cd "$(dirname "$0")"
[ $# -gt 0 ] || set -- body cursor accept_language time zpl pdf xlsx carrier ipp
for target in "$@"; do
    mkdir -p "corpus/$target"
    set -- "corpus/$target" "seeds/$target" --
    if [ -f "$target.dict" ]; then set -- "$@" "-dict=$target.dict"; fi
    # Papers are drawn and compressed: to trace every comparison of that takes most of the time.
    case $target in
    zpl | pdf | xlsx | carrier) build="--features paper --no-trace-compares" ;;
    ipp) build="--features printing" ;;
    *) build= ;;
    esac
    # No address sanitizer: nothing of ours is unsafe, and it doubles the time.
    # shellcheck disable=SC2086
    cargo +nightly fuzz run --sanitizer none --codegen-units 8 $build "$target" "$@" \
        "-runs=${RUNS:-1000000}" -max_len=4096 -timeout=10 -print_final_stats=1
done
