import CXferPlatform
import Foundation
import LogTestSupport
import Testing

/// `tail -f` with many writers: every event arrives once and promptly.
@Suite(.timeLimit(.minutes(isCampaign ? 30 : 3))) struct TailLagTests {
  private static let writers = 8
  /// The number of the log's own events per writer: three at the beginning and two at the end.
  private static let ownEvents = 5

  @Test func `Eight writers with rotating segments are followed without lost or duplicate events`() throws {
    let (count, rate, age) = isCampaign ? (125_000, 2500, 1000) : (1500, 400, 100)
    let directory = TemporaryDirectory()
    let log = directory.path("run.xlog")
    let process = ToolRun.process("xferlog", ["tail", "-f", "-n", "all", "--no-findings", "-o", "ndjson", log])
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    let writers = (0..<Self.writers).map { writer in
      ChildProcess(
        "log-writer-probe",
        [
          "write", log, "ack=\(directory.path("ack"))", "first=\(writer)", "count=\(count)", "rate=\(rate)", "age=\(age)",
        ])
    }
    var lines = LineReader(output.fileHandleForReading.fileDescriptor)
    var followed = FollowedLines()
    let expected = Self.writers * (count + Self.ownEvents)
    while followed.count < expected, lines.next({ followed.add($0) }) {}
    for writer in writers { #expect(writer.wait() == .exit(0)) }
    #expect(followed.count == expected)
    #expect(followed.wrong == [])
    #expect(followed.lanes == 2 * Self.writers, "the main thread and the writing one, of each")
    let segments = try FileManager.default.contentsOfDirectory(atPath: log).count { $0.hasSuffix(".seg") }
    #expect(segments > 2 * Self.writers, "\(segments) segments")
    print(
      "tail -f: \(followed.count) events of \(Self.writers) writers in \(segments) segments, at most \(Self.writers * rate)/s; "
        + "lag \(followed.lag)")
    if isCampaign { print("tail -f: \(Self.idleTime(of: process.processIdentifier, lines)) while nothing is written") }
  }

  /// Returns the processor time that an idle follower uses during ten seconds.
  private static func idleTime(of process: pid_t, _ lines: LineReader) -> String {
    func ticks() -> Int {
      let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
      let fields = stat.drop { $0 != ")" }.split(separator: " ")
      return fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : 0
    }
    // The follower polls every 5 ms for one second before it polls less often.
    lines.waitForNothing(milliseconds: 2000)
    let before = ticks()
    lines.waitForNothing(milliseconds: 10_000)
    let used = Double(ticks() - before) / Double(sysconf(Int32(_SC_CLK_TCK)))
    return "\((used * 100).rounded() / 10) % of a processor"
  }
}

/// A reader of lines from a pipe that keeps only the incomplete line.
private struct LineReader {
  private let descriptor: Int32
  private var partial: [UInt8] = []
  private static let patience: Int32 = 60_000

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// - Returns: `false` at the end of the pipe or after a timeout.
  mutating func next(_ take: (ArraySlice<UInt8>) -> Void) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, Self.patience) > 0 else { return false }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    if bytes.isEmpty { return false }
    partial += bytes
    var start = 0
    while let end = partial[start...].firstIndex(of: 10) {
      take(partial[start..<end])
      start = end + 1
    }
    partial.removeFirst(start)
    return true
  }

  func waitForNothing(milliseconds: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&entry, 1, milliseconds)
  }
}

/// The followed lines: the sequence of each lane, and the lag of each event.
private struct FollowedLines {
  private(set) var count = 0
  private(set) var wrong: [String] = []
  private var next: [Place: Int] = [:]
  private var lags: [Int64] = []

  private struct Place: Hashable {
    let launch: [UInt8]
    let lane: Int
  }

  var lanes: Int { next.count }

  mutating func add(_ line: ArraySlice<UInt8>) {
    count += 1
    guard let launch = Self.value(of: #""launch":""#, in: line), let lane = Self.number(after: #""lane":"#, in: line),
      let sequence = Self.number(after: #""seq":"#, in: line), let time = Self.timeOfDay(line)
    else {
      if wrong.count < 10 { wrong.append(String(decoding: line, as: UTF8.self)) }
      return
    }
    let place = Place(launch: Array(launch.prefix(36)), lane: lane)
    let expected = next[place, default: 0]
    if sequence != expected, wrong.count < 10 { wrong.append("\(sequence) after \(expected - 1) in lane \(lane)") }
    next[place] = sequence + 1
    let day: Int64 = 86_400_000_000_000
    let lag = xp_clock_wall() % day - time
    lags.append(lag < 0 ? lag + day : lag)
  }

  /// Percentiles of the lag, in milliseconds.
  var lag: String {
    let sorted = lags.sorted()
    func percentile(_ share: Int) -> Double { Double(sorted[(sorted.count - 1) * share / 100] / 10_000) / 100 }
    guard !sorted.isEmpty else { return "unknown" }
    return "p50 \(percentile(50)) ms, p99 \(percentile(99)) ms, most \(percentile(100)) ms (goal: p99 below 100 ms)"
  }

  // MARK: Parsing of bytes, which is fast enough for a million lines per minute

  private static func value(of key: StaticString, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    line.withUnsafeBufferPointer { bytes -> Int? in
      let count = key.utf8CodeUnitCount
      var start = 0
      while start + count <= bytes.count {
        if memcmp(bytes.baseAddress! + start, key.utf8Start, count) == 0 { return start + count }
        start += 1
      }
      return nil
    }.map { line[(line.startIndex + $0)...] }
  }

  private static func number(after key: StaticString, in line: ArraySlice<UInt8>) -> Int? {
    guard let digits = value(of: key, in: line)?.prefix(while: { $0 >= 48 && $0 < 58 }), !digits.isEmpty else { return nil }
    return number(digits)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1) - 48 } }

  /// Returns the nanoseconds since midnight, from `"time":"2026-11-21T10:20:30.123456789Z"`.
  private static func timeOfDay(_ line: ArraySlice<UInt8>) -> Int64? {
    guard let time = value(of: #""time":""#, in: line), time.count > 30 else { return nil }
    let start = time.startIndex
    func part(_ range: Range<Int>) -> Int { number(time[(start + range.lowerBound)..<(start + range.upperBound)]) }
    return Int64((part(11..<13) * 60 + part(14..<16)) * 60 + part(17..<19)) * 1_000_000_000 + Int64(part(20..<29))
  }
}
