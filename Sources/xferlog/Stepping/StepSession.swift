import CXferPlatform
import XferDiagnosis
import XferEvents
import XferLogStore
import XferReading
import XferReplay
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The command `replay --step`, which moves forward and back through a log, by keys from a terminal or from an option.
struct StepSession {
  let scope: StateScope
  /// The keys to process; `nil` reads them from the terminal.
  let keys: String?
  /// The place at which to begin, in the form of `--at`; `nil` means the beginning of the log.
  let beginning: String?

  func run(_ inputs: LogInputs, rules: RuleSet, recovery: RecoveryMode, _ surroundings: Surroundings) throws {
    let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    if keys == nil, !isTerminal {
      throw CommandExit(
        .wrongUsage,
        "--step needs a terminal; --at EVENT prints the state at one place without one")
    }
    if let beginning { _ = try PlaceExpression.argument(beginning, surroundings) }
    var stepper = try stepper(inputs, rules, recovery, surroundings)
    if let beginning { for key in [.text("g")] + beginning.map(StepKey.text) + [.enter] { stepper.press(key) } }
    let name = inputs.inputs.map(\.path).joined(separator: " ")
    if let keys {
      try script(keys, &stepper, name, surroundings)
    } else {
      do {
        try interact(&stepper, name, surroundings)
      } catch let error as Interrupted {
        Interruption.endAsSignalled()
        throw error
      }
    }
  }

  private func stepper(_ inputs: LogInputs, _ rules: RuleSet, _ recovery: RecoveryMode, _ surroundings: Surroundings) throws
    -> Stepper
  {
    var members: [LogMember] = []
    let log = try DiagnosedLog(inputs, rules: rules, recovery: recovery, each: { members.append($0) })
    if members.isEmpty { try DiagnosedLog.end((.nothingAnalysed, "the log has no events")) }
    return Stepper(
      members, findings: log.diagnosis.findings,
      time: TimeExpression(now: surroundings.now(), zone: surroundings.localZone), isStop: scope.admits)
  }

  // MARK: Keys from an option

  /// Prints the screen at the start and after each key.
  private func script(_ keys: String, _ stepper: inout Stepper, _ name: String, _ surroundings: Surroundings) throws {
    func size(_ variable: String, _ usual: Int) -> Int { surroundings.environment[variable].flatMap { Int($0) } ?? usual }
    let hasColor = ColorChoice.auto.isOn(environment: surroundings.environment, isTerminal: false)
    let screen = StepScreen(columns: size("COLUMNS", 100), rows: size("LINES", 40), hasColor: hasColor, log: name)
    let output = StandardOutput(descriptor: surroundings.output)
    func show(_ title: String) throws {
      output.buffer.append("──── \(title)\n")
      for line in screen.lines(stepper) { output.buffer.append(line + "\n") }
      try output.flushIfLarge()
    }
    try show("start")
    for key in StepKey.decode(Array(keys.utf8)) where !stepper.isDone {
      stepper.press(key)
      try show("\(key)")
    }
    try output.flush()
  }

  // MARK: Terminal

  private func interact(_ stepper: inout Stepper, _ name: String, _ surroundings: Surroundings) throws {
    for signal in Interruption.endings { Interruption.handle(signal) }
    // A handler is installed so that a change of the window's size interrupts the wait for keys.
    signal(SIGWINCH) { _ in }
    // Unblock the signal, because some parents start their children with signals blocked.
    var window = sigset_t()
    sigemptyset(&window)
    sigaddset(&window, SIGWINCH)
    pthread_sigmask(SIG_UNBLOCK, &window, nil)
    guard xp_terminal_raw(STDIN_FILENO) == 0 else {
      throw CommandExit(.failed, "the terminal cannot be switched to raw mode: \(String(cString: strerror(errno)))")
    }
    let output = StandardOutput()
    // Switch to the alternate screen, hide the cursor, and disable line wrapping.
    output.buffer.append("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
    Interruption.takesScreen()
    defer {
      Interruption.leavesScreen()
      xp_terminal_restore(STDIN_FILENO)
      output.ignoresInterruption = true
      output.buffer.removeAll()
      output.buffer.append(Interruption.endOfScreen)
      try? output.flush()
    }
    let hasColor = ColorChoice.auto.isOn(environment: surroundings.environment, isTerminal: true)
    var drawn: (columns: Int, rows: Int)?
    while !stepper.isDone {
      let size = Self.size
      if drawn.map({ $0 != size }) ?? true {
        let screen = StepScreen(columns: size.columns, rows: size.rows, hasColor: hasColor, log: name)
        let lines = screen.lines(stepper).map { $0 + "\u{1b}[K" }
        output.buffer.append("\u{1b}[H" + lines.joined(separator: "\r\n") + "\u{1b}[J")
        try output.flush()
        drawn = size
      }
      guard let keys = try Self.read() else { return }
      if !keys.isEmpty { drawn = nil }
      for key in keys where !stepper.isDone { stepper.press(key) }
    }
  }

  private static var size: (columns: Int, rows: Int) {
    let (columns, rows) = (Int(xp_terminal_columns(STDOUT_FILENO)), Int(xp_terminal_rows(STDOUT_FILENO)))
    return (columns > 0 ? columns : 80, rows > 0 ? rows : 24)
  }

  /// The interval at which the window's size is checked, in milliseconds, because the signal may arrive right before the wait.
  private static let sizeCheckInterval: Int32 = 200

  /// - Returns: the pressed keys, or an empty list when the window may have changed; `nil` when the terminal was closed.
  private static func read() throws -> [StepKey]? {
    var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    let ready = poll(&entry, 1, sizeCheckInterval)
    try Interruption.check()
    guard ready > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    var count = readKeys(&bytes, 0)
    if count <= 0 { return nil }
    // The rest of an escape sequence may arrive later than its first byte.
    while bytes[count - 1] == 0x1B || bytes[..<count].suffix(2).elementsEqual([0x1B, 0x5B]) {
      guard poll(&entry, 1, 30) > 0, count < bytes.count else { break }
      let more = readKeys(&bytes, count)
      if more <= 0 { break }
      count += more
    }
    return StepKey.decode(Array(bytes[..<count]))
  }
}

private func readKeys(_ bytes: inout [UInt8], _ offset: Int) -> Int {
  bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress! + offset, $0.count - offset) }
}
