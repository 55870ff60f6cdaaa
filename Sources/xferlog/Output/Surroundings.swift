package import XferEvents
package import XferImport
package import XferReading
package import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The environment of a command except for files: variables, time, time zone, importers and descriptors.
package struct Surroundings: ReadingContext {
  package var environment: [String: String]
  package var now: @Sendable () -> WallTime
  package var localZone: ZoneRule
  /// The importers for inputs that are not logs.
  package var importers: [any EventImporter]
  /// What the user knows about foreign inputs.
  package var importOptions = ImportOptions()
  /// The descriptor from which the input `-` is read.
  package var input: Int32
  /// The descriptor to which results are written.
  package var output: Int32
  /// The terminal on which results are shown, also if a pager shows them; `nil` if they go to a file or another program.
  var terminal: Terminal?
  var settings = Settings()

  package init(
    environment: [String: String], now: @escaping @Sendable () -> WallTime, localZone: ZoneRule,
    importers: [any EventImporter] = Importers.all, input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO
  ) {
    self.environment = environment
    self.now = now
    self.localZone = localZone
    self.importers = importers
    self.input = input
    self.output = output
    terminal = Terminal(output, environment)
  }

  // MARK: Reading

  package func remark(_ message: UserMessage) { StandardError.remark(message) }

  package func absence(of argument: String) -> UserMessage {
    // An argument that consists of letters may be a misspelled command.
    let isWord = argument.allSatisfy { $0.isLetter || $0 == "-" }
    if !isWord {
      let isCondition = argument.contains { "=<>~".contains($0) }
      return "\(argument) does not exist" + (isCondition ? "; to select events, run xferlog query CONDITION LOG" : "")
    }
    let advice = MistypedCommand.suggestion(for: argument).map { ". \($0)" } ?? " (see xferlog --help)"
    return "'\(argument)' is neither a log nor a command\(advice)"
  }

  // MARK: Layout

  /// Returns the width of lines in columns; `nil` if it is unlimited.
  ///
  /// - Parameter width: the width that the user asked for with an option.
  func columns(_ width: LineWidth? = nil) -> Int? {
    switch width ?? settings.width {
    case .unlimited: return nil
    case .columns(let columns): return columns
    case .auto: return terminal?.columns
    }
  }

  /// Whether times are printed in UTC.
  func showsUTC(_ options: ZoneOptions) -> Bool {
    var settings = settings
    options.apply(to: &settings)
    return switch settings.zone {
    case .utc: true
    case .auto: terminal == nil
    case .local, .fixed, .named: false
    }
  }

  /// Makes the zone that the user asked for the local zone. Called before other threads start, because it may change the zone of the
  /// process.
  mutating func adoptZone() {
    switch settings.zone {
    case .auto, .local: break
    case .utc: localZone = .utc
    case .fixed(let offset): localZone = ZoneRule { _ in offset }
    case .named(let zone): zone.adopt()
    }
  }

  /// Returns the environment of this process.
  package static func current() -> Surroundings {
    Surroundings(environment: variables(), now: systemTime, localZone: ZoneRule(systemOffset))
  }

  private static func variables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      if let sign = strchr(text, Int32(UInt8(ascii: "="))) {
        let name = String(decoding: UnsafeRawBufferPointer(start: text, count: sign - text), as: UTF8.self)
        variables[name] = String(cString: sign + 1)
      }
      entry += 1
    }
    return variables.withoutEmptyVariables
  }

  @Sendable private static func systemTime() -> WallTime {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return WallTime(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
  }

  @Sendable private static func systemOffset(_ second: Int64) -> Int {
    var (time, parts) = (time_t(second), tm())
    return localtime_r(&time, &parts) == nil ? 0 : parts.tm_gmtoff
  }
}
