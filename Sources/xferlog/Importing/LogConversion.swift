import XferEvents
import XferLogStore
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The conversion of foreign inputs to a log of this package.
struct LogConversion {
  private let inputs: LogInputs
  private let output: String
  private let wall: WallTime

  struct Result {
    /// The figures of the conversion, such as `2 files, 1,204 lines, 310 events`.
    let summary: String
    /// The reasons why the new log is incomplete.
    let incompleteness: [String]
  }

  /// - Parameters:
  ///   - inputs: inputs without logs of this package.
  ///   - output: the directory to create.
  ///   - wall: the present time.
  init(_ inputs: LogInputs, to output: String, wall: WallTime) { (self.inputs, self.output, self.wall) = (inputs, output, wall) }

  func run(allowsEmpty: Bool) throws -> Result {
    // Without handlers, these signals would leave the draft behind.
    Interruption.handle(SIGTERM)
    Interruption.handle(SIGHUP)
    let writer = try ConversionWriter(output, files: files, wall: wall.nanoseconds)
    let source = try inputs.source()
    var (events, gaps) = (0, 0)
    while let member = source.next() {
      try writer.write(member, of: source)
      switch member {
      case .event: events += 1
      case .gap: gaps += 1
      }
      if (events + gaps) & 0xFFF == 0 { try Interruption.check() }
    }
    try Interruption.check()
    if let part = source.unreadable.first, events == 0 { throw CommandExit(.failed, part.error.message) }
    guard events > 0 || allowsEmpty else {
      throw CommandExit(.nothingAnalysed, "the logs have no events that a converted log could have; nothing was written")
    }
    var unread = inputs.unread.map { "an input could not be read: \($0.problem.problem)" }
    unread += source.unreadable.map { "an input could not be read: \($0.error.message.problem)" }
    if writer.leftOut > 0 { unread.append("\(writer.leftOut) events of an unknown kind were left out") }
    try writer.finish(source, numbers: inputs.numbers, reasons: unread)
    let files = inputs.inputs.count
    let lines = source.figures.reduce(0 as UInt64) { $0.addingClamped($1.lines) }
    let reasons =
      source.incompleteness.map(\.reason) + unread + (gaps > 0 ? ["it has \(gaps.counted("gap"))"] : [])
    return Result(
      summary: "\(files.counted("file")), \(lines) lines, \(events.counted("event"))",
      incompleteness: reasons)
  }

  private var files: [ConversionWriter.File] {
    inputs.inputs.enumerated().map { place, input in
      ConversionWriter.File(
        number: inputs.numbers[place], name: input.path, format: inputs.format(of: input), path: input.file)
    }
  }
}

extension LogInputs {
  /// The number that references give each foreign input.
  fileprivate var numbers: [UInt32] { inputs.indices.map { UInt32(clamping: $0 + 1) } }
}
