import Foundation
import Synchronization
import XferEvents
import XferReport

/// Progress lines at the bottom of a terminal: one for each running transfer and one for the total.
final class ProgressBars: Sendable {
  private let total: Int
  private let clock = ContinuousClock()
  private let started: ContinuousClock.Instant
  private let state = Mutex(State())

  private struct State {
    var running: [Int: Line] = [:]
    var finished = 0
    var failed = 0
    var received: Int64 = 0
    /// The number of lines currently on the screen.
    var shown = 0
    var lastDrawn: ContinuousClock.Instant?
  }

  private struct Line {
    let name: String
    var count: Int64 = 0
    var expected: Int64?
  }

  private static let interval: Duration = .milliseconds(100)
  /// The maximum number of lines for running transfers.
  private static let lineLimit = 12
  private static let barWidth = 24

  init(total: Int) {
    self.total = total
    started = clock.now
  }

  func begin(_ name: String, place: Int) {
    state.withLock { $0.running[place] = Line(name: name) }
    draw()
  }

  func progress(place: Int, count: Int64, expected: Int64?) {
    state.withLock { state in
      state.running[place]?.count = count
      state.running[place]?.expected = expected
    }
    draw()
  }

  func end(_ result: TransferResult) {
    state.withLock { state in
      state.running[result.place] = nil
      state.finished += 1
      state.received += max(result.received, result.sent)
      if result.problem != nil { state.failed += 1 }
    }
    draw()
  }

  /// Removes the progress lines, so that other text can be printed.
  func clear() {
    state.withLock { state in
      guard state.shown > 0 else { return }
      Remarks.write(Self.erasing(state.shown))
      (state.shown, state.lastDrawn) = (0, nil)
    }
  }

  private func draw() {
    let now = clock.now
    state.withLock { state in
      if let last = state.lastDrawn, now - last < Self.interval { return }
      let lines = lines(state, after: now - started)
      Remarks.write(Self.erasing(state.shown) + lines.map { "\u{1B}[K\($0)\n" }.joined())
      (state.shown, state.lastDrawn) = (lines.count, now)
    }
  }

  private static func erasing(_ lines: Int) -> String { lines == 0 ? "" : "\u{1B}[\(lines)F\u{1B}[J" }

  private func lines(_ state: State, after time: Duration) -> [String] {
    let running = state.running.sorted { $0.key < $1.key }.map(\.value)
    let bytes = state.received + running.reduce(0) { $0 + $1.count }
    let rate = ByteRate.perSecond(bytes, in: time)
    let failed = state.failed == 0 ? "" : ", \(state.failed) failed"
    let more = running.count > Self.lineLimit ? ["  and \(running.count - Self.lineLimit) more"] : []
    return running.prefix(Self.lineLimit).map(Self.text) + more
      + ["xfer: \(state.finished)/\(total) files, \(ByteCount(bytes)), \(ByteCount(rate))/s\(failed)"]
  }

  private static func text(_ line: Line) -> String {
    let name = TerminalText.escaped(line.name)
    let shown = name.count > 32 ? "\(name.prefix(31))…" : name.padding(toLength: 32, withPad: " ", startingAt: 0)
    guard let expected = line.expected, expected > 0 else { return "  \(shown) \(ByteCount(line.count))" }
    let part = min(1, Double(line.count) / Double(expected))
    let filled = Int(part * Double(barWidth))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: barWidth - filled)
    return "  \(shown) [\(bar)] \(Int(part * 100))% of \(ByteCount(expected))"
  }
}
