import CXferPlatform
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
    var done = 0
    var failed = 0
    var skipped = 0
    /// The bytes of ended transfers.
    var ended: Int64 = 0
    var meter = RateMeter()
    /// The number of lines currently on the screen.
    var shown = 0
    var lastDrawn: ContinuousClock.Instant?
  }

  private struct Line {
    let name: String
    var count: Int64 = 0
    var expected: Int64?
    var meter = RateMeter()
  }

  private static let interval: Duration = .milliseconds(100)
  /// The maximum number of lines for running transfers.
  private static let lineLimit = 12
  private static let barWidth = 24
  private static let nameWidth = 32
  /// Remaining times of at least this length are not shown. In seconds.
  private static let longest: Int64 = 100 * 86_400

  init(total: Int) {
    self.total = total
    started = clock.now
  }

  func begin(_ name: String, place: Int) {
    state.withLock { $0.running[place] = Line(name: name) }
    draw()
  }

  /// - Parameter new: The number of bytes since the last call.
  func progress(place: Int, count: Int64, new: Int64, expected: Int64?) {
    let time = clock.now - started
    state.withLock { state in
      state.running[place]?.count = count
      state.running[place]?.expected = expected
      state.running[place]?.meter.add(new, at: time)
      state.meter.add(new, at: time)
    }
    draw()
  }

  func end(_ result: TransferResult) {
    state.withLock { state in
      state.running[result.place] = nil
      state.ended += max(result.received, result.sent)
      if result.problem != nil {
        state.failed += 1
      } else if result.skipped != nil {
        state.skipped += 1
      } else {
        state.done += 1
      }
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
    let columns = Self.columns
    let more = running.count > Self.lineLimit ? ["  and \(running.count - Self.lineLimit) more"] : []
    let lines = running.prefix(Self.lineLimit).map { Self.text($0, after: time, columns: columns) } + more
    return (lines + [summary(state, running, after: time)]).map { TerminalText.cut($0, to: columns) }
  }

  /// The width of the terminal without its last column, because some terminals wrap after it.
  private static var columns: Int {
    let columns = Int(xp_terminal_columns(STDERR_FILENO))
    return max(1, (columns > 0 ? columns : 80) - 1)
  }

  private func summary(_ state: State, _ running: [Line], after time: Duration) -> String {
    let bytes = state.ended + running.reduce(0) { $0 + $1.count }
    let rate = state.meter.rate(at: time)
    var parts = ["\(state.done) of \(total.counted("file"))"]
    if state.failed > 0 { parts.append("\(state.failed) failed") }
    if state.skipped > 0 { parts.append("\(state.skipped) skipped") }
    parts += ["\(ByteCount(bytes))", "\(ByteCount(rate))/s"]
    // The remaining time is unknown while transfers are waiting to start.
    let isAllRunning = state.done + state.failed + state.skipped + running.count == total
    if isAllRunning, let left = Self.left(running, rate: rate) { parts.append("\(left) left") }
    return "xfer: " + parts.joined(separator: ", ")
  }

  /// Returns the remaining time of the transfers at a rate, as text; `nil` when a size or the rate is unknown.
  private static func left(_ lines: [Line], rate: Int64) -> String? {
    guard rate > 0, !lines.isEmpty else { return nil }
    var rest: Int64 = 0
    for line in lines {
      guard let expected = line.expected, expected > 0 else { return nil }
      rest = rest.addingClamped(max(0, expected - line.count))
    }
    let seconds = rest / rate + (rest % rate > 0 ? 1 : 0)
    return seconds < longest ? Duration.seconds(seconds).short : nil
  }

  private static func text(_ line: Line, after time: Duration, columns: Int) -> String {
    let width = min(nameWidth, max(8, columns / 3))
    let name = TerminalText.cutMiddle(TerminalText.escaped(line.name), to: width)
    let shown = name + String(repeating: " ", count: max(0, width - TerminalText.width(name)))
    let rate = line.meter.rate(at: time)
    guard let expected = line.expected, expected > 0 else { return "  \(shown) \(ByteCount(line.count)), \(ByteCount(rate))/s" }
    let part = min(1, Double(line.count) / Double(expected))
    let left = Self.left([line], rate: rate).map { ", \($0) left" } ?? ""
    let figures = "\(Int(part * 100))% of \(ByteCount(expected)), \(ByteCount(rate))/s\(left)"
    let room = min(barWidth, columns - 2 - width - 1 - 3 - figures.count)
    // A bar of fewer than five characters is not useful, so only the figures are shown.
    guard room >= 5 else { return "  \(shown) \(figures)" }
    let filled = Int(part * Double(room))
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
    return "  \(shown) [\(bar)] \(figures)"
  }
}
