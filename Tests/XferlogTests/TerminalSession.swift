import Foundation
import LogTestSupport

/// A run of `xferlog` on a pseudo-terminal of a given size. Standard error is a file of its own, so that remarks do not mix with the output.
final class TerminalSession {
  private let process = Process()
  private var terminal: Int32 = -1
  private let files = TemporaryDirectory()
  /// Everything that the program has written to the terminal.
  private(set) var seen: [UInt8] = []

  var text: String { String(decoding: seen, as: UTF8.self) }
  var errors: String { (try? String(contentsOfFile: files.path("err"), encoding: .utf8)) ?? "" }
  var pid: pid_t { process.processIdentifier }

  init(_ arguments: [String], columns: Int, rows: Int = 24, environment: [String: String] = ["TERM": "xterm"]) throws {
    var program: Int32 = -1
    guard openpty(&terminal, &program, nil, nil, nil) == 0 else { throw CocoaError(.fileReadUnknown) }
    // The program must not inherit this end, or it would never see that the terminal was closed.
    _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
    var modes = termios()
    tcgetattr(program, &modes)
    // Line feeds arrive as they were written.
    modes.c_oflag &= ~tcflag_t(OPOST)
    tcsetattr(program, TCSANOW, &modes)
    let handle = FileHandle(fileDescriptor: program, closeOnDealloc: true)
    _ = try files.write([], to: "err")
    process.executableURL = URL(fileURLWithPath: ToolRun.tool)
    process.arguments = arguments
    process.environment = ToolRun.environment.merging(environment) { $1 }
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = FileHandle(forWritingAtPath: files.path("err"))
    resize(columns: columns, rows: rows)
    try process.run()
    try handle.close()
  }

  deinit {
    if process.isRunning { process.terminate() }
    close(terminal)
  }

  func resize(columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }

  func press(_ keys: String) { _ = keys.withCString { write(terminal, $0, strlen($0)) } }
  func signal(_ number: Int32) { kill(pid, number) }

  /// Whether the terminal echoes what the user types.
  var echoes: Bool {
    var modes = termios()
    tcgetattr(terminal, &modes)
    return modes.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Reads until the output satisfies a condition, has ended, or nothing was written for 30 seconds.
  ///
  /// - Returns: whether the condition was satisfied.
  @discardableResult
  func read(until isEnough: (TerminalSession) -> Bool) -> Bool {
    while !isEnough(self) { if !readMore() { return isEnough(self) } }
    return true
  }

  /// Waits for the end of the program and returns its exit code, or 128 plus the signal number if a signal ended it.
  func wait() -> Int32 {
    while readMore() {}
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  /// - Returns: the new bytes; `nil` at the end of the output, or after 30 seconds without output.
  func nextBytes(milliseconds: Int32 = 30_000) -> [UInt8]? {
    var entry = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, Foundation.read(terminal, buffer.baseAddress, buffer.count))
    }
    return bytes.isEmpty ? nil : bytes
  }

  private func readMore() -> Bool {
    guard let bytes = nextBytes() else { return false }
    seen += bytes
    return true
  }

  /// The time that the program has used a processor, in seconds.
  var processorTime: Double {
    let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    let fields = stat.drop { $0 != ")" }.split(separator: " ")
    let ticks = fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : 0
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}
