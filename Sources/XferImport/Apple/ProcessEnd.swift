import XferEvents

/// How a process ended, as lines of RunningBoard, FrontBoard, launchd, the kernel and older systems tell it.
struct ProcessEnd: Equatable {
  var reason: ExitReason
  var signal: Int?

  init(_ reason: ExitReason, signal: Int? = nil) { (self.reason, self.signal) = (reason, signal) }

  /// - Parameter text: such as `domain:signal(2) code:SIGKILL(9)`, `launchd (1, 7, 9)`, `signal: Interrupt: 2 sent by x[1]` or `voluntary`.
  init(_ text: String) {
    if let numbers = Self.launchd(text) {
      self.init(space: numbers[0], status: numbers[2])
    } else if ["domain:jetsam", "memorystatus: killing_", "killed by jetsam"].contains(where: { text.contains($0) }) {
      self.init(.memoryPressure)
    } else if text.contains("watchdog") || text.contains("0x8BADF00D") {
      self.init(.watchdog)
    } else if text.contains("0xDEAD10CC") {
      self.init(.suspendedHoldingLock)
    } else if let signal = Self.signal(in: text) {
      self.init(signal: signal)
    } else {
      self.init(text.contains("crash") ? .crashed : text.contains("voluntary") ? .exitCall : .unknown)
    }
  }

  private init(signal: Int) { self.init(Self.faults.contains(signal) ? .crashed : .signal, signal: signal) }

  /// - Parameters:
  ///   - space: the namespace of the reason: `OS_REASON_JETSAM` is 1 (xnu, bsd/sys/reason.h).
  ///   - status: the status as `wait` returns it.
  private init(space: Int, status: Int) {
    let signal = status & 0x7F
    if space == 1 {
      self.init(.memoryPressure, signal: signal == 0 ? nil : signal)
    } else if signal == 0 {
      self.init(.exitCall)
    } else {
      self.init(signal: signal)
    }
  }

  /// The signals of a faulty program, by their numbers on Apple's systems: SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS.
  private static let faults: Set<Int> = [4, 5, 6, 8, 10, 11, 12]

  /// Returns the three numbers of `launchd (1, 7, 9)`; `nil` if the text has none.
  private static func launchd(_ text: String) -> [Int]? {
    let parts = text.split(separator: "(")
    guard let place = parts.lastIndex(where: { $0.hasSuffix("launchd ") }), place + 1 < parts.count else { return nil }
    let numbers = parts[place + 1].prefix { $0 != ")" }.split(separator: ",").compactMap { Int($0.drop { $0 == " " }) }
    return numbers.count == 3 ? numbers : nil
  }

  /// Returns the number of a signal in a text such as `code:SIGKILL(9)` or `signal: Interrupt: 2 sent by x[1]`; `nil` if there is none.
  private static func signal(in text: String) -> Int? {
    if text.hasPrefix("signal") {
      let number = text.split(separator: " ").dropFirst().first { $0.first?.isNumber == true }
      return number.flatMap { Int($0.prefix { $0.isASCII && $0.isNumber }) }
    }
    for part in text.split(whereSeparator: { $0 == " " || $0 == ":" || $0 == ";" || $0 == "," }) where part.hasPrefix("SIG") {
      guard let open = part.firstIndex(of: "(") else { continue }
      return Int(part[part.index(after: open)...].prefix { $0 != ")" })
    }
    return nil
  }
}
