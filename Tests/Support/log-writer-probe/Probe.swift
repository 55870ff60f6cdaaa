import CXferPlatform
import Foundation
import LogTestSupport
import Synchronization
import XferEvents
import XferLogStore

/// Writes a log for a test that kills it, forks it or takes its room away.
///
/// `log-writer-probe MODE LOG KEY=VALUE…`; each mode is a function below.
@main
enum Probe {
  static func main() { Writer(arguments: Array(CommandLine.arguments.dropFirst())).run() }
}

/// So many events a second, counted from its beginning.
private struct Pace {
  /// 0 for no limit.
  let rate: Int
  private let start = xp_clock_monotonic()

  init(rate: Int) { self.rate = rate }

  func wait(until count: Int) {
    guard rate > 0 else { return }
    let ahead = start + Int64(count) * 1_000_000_000 / Int64(rate) - xp_clock_monotonic()
    // Shorter ones are not worth a call.
    if ahead > 1_000_000 { usleep(UInt32(clamping: ahead / 1000)) }
  }
}

// Not in `main`, whose closures belong to the main actor.
private final class Writer: Sendable {
  private let mode: String
  private let directory: String
  private let options: [String: String]
  private let clockOffset = Atomic<Int64>(0)

  init(arguments: [String]) {
    mode = arguments[0]
    directory = arguments[1]
    var options: [String: String] = [:]
    for argument in arguments.dropFirst(2) {
      let parts = argument.split(separator: "=", maxSplits: 1)
      options[String(parts[0])] = String(parts[1])
    }
    self.options = options
  }

  private func number(_ key: String, default value: Int) -> Int { options[key].flatMap(Int.init) ?? value }

  private func open() -> EventLog {
    var configuration = LogConfiguration(role: .tool, privacy: Workload.policy)
    configuration.forcesAppending = options["appending"] == "1"
    configuration.maximumSegmentAge = options["age"].flatMap(Int.init).map { .milliseconds($0) }
    configuration.killHook = options["kill"].flatMap(KillHook.init)
    configuration.clock = LogClock(
      monotonic: { xp_clock_monotonic() + self.clockOffset.load(ordering: .relaxed) },
      boottime: { xp_clock_boottime() }, wall: { xp_clock_wall() })
    do throws(LogError) {
      return try EventLog(directory: directory, configuration: configuration)
    } catch {
      print(error)
      exit(3)
    }
  }

  func run() {
    switch mode {
    case "write": write()
    case "fork": forkAmidWriting()
    case "fork-threads": forkFromThreads()
    case "limit": runIntoLimit()
    default: exit(2)
    }
  }

  /// Writes `count` events in each of `threads` threads, numbered from `first`, each `large`th a large one, at most `rate` a
  /// second; acknowledges each that has returned.
  private func write() {
    let acknowledged = Acknowledgements(path: options["ack"]!)
    let log = open()
    let first = number("first", default: 0)
    let count = number("count", default: .max)
    let large = number("large", default: .max)
    let pace = Pace(rate: number("rate", default: 0))
    SystemThread.run(number("threads", default: 1)) { index in
      let task = Workload.task(first + index)
      for event in 0..<count {
        if event % large == large - 1 {
          Workload.emitLarge(event, task: task, to: log)
        } else {
          Workload.emit(first + index, event, task: task, to: log)
        }
        acknowledged[first + index] = UInt64(event + 1)
        pace.wait(until: event + 1)
      }
    }
    if options["stay"] == "1" {
      // The signal that ends this comes from the test.
      while true { pause() }
    }
    if options["close"] != "0" { log.close() }
  }

  /// Thread 0 and 1 write in the parent while the main thread, 2, forks; 3 and 4 write in the child.
  private func forkAmidWriting() {
    let log = open()
    let count = number("count", default: 10_000)
    let begun = Atomic(0)
    let threads = (0..<2).map { index in
      SystemThread {
        Workload.emit(index, numbers: 0..<count / 10, to: log)
        begun.add(1, ordering: .releasing)
        Workload.emit(index, numbers: count / 10..<count, to: log)
      }
    }
    Workload.emit(2, numbers: 0..<count / 2, to: log)
    // What a program does for the first time takes locks of Swift's own runtime, and a child that is forked meanwhile
    // inherits them for good: nothing that a log could help.
    while begun.load(ordering: .acquiring) < 2 { sched_yield() }
    let child = forkProcess()
    if child == 0 {
      // Both threads of the child meet the parent's writer at once.
      SystemThread.run(2) { index in Workload.emit(3 + index, numbers: 0..<count, to: log) }
      log.close()
      _exit(0)
    }
    Workload.emit(2, numbers: count / 2..<count, to: log)
    for thread in threads { thread.join() }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    log.close()
    exit(status == 0 ? 0 : 4)
  }

  /// Forks again and again from a thread, while others begin and end and so hold the writer's lock now and then. The
  /// child writes one event, with the number of the fork, and its only thread ends.
  private func forkFromThreads() {
    let log = open()
    let stop = Atomic(false)
    let churn = (0..<2).map { index in
      SystemThread {
        while !stop.load(ordering: .relaxed) { SystemThread.run(1) { _ in log.emit(thread: index, number: 0) } }
      }
    }
    let failures = Atomic(0)
    for number in 0..<number("count", default: 1) {
      SystemThread.run(1) { _ in
        log.emit(thread: 2, number: number)
        let child = forkProcess()
        if child == 0 {
          // Whoever hangs in the end of its thread is ended by this.
          alarm(10)
          return log.emit(thread: 3, number: number)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        if status != 0 { failures.add(1, ordering: .relaxed) }
      }
    }
    stop.store(true, ordering: .relaxed)
    for thread in churn { thread.join() }
    log.close()
    exit(failures.load(ordering: .relaxed) == 0 ? 0 : 4)
  }

  /// Files may not grow beyond `limit` while the middle third of the events is written.
  private func runIntoLimit() {
    let log = open()
    let count = number("count", default: 9000)
    let third = count / 3
    Workload.emit(0, numbers: 0..<third, to: log)
    setLimit(rlim_t(number("limit", default: 0)))
    Workload.emit(0, numbers: third..<2 * third, to: log)
    setLimit(.max)
    // Past the time in which a refused file is not tried again.
    clockOffset.store(1_000_000_000, ordering: .relaxed)
    Workload.emit(0, numbers: 2 * third..<count, to: log)
    log.close()
  }

  private func setLimit(_ bytes: rlim_t) {
    var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
}
