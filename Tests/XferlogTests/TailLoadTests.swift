import CXferPlatform
import Foundation
import LogTestSupport
import Testing

/// `tail -f` on a terminal while many tasks are written, segments rotate and a writer is killed.
@Suite(.timeLimit(.minutes(isCampaign ? 10 : 3))) struct TailLoadTests {
  /// The writers, each with its share of the tasks and the events. Writer 0 is killed, and writer 2 takes its place.
  private static let writers = 2

  @Test func `A terminal shows each event once and promptly, across rotations and the death of a writer`() throws {
    let (seconds, rate) = isCampaign ? (30, 5000) : (3, 1000)
    let directory = TemporaryDirectory()
    let log = directory.path("run.xlog")
    let acknowledged = Acknowledgements(path: directory.path("ack"))
    let session = try TerminalSession(["tail", "-f", "-n", "all", log], columns: 200, rows: 50, environment: ["TERM": "xterm"])
    let share = rate / Self.writers
    func writer(_ number: Int, seconds: Int) -> ChildProcess {
      ChildProcess(
        "log-writer-probe",
        [
          "tasks", log, "ack=\(directory.path("ack"))", "first=\(number)", "tasks=\(200 / Self.writers)",
          "count=\(share * seconds)",
          "rate=\(share)", "age=\(isCampaign ? 1000 : 300)",
        ])
    }
    let begin = xp_clock_monotonic()
    var screen = FollowedScreen()
    let (killed, whole) = (writer(0, seconds: 2 * seconds), writer(1, seconds: seconds))
    while acknowledged[0] < UInt64(share * seconds / 2), let bytes = session.nextBytes() { screen.add(bytes) }
    killed.kill()
    #expect(killed.wait() == .signal(SIGKILL))
    let next = writer(2, seconds: seconds / 2)
    let certain = Int(acknowledged[0])
    // The event that was being written when the writer was killed may be in the log.
    let expected = [certain...certain + 1, share * seconds...share * seconds, share * (seconds / 2)...share * (seconds / 2)]
    let least = expected.reduce(0) { $0 + $1.lowerBound }
    while screen.count < least, let bytes = session.nextBytes() { screen.add(bytes) }
    #expect(whole.wait() == .exit(0))
    #expect(next.wait() == .exit(0))
    let time = Double(xp_clock_monotonic() - begin) / 1e9
    let used = session.processorTime / time
    session.signal(SIGINT)
    while let bytes = session.nextBytes() { screen.add(bytes) }
    #expect(session.wait() == 130)
    // Each writer's events in order; the merged progress events are known by their number alone.
    #expect((least...least + 1).contains(screen.count), "\(screen.count) of \(least)")
    #expect(screen.wrong == [])
    for (writer, range) in expected.enumerated() {
      let notes = range.map { count in (0..<count).count { $0 % 10 >= 3 } }
      #expect(notes.contains(screen.notes[writer] ?? 0), "writer \(writer): \(screen.notes[writer] ?? 0) of \(notes)")
    }
    let segments = try FileManager.default.contentsOfDirectory(atPath: log).count { $0.hasSuffix(".seg") }
    #expect(segments > 4, "\(segments) segments")
    print(
      "tail on a terminal: \(screen.count) events in \(segments) segments, \(rate)/s for \(seconds) s; \(screen.lagText); "
        + "\(Int(used * 1000) / 10) % of a processor")
    if isCampaign {
      #expect(screen.lag(99) < 100_000_000)
      #expect(used < 0.3)
    }
  }
}

/// The lines of a terminal on which `tail -f` runs, counted while they arrive.
private struct FollowedScreen {
  private(set) var progress = 0
  /// The number of notes of each writer.
  private(set) var notes: [Int: Int] = [:]
  private(set) var wrong: [String] = []
  private var last: [Int: Int] = [:]
  private var lags: [Int64] = []
  private var line: [UInt8] = []

  var count: Int { progress + notes.values.reduce(0, +) }

  mutating func add(_ bytes: [UInt8]) {
    let now = xp_clock_wall()
    for byte in bytes {
      if byte == 10 {
        end(at: now)
        line.removeAll(keepingCapacity: true)
      } else if byte == 13 {
        // The line is drawn again.
        line.removeAll(keepingCapacity: true)
      } else {
        line.append(byte)
      }
    }
  }

  private mutating func end(at now: Int64) {
    if let start = place(after: " k-") {
      var rest = line[start...]
      let (writer, number, time) = (Self.number(&rest), Self.number(&rest), Self.number(&rest))
      note(writer, number)
      lags.append(now - Int64(time))
    } else if let start = place(after: "⋮ ") {
      var rest = line[start...]
      progress += Self.number(&rest)
    } else if place(after: "bytesReceived") != nil {
      progress += 1
    }
  }

  private mutating func note(_ writer: Int, _ number: Int) {
    notes[writer, default: 0] += 1
    let before = last.updateValue(number, forKey: writer) ?? -1
    if number <= before {
      wrong.append("\(number) after \(before) of writer \(writer)")
    } else if (before + 1..<number).contains(where: { $0 % 10 >= 3 }) {
      wrong.append("\(number) directly after \(before) of writer \(writer)")
    }
  }

  // Parsing of bytes, which is fast enough also without optimization.

  /// Returns the index after the first occurrence of a text in the line.
  private func place(after text: StaticString) -> Int? {
    line.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      let length = text.utf8CodeUnitCount
      var place = 0
      while place + length <= bytes.count {
        if memcmp(base + place, text.utf8Start, length) == 0 { return place + length }
        place += 1
      }
      return nil
    }
  }

  /// Reads a number and skips the character after it.
  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int {
    var number = 0
    while let byte = rest.popFirst(), (48...57).contains(byte) { number = number * 10 + Int(byte) - 48 }
    return number
  }

  func lag(_ percent: Int) -> Int64 {
    let sorted = lags.sorted()
    return sorted.isEmpty ? .max : sorted[(sorted.count - 1) * percent / 100]
  }

  var lagText: String {
    func milliseconds(_ percent: Int) -> Double { Double(lag(percent) / 10_000) / 100 }
    return "from write to screen p50 \(milliseconds(50)) ms, p99 \(milliseconds(99)) ms, most \(milliseconds(100)) ms"
  }
}
