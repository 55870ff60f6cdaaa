import CLogTestSupport
import CXferPlatform
import Foundation
import LogTestSupport
import Synchronization
import XferEvents
import XferLogStore

/// A program that writes a log, for tests that kill the writer, fork it or fill its disk.
///
/// Usage: `log-writer-probe MODE LOG KEY=VALUE…`. Each mode is a function below.
@main
enum Probe {
  static func main() { Writer(arguments: Array(CommandLine.arguments.dropFirst())).run() }
}

/// A limit on the number of events per second.
private struct Pace {
  /// The maximum number of events per second. 0 means unlimited.
  let rate: Int
  private let start = xp_clock_monotonic()

  init(rate: Int) { self.rate = rate }

  func wait(until count: Int) {
    guard rate > 0 else { return }
    let ahead = start + Int64(count) * 1_000_000_000 / Int64(rate) - xp_clock_monotonic()
    // Sleeping for less than a millisecond is not worth a system call.
    if ahead > 1_000_000 { usleep(UInt32(clamping: ahead / 1000)) }
  }
}

// A separate type, because closures in `main` are isolated to the main actor.
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

  /// The durability given by the option: `process`, `always` or a number of milliseconds.
  private var durability: Durability {
    switch options["durability"] {
    case nil, "process": .process
    case "always": .always
    case let text?: .interval(.milliseconds(Int(text)!))
    }
  }

  /// - Parameter name: The path of the log. `nil` means the log that the test reads.
  private func open(_ name: String? = nil) -> EventLog {
    var configuration = LogConfiguration(role: .tool, privacy: Workload.policy)
    configuration.maintains = options["maintains"] == "1"
    configuration.retention = Retention(maximumBytes: options["keep"].flatMap(Int.init))
    configuration.forcesAppending = options["appending"] == "1"
    configuration.durability = durability
    configuration.maximumSegmentAge = options["age"].flatMap(Int.init).map { .milliseconds($0) }
    if mode.hasPrefix("detail") { configuration.flightRecorder = FlightRecorder() }
    configuration.killHook = options["kill"].flatMap(KillHook.init)
    configuration.clock = LogClock(
      monotonic: { xp_clock_monotonic() + self.clockOffset.load(ordering: .relaxed) },
      boottime: { xp_clock_boottime() }, wall: { xp_clock_wall() })
    do throws(LogError) {
      return try EventLog(directory: name ?? directory, configuration: configuration)
    } catch {
      print(error)
      exit(3)
    }
  }

  func run() {
    if let files = options["files"].flatMap(rlim_t.init) {
      var limit = rlimit(rlim_cur: files, rlim_max: files)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    if let user = options["user"].flatMap(uid_t.init) { precondition(setuid(user) == 0, "switching to another user failed") }
    switch mode {
    case "write": write()
    case "tasks": writeTasks()
    case "fork": forkDuringWriting()
    case "fork-threads": forkFromThreads()
    case "fork-levels": changeLevelsInFork()
    case "limit": runIntoLimit()
    case "short": writeShortly()
    case "crowd": crowd()
    case "race": race()
    case "detail": recordDetail()
    case "detail-fork": recordDetailInFork()
    case "detail-limit": recordDetailIntoLimit()
    default: exit(2)
    }
  }

  /// Writes `count` events in each of `threads` threads, numbered from `first`. Every `large`-th event is a large one, and
  /// `rate` limits the events per second. Counts each event whose call has returned. With `burst`, also counts the events on
  /// disk, and limits how many events the threads may be ahead of the disk.
  private func write() {
    let acknowledged = Acknowledgements(path: options["ack"]!)
    let log = open()
    let first = number("first", default: 0)
    let count = number("count", default: .max)
    let burst = number("burst", default: 0)
    let large = number("large", default: .max)
    let pace = Pace(rate: number("rate", default: 0))
    SystemThread.run(number("threads", default: 1)) { index in
      let task = Workload.task(first + index)
      let witness = DiskWitness(acknowledged, thread: first + index, log: log, policy: self.durability)
      for event in 0..<count {
        if event % large == large - 1 {
          Workload.emitLarge(event, task: task, to: log)
        } else {
          Workload.emit(first + index, event, task: task, to: log)
        }
        acknowledged[first + index] = UInt64(event + 1)
        if acknowledged[Acknowledgements.stop] != 0 { break }
        if burst > 0 { witness.note(event + 1, burst: burst) }
        pace.wait(until: event + 1)
      }
    }
    if options["stay"] == "1" {
      // Wait for the signal with which the test ends this process.
      while true { pause() }
    }
    if options["close"] != "0" { log.close() }
  }

  /// Writes `count` events of `tasks` tasks, `rate` per second. Three of ten successive events are progress; the others contain the writer's
  /// number `first`, their own number and the time. Counts each event whose call has returned.
  private func writeTasks() {
    let acknowledged = Acknowledgements(path: options["ack"]!)
    let log = open()
    let writer = number("first", default: 0)
    let tasks = (0..<number("tasks", default: 100)).map { Workload.task(writer * 1000 + $0) }
    let pace = Pace(rate: number("rate", default: 0))
    for event in 0..<number("count", default: .max) {
      let task = tasks[event % tasks.count]
      if event % 10 < 3 {
        log.emit(AttemptBytesReceived(task: task, attempt: 1, received: Int64(event) * 1000))
      } else {
        log.emit(AppNoted(task: task, message: "k-\(writer)-\(event)-\(xp_clock_wall())"))
      }
      acknowledged[writer] = UInt64(event + 1)
      pace.wait(until: event + 1)
    }
    log.close()
  }

  /// Writes with threads 0 and 1 in the parent while the main thread (2) forks. Threads 3 and 4 write in the child.
  private func forkDuringWriting() {
    let count = number("count", default: 10_000)
    rehearse()
    let log = open()
    let threads = (0..<2).map { index in SystemThread { Workload.emit(index, numbers: 0..<count, to: log) } }
    Workload.emit(2, numbers: 0..<count / 2, to: log)
    let child = fork {
      // Both threads of the child contend for the parent's writer at the same time.
      SystemThread.run(2) { index in Workload.emit(3 + index, numbers: 0..<count, to: log) }
      // The parent's sync thread does not exist in the child, so this loop ends only if the child has started its own.
      if self.durability != .process { while log.syncRounds.completed == 0 { sched_yield() } }
      log.close()
      _exit(0)
    }
    Workload.emit(2, numbers: count / 2..<count, to: log)
    for thread in threads { thread.join() }
    let status = end(of: child)
    log.close()
    exit(status == 0 ? 0 : 4)
  }

  /// Performs the operations of parent and child once before, with a separate log.
  ///
  /// The first execution of an operation takes locks in the Swift runtime. A child forked at that moment would inherit a locked
  /// lock forever, which the log cannot prevent.
  private func rehearse() {
    let log = open("\(directory).rehearsal")
    SystemThread.run(2) { index in Workload.emit(index, numbers: 0..<self.number("count", default: 10_000), to: log) }
    if durability != .process { while log.syncRounds.completed == 0 { sched_yield() } }
    log.close()
  }

  /// Runs the body in a forked child, which is killed if it hangs.
  private func fork(_ body: () -> Void) -> pid_t {
    let child = forkProcess()
    if child == 0 {
      alarm(30)
      body()
    }
    return child
  }

  private func end(of child: pid_t) -> Int32 {
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return status
  }

  /// Forks repeatedly from a thread, while other threads start and end and thereby take the writer's lock. The child writes one
  /// event with the number of the fork, and its only thread ends.
  private func forkFromThreads() {
    rehearse()
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
        let child = self.fork { log.emit(thread: 3, number: number) }
        // The child also returns from its thread and may hang there.
        if child != 0, self.end(of: child) != 0 { failures.add(1, ordering: .relaxed) }
      }
    }
    stop.store(true, ordering: .relaxed)
    for thread in churn { thread.join() }
    log.close()
    exit(failures.load(ordering: .relaxed) == 0 ? 0 : 4)
  }

  /// Changes the levels in a forked child. Parent and child write one event each before and after the change.
  private func changeLevelsInFork() {
    let log = open()
    log.emit(thread: 0, number: 0)
    let child = fork {
      log.emit(thread: 1, number: 0)
      let rule = LevelRule(try! LevelPattern("com.example"), .debug)
      _ = try! LevelControl(directory: directory).change { $0.set(rule) }
      log.emit(thread: 1, number: 1)
      log.close()
      _exit(0)
    }
    let status = end(of: child)
    log.emit(thread: 0, number: 1)
    log.close()
    exit(status == 0 ? 0 : 4)
  }

  /// Writes events while files may not grow beyond `limit` during the middle third.
  private func runIntoLimit() {
    let log = open()
    let count = number("count", default: 9000)
    let third = count / 3
    Workload.emit(0, numbers: 0..<third, to: log)
    setLimit(rlim_t(number("limit", default: 0)))
    Workload.emit(0, numbers: third..<2 * third, to: log)
    setLimit(.max)
    // Advance the clock past the delay before the log retries to open a file.
    clockOffset.store(1_000_000_000, ordering: .relaxed)
    Workload.emit(0, numbers: 2 * third..<count, to: log)
    log.close()
  }

  /// Appends from several threads while write calls are partial or interrupted.
  private func writeShortly() {
    lts_write_shortly(UInt64(number("seed", default: 1)))
    let log = open()
    SystemThread.run(3) { thread in Workload.emit(thread, numbers: 0..<self.number("count", default: 1), to: log) }
    log.close()
    exit(lts_short_writes() > 0 ? 0 : 4)
  }

  private static func say(_ numbers: Range<Int>, of task: Int, to log: EventLog) {
    let logger = EventLogger(subsystem: "com.example", category: "net", log: log).with(task: detailedTask(task))
    for number in numbers { logger.debug("step \(number) of task \(task)") }
  }

  private static func detailedTask(_ number: Int) -> TaskIdentity {
    let uid = TaskUID(high: 0xDE7A11, low: UInt64(number + 1) &* 0x9e37_79b9_7f4a_7c15)
    return TaskIdentity(uid: uid, session: "downloads", number: UInt32(number))
  }

  /// Runs tasks of 30 steps in each of `threads` threads. Every fifth task fails. Counts each ended task.
  private func recordDetail() {
    let acknowledged = Acknowledgements(path: options["ack"]!)
    let log = open()
    SystemThread.run(number("threads", default: 1)) { thread in
      for number in 0..<100_000 {
        let task = thread * 100_000 + number
        Self.say(0..<30, of: task, to: log)
        log.emit(TaskCompleted(task: Self.detailedTask(task), domain: .curl, error: number % 5 == 2 ? 28 : 0))
        acknowledged[thread] = UInt64(number + 1)
      }
    }
  }

  /// Records a task's steps before and after a fork, and another task's steps in the child.
  private func recordDetailInFork() {
    let log = open()
    Self.say(0..<10, of: 1, to: log)
    let child = fork {
      Self.say(20..<30, of: 2, to: log)
      log.emit(TaskCompleted(task: Self.detailedTask(2), domain: .curl, error: 28))
      log.emit(TaskCompleted(task: Self.detailedTask(1)))
      log.close()
      _exit(0)
    }
    let status = end(of: child)
    Self.say(10..<20, of: 1, to: log)
    log.emit(TaskCompleted(task: Self.detailedTask(1), domain: .curl, error: 28))
    log.close()
    exit(status == 0 ? 0 : 4)
  }

  /// Fails more tasks than the first segment has room for, while files may not grow beyond `limit`.
  private func recordDetailIntoLimit() {
    let log = open()
    log.emit(thread: 0, number: 2)
    setLimit(rlim_t(number("limit", default: 0)))
    for task in 0..<400 {
      Self.say(0..<30, of: task, to: log)
      if task % 8 == 7, task > 8 { Workload.emit(0, numbers: task * 4 + 2..<task * 4 + 3, to: log) }
      log.keep(Self.detailedTask(task))
    }
    setLimit(.max)
    clockOffset.store(1_000_000_000, ordering: .relaxed)
    log.emit(thread: 0, number: 6)
    log.close()
  }

  /// Runs everything at once for the thread sanitizer: threads that emit, start, end and sync, rotations, a period without disk
  /// space, a fork, a concurrent reader, and a close during emission.
  private func crowd() {
    rehearse()
    let log = open()
    let count = number("count", default: 4000)
    let stop = Atomic(false)
    let begun = Atomic(0)
    let threads = number("threads", default: 6)
    let reader = SystemThread {
      let reader = LogReader([.directory(self.directory)], isFollowing: true)
      while !stop.load(ordering: .relaxed) {
        while reader.next() != nil {}
        reader.refresh()
      }
    }
    let writers = (0..<threads).map { thread in
      SystemThread {
        for part in 0..<10 {
          let numbers = part * count / 10..<(part + 1) * count / 10
          if thread % 2 == 0 { Workload.emit(thread, numbers: numbers, to: log) }
          if thread % 2 == 1 { SystemThread.run(1) { _ in Workload.emit(thread, numbers: numbers, to: log) } }
          if thread < 2 { try? log.sync() }
          begun.add(part == 0 ? 1 : 0, ordering: .releasing)
        }
      }
    }
    while begun.load(ordering: .acquiring) < threads { sched_yield() }
    // A file that is already larger than the limit would end the process with SIGXFSZ.
    signal(SIGXFSZ, SIG_IGN)
    setLimit(100_000)
    var status: Int32 = 0
    // The thread sanitizer does not support a forked child that starts a thread.
    if durability == .process || durability == .always {
      status = end(
        of: fork {
          Workload.emit(100, numbers: 0..<100, to: log)
          log.close()
          _exit(0)
        })
    }
    setLimit(.max)
    writers[0].join()
    log.close()
    for writer in writers.dropFirst() { writer.join() }
    stop.store(true, ordering: .relaxed)
    reader.join()
    exit(status == 0 ? 0 : 4)
  }

  /// Causes a data race that the thread sanitizer must detect: two threads store to the same address without synchronisation.
  private func race() {
    let place = UInt(bitPattern: UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8))
    SystemThread.run(2) { index in
      for number in 0..<100_000 {
        UnsafeMutableRawPointer(bitPattern: place)!.storeBytes(of: number + index, as: Int.self)
        // Yield, because the optimiser would otherwise combine the stores.
        sched_yield()
      }
    }
    print(UnsafeMutableRawPointer(bitPattern: place)!.load(as: Int.self))
  }

  private func setLimit(_ bytes: rlim_t) {
    var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  }
}
