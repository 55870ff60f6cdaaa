import CXferPlatform
import XferImport
import XferLogStore
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A replay of many logs by several processes of this machine.
///
/// The output is that of one process: each process writes to a file of its own, and its rows count only if its last row fits them. A process
/// that was killed is started again.
struct LocalFleet {
  let unit: FleetUnit
  let inputs: [String]
  let jobs: Int
  /// The words behind `xferlog replay --paths-from -` or `--stdin`.
  let arguments: [String]
  let surroundings: Surroundings

  /// The number of times that a process is started if it is killed.
  private static let attempts = 4
  /// The number of parts for each process, so that all processes end at about the same time.
  private static let partsForEach = 4

  /// The input of one process, and the number of its paths or lines.
  private struct Part {
    let input: String
    var count = 0

    /// The files with what the process prints.
    var rows: String { input + ".rows" }
    var messages: String { input + ".messages" }
  }

  /// - Returns: why the exit code is not 0; `nil` if everything was read.
  func run(to output: StandardOutput) throws -> String? {
    // Without handlers, these signals would leave the directory and the processes behind.
    Interruption.handle(SIGTERM)
    Interruption.handle(SIGHUP)
    let scratch = try ScratchDirectory("xferlog-fleet")
    let parts = unit == .path ? try splitPaths(scratch) : try splitLines(scratch)
    let answers = try replay(parts)
    let rows = VerdictOutput(output)
    if unit == .path {
      for answer in answers { try append(answer, to: rows) }
    } else {
      try merge(answers, into: rows)
    }
    return try finish(answers, rows)
  }

  // MARK: Splitting

  /// Puts neighbouring paths together, so that the rows come in the order of the paths.
  private func splitPaths(_ scratch: ScratchDirectory) throws -> [Part] {
    var paths: [[UInt8]] = []
    try eachLine { if !$0.bytes.isEmpty { paths.append($0.bytes) } }
    let size = max(1, (paths.count + jobs * Self.partsForEach - 1) / (jobs * Self.partsForEach))
    var parts: [Part] = []
    for start in stride(from: 0, to: paths.count, by: size) {
      let part = Part(input: "\(scratch.path)/\(parts.count)", count: min(size, paths.count - start))
      let file = try ScratchFile.created(part.input)
      for path in paths[start..<start + part.count] { try file.append(path + [UInt8(ascii: "\n")]) }
      try file.flush()
      parts.append(part)
    }
    return parts
  }

  /// Puts the lines of a log together.
  private func splitLines(_ scratch: ScratchDirectory) throws -> [Part] {
    var parts = (0..<jobs).map { Part(input: "\(scratch.path)/\($0)") }
    let files = try parts.map { try ScratchFile.created($0.input) }
    let tree = JSONTree()
    try eachLine { line in
      if line.bytes.isEmpty { return }
      // A line that cannot be read is counted by the process that gets it.
      var place = 0
      if let arrived = try? ArrivedLine(line.bytes, tree) {
        let hash = Array(arrived.group.text.utf8).withUnsafeBytes { xp_crc32c(0, $0.baseAddress, $0.count) }
        place = Int(clamping: hash) % jobs
      }
      parts[place].count += 1
      try files[place].append(line.bytes + [UInt8(ascii: "\n")])
    }
    for file in files { try file.flush() }
    return parts
  }

  private func eachLine(_ take: (InputLines.Line) throws -> Void) throws {
    for input in inputs {
      var lines = try InputLines(file: input, standardInput: surroundings.input)
      while let line = try lines.next() { try take(line) }
    }
  }

  // MARK: Processes

  private func replay(_ parts: [Part]) throws -> [VerdictPart] {
    let program = try ChildProgram.ownPath()
    let words = ["replay"] + (unit == .path ? ["--paths-from", "-"] : ["--stdin"]) + arguments
    var waiting = Array(parts.indices)[...]
    var running: [(child: ChildProgram, place: Int, attempt: Int)] = []
    var answers = [VerdictPart?](repeating: nil, count: parts.count)
    var remarks: Set<[UInt8]> = []
    defer { for entry in running { entry.child.stop() } }
    func start(_ place: Int, attempt: Int) throws {
      let part = parts[place]
      let child = try ChildProgram(program, words, input: part.input, output: part.rows, messages: part.messages)
      running.append((child, place, attempt))
    }
    while !waiting.isEmpty || !running.isEmpty {
      while running.count < jobs, let place = waiting.popFirst() { try start(place, attempt: 1) }
      let (child, end) = try ChildProgram.waitForAny(of: running.map(\.child))
      guard let index = running.firstIndex(where: { $0.child.process == child.process }) else { continue }
      let (_, place, attempt) = running.remove(at: index)
      if case .signal(let number) = end {
        guard attempt < Self.attempts else {
          throw CommandExit(.failed, "a process of the replay was ended \(attempt) times, the last time by the signal \(number)")
        }
        surroundings.remark("a process of the replay was ended by the signal \(number), and is started again")
        try start(place, attempt: attempt + 1)
        continue
      }
      do {
        answers[place] = try answer(of: parts[place], end)
      } catch {
        try eachMessage(of: parts[place]) { Self.write($0) }
        throw error
      }
      // The processes read the same rules and options, so they print the same remarks. How a process ended is not one of them: the end of
      // the whole replay is stated at the end.
      try eachMessage(of: parts[place]) { line in
        if !line.starts(with: "xferlog: exit ".utf8), remarks.insert(line).inserted { Self.write(line) }
      }
    }
    return answers.compactMap(\.self)
  }

  private func eachMessage(of part: Part, _ take: ([UInt8]) -> Void) throws {
    var lines = try InputLines(file: part.messages)
    while let line = try lines.next() { take(line.bytes) }
  }

  private static func write(_ line: [UInt8]) { StandardError.write(UserMessage(String(decoding: line, as: UTF8.self))) }

  /// Returns the rows of a process, which may also exit with 2 if it could not read everything.
  private func answer(of part: Part, _ end: ChildProgram.End) throws -> VerdictPart {
    guard let answer = try VerdictPart(part.rows), answer.number(unit == .path ? "logs" : "lines") == part.count else {
      throw CommandExit(.failed, "a process of the replay (\(Self.text(end))) did not print all rows; see its message above")
    }
    let isWhole = answer.number("unreadable") == 0 && answer.number("unreadableLines") == 0
    guard end == .exit(isWhole ? 0 : 2) else {
      throw CommandExit(.failed, "a process of the replay failed (\(Self.text(end))); see its message above")
    }
    return answer
  }

  private static func text(_ end: ChildProgram.End) -> String {
    switch end {
    case .exit(let code): "exit \(code)"
    case .signal(let number): "signal \(number)"
    }
  }

  // MARK: Joining

  private func append(_ part: VerdictPart, to rows: VerdictOutput) throws {
    var lines = try InputLines(file: part.path)
    for _ in 0..<part.rows {
      guard let line = try lines.next() else { return }
      try rows.append(line: line.bytes)
    }
  }

  /// Merges the rows of several processes. Each process has printed its rows in the order of the logs' names.
  private func merge(_ parts: [VerdictPart], into rows: VerdictOutput) throws {
    struct Head {
      var lines: InputLines
      var left: Int
      var name = GroupName(text: "")
      var row: [UInt8] = []

      /// - Returns: whether there is another row.
      mutating func advance() throws -> Bool {
        guard left > 0, let line = try lines.next() else { return false }
        left -= 1
        row = line.bytes
        name = GroupName(text: row.withUnsafeBytes { JSONValue($0) }?["log"]?.text ?? "")
        return true
      }
    }
    var heads: [Head] = []
    for part in parts {
      var head = Head(lines: try InputLines(file: part.path), left: part.rows)
      if try head.advance() { heads.append(head) }
    }
    while let place = heads.indices.min(by: { heads[$0].name < heads[$1].name }) {
      try rows.append(line: heads[place].row)
      if try !heads[place].advance() { heads.remove(at: place) }
    }
  }

  private func finish(_ parts: [VerdictPart], _ rows: VerdictOutput) throws -> String? {
    func sum(_ name: String) -> Int { parts.reduce(0) { $0 + $1.number(name) } }
    try rows.finish(
      logs: sum("logs"), unreadable: sum("unreadable"),
      lines: unit == .path ? nil : (sum("lines"), sum("unreadableLines"), sum("duplicates")))
    var problems: [String] = []
    if sum("unreadableLines") > 0 { problems.append("\(sum("unreadableLines")) of \(sum("lines")) lines could not be read") }
    if sum("unreadable") > 0 { problems.append("\(sum("unreadable")) of \(sum("logs")) logs could not be read") }
    return problems.isEmpty ? nil : problems.joined(separator: ", and ")
  }
}
