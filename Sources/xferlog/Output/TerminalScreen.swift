import CXferPlatform
import XferEvents
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A screen of its own on the terminal, which is redrawn in place. Leaving it restores what was there before.
final class TerminalScreen {
  private let output: StandardOutput
  private let environment: [String: String]
  private var shown: [String] = []
  private var size: (columns: Int, rows: Int) = (0, 0)
  private var nextDraw: Int64 = 0
  private var nextTick: Int64 = 0
  private var isOpen = true
  /// Whether events were read since the last drawing.
  private var isStale = true
  /// Whether the user pressed a key to leave the screen.
  private(set) var isLeft = false

  /// The shortest time between two drawings, and the time after which ages are drawn again, in nanoseconds.
  private static let pause: Int64 = 100_000_000
  private static let tick: Int64 = 1_000_000_000

  /// Switches to the alternate screen, hides the cursor, disables line wrapping, and stops the echo of keys.
  init(_ output: StandardOutput, _ surroundings: Surroundings) throws {
    self.output = output
    environment = surroundings.environment
    // Without a terminal as standard input, keys are not read, and nothing echoes them.
    _ = xp_terminal_raw(STDIN_FILENO)
    Interruption.takesScreen()
    output.buffer.append("\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l")
    do {
      try output.flush()
    } catch {
      leave()
      throw error
    }
  }

  deinit { leave() }

  /// Restores the terminal.
  func leave() {
    guard isOpen else { return }
    isOpen = false
    xp_terminal_restore(STDIN_FILENO)
    let ignored = output.ignoresInterruption
    output.ignoresInterruption = true
    output.buffer.removeAll()
    output.buffer.append(Interruption.endOfScreen)
    try? output.flush()
    output.ignoresInterruption = ignored
    Interruption.leavesScreen()
  }

  /// Draws the screen if something may have changed: at most ten times a second, and at least once a second, because ages grow. A new size
  /// of the window is drawn at once.
  ///
  /// - Parameter lines: returns the lines for a width and a height.
  func draw(isChanged: Bool, _ lines: (_ columns: Int, _ rows: Int) -> [String]) throws {
    readKeys()
    let rows = Int(xp_terminal_rows(STDOUT_FILENO))
    let columns = output.terminal(environment)?.columns ?? 80
    let size = (columns: columns, rows: rows > 0 ? rows : environment["LINES"].flatMap { Int($0) } ?? 24)
    isStale = isStale || isChanged
    let now = xp_clock_monotonic()
    let isResized = size != self.size
    guard isResized || isStale && now >= nextDraw || now >= nextTick else { return }
    let new = lines(max(1, size.columns), max(1, size.rows))
    (isStale, nextDraw, nextTick) = (false, now.addingClamped(Self.pause), now.addingClamped(Self.tick))
    if !isResized, new == shown { return }
    // A terminal that knows synchronised updates shows the whole frame at once. Only the lines that have changed are written.
    output.buffer.append("\u{1b}[?2026h")
    if isResized { output.buffer.append("\u{1b}[H\u{1b}[J") }
    for (row, line) in new.enumerated() where isResized || row >= shown.count || shown[row] != line {
      output.buffer.append("\u{1b}[\(row + 1);1H\(line)\u{1b}[K")
    }
    if new.count < shown.count, new.count < size.rows { output.buffer.append("\u{1b}[\(new.count + 1);1H\u{1b}[J") }
    output.buffer.append("\u{1b}[?2026l")
    try output.flush()
    (shown, self.size) = (new, size)
  }

  private func readKeys() {
    guard isatty(STDIN_FILENO) == 1 else { return }
    var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 0) > 0, entry.revents & Int16(POLLIN) != 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
    if count <= 0 { return }
    if StepKey.decode(Array(bytes[..<count])).contains(.text("q")) { isLeft = true }
  }
}
