import Foundation
import LogTestSupport

/// A program that reads mutated copies of a segment with every reader, one seed after another. If the probe traps, the test finds
/// the seed in the progress file.
///
/// Usage: `log-reader-probe SEGMENT PROGRESS FIRST COUNT [forge]`. With `forge`, the index, trailer and block headers of a
/// sealed segment are changed instead of its events.
@main
enum Probe {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5 || arguments.count == 6 && arguments[5] == "forge", let first = UInt64(arguments[3]),
      let count = UInt64(arguments[4])
    else { exit(2) }
    let contents = Array(try Data(contentsOf: URL(fileURLWithPath: arguments[1])))
    if arguments.count == 6 { return try forge(contents, arguments[2], first..<first + count) }
    let pristine = Pristine(contents)
    let progress = Acknowledgements(path: arguments[2])
    let file = try MemoryFile()
    // Foundation starts processes with the signal mask of the starting thread, so unblock all signals.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    var total = Tally()
    for seed in first..<first + count {
      progress[0] = seed
      Self.limitTime()
      let (bytes, changed) = pristine.mutated(seed: seed)
      try file.write(bytes)
      let start = clock()
      let tally = EveryReader(path: file.path, changed: changed, limit: bytes.count, form: Int(seed)).read()
      total.add(tally, seed: seed, ticks: clock() - start, bytes: bytes.count)
    }
    print(total.text)
  }

  private static func forge(_ contents: [UInt8], _ progressPath: String, _ seeds: Range<UInt64>) throws {
    let progress = Acknowledgements(path: progressPath)
    let file = try MemoryFile()
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    try file.write(contents)
    let pristine = SealReader(path: file.path).read().places
    var total = SealTally(pristine: pristine.count)
    for seed in seeds {
      progress[0] = seed
      limitTime()
      var forgery = SealForgery(seed: seed)
      try file.write(forgery.forged(contents))
      let before = descriptors()
      let reading = SealReader(path: file.path).read()
      if seed % 8 == 0 { _ = EveryReader(path: file.path, changed: [], limit: 1 << 24, form: Int(seed)).read() }
      total.add(reading, pristine, seed: seed, isConsistent: forgery.isConsistent, leaked: descriptors() - before)
    }
    print(total.text)
  }

  private static func descriptors() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }

  /// Ends a hanging probe with SIGPROF after ten seconds of processor time, which does not depend on the machine's load.
  private static func limitTime() {
    var limit = itimerval()
    limit.it_value.tv_sec = 10
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &limit, nil)
  }
}

/// The original segment before its mutation.
enum Pristine {
  case written(SegmentDraft)
  case sealed(SealedDraft)

  init(_ bytes: [UInt8]) {
    // An incompatible flag in the header marks a sealed segment.
    self = bytes[20] & 1 == 1 ? .sealed(SealedDraft(bytes)) : .written(SegmentDraft(bytes))
  }

  func mutated(seed: UInt64) -> (bytes: [UInt8], changed: Set<SegmentDraft.Place>) {
    switch self {
    case .written(var draft):
      var mutation = SegmentMutation(seed: seed)
      mutation.change(&draft)
      return (draft.bytes(), draft.changedEvents)
    case .sealed(var draft):
      var mutation = SealedMutation(seed: seed)
      mutation.change(&draft)
      return (draft.bytes(), draft.changedEvents)
    }
  }
}

/// The results for all mutated files.
struct Tally {
  var files = 0
  var events = 0
  var changedEvents = 0
  var reached = 0
  var gaps = 0
  var findings = 0
  private var slowest: (seconds: Double, seed: UInt64) = (0, 0)

  /// - Parameter ticks: The processor time, in clock ticks.
  mutating func add(_ tally: EveryReader.Tally, seed: UInt64, ticks: clock_t, bytes: Int) {
    files += 1
    events += tally.events
    changedEvents += tally.changed
    reached += tally.changed > 0 ? 1 : 0
    gaps += tally.gaps
    findings += tally.findings
    let seconds = Double(ticks) / Double(CLOCKS_PER_SEC) / (Double(bytes) / Double(1 << 20))
    if seconds > slowest.seconds { slowest = (seconds, seed) }
  }

  /// The results as `KEY=VALUE` pairs.
  var text: String {
    "files=\(files) events=\(events) changed=\(changedEvents) reached=\(reached) gaps=\(gaps) findings=\(findings) "
      + "slowest=\(Int(slowest.seconds * 1000)) slowestSeed=\(slowest.seed) peak=\(peakMemory)"
  }
}

/// The peak resident memory of the process, in KiB.
var peakMemory: String {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  return status.firstMatch(of: /VmHWM:\s+(\d+)/).map { String($0.1) } ?? "0"
}

/// A file in memory.
struct MemoryFile {
  let path: String
  private let handle: FileHandle

  init() throws {
    let name = "/dev/shm/xferlog-reader-probe-\(getpid())"
    let descriptor = open(name, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    // Unlink the file immediately, because a killed process could not remove it.
    unlink(name)
    handle = FileHandle(fileDescriptor: descriptor)
    path = "/proc/self/fd/\(descriptor)"
  }

  func write(_ bytes: [UInt8]) throws {
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: bytes)
  }
}
