# shellcheck shell=bash
# Builds the programs that a benchmark measures. To be sourced in the root of the checkout.
#
# XFERLOG_BENCHMARK_CHECKOUT names the checkout to build, which is another one for `run --compare`. XFERLOG_BENCHMARK_PROGRAMS names a
# directory of programs that are built already.
checkout=${XFERLOG_BENCHMARK_CHECKOUT:-.}

# Prints the path of a program of the package, such as xferlog.
program() {
  if [ -n "${XFERLOG_BENCHMARK_PROGRAMS:-}" ]; then
    echo "$XFERLOG_BENCHMARK_PROGRAMS/$1"
    return
  fi
  swift build -c release --package-path "$checkout" --product "$1" >&2
  echo "$(swift build -c release --package-path "$checkout" --show-bin-path)/$1"
}

# Prints the path of a program of the benchmarks' own package, such as EmissionBenchmark, which contains the measured library.
benchmark_program() {
  if [ -n "${XFERLOG_BENCHMARK_PROGRAMS:-}" ]; then
    echo "$XFERLOG_BENCHMARK_PROGRAMS/$1"
    return
  fi
  swift build -c release --package-path "$checkout/Tests/Benchmarks" --product "$1" >&2
  echo "$(swift build -c release --package-path "$checkout/Tests/Benchmarks" --show-bin-path)/$1"
}

# Prints the path of the program that writes the logs, which is always this checkout's.
log_writer() { checkout=. benchmark_program ReplayBenchmark; }

# Adds a figure to the table of `run`: NAME VALUE UNIT [--peer NAME VALUE] [--goal GOAL].
record() { PYTHONDONTWRITEBYTECODE=1 python3 Tests/Benchmarks/figures.py record "$@"; }
