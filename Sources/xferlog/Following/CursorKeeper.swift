import XferEvents
import XferLogStore
import XferReading

/// The cursor of one run: it begins after a saved cursor, moves with the events that are printed, and is saved for the next run.
final class CursorKeeper {
  private let beginning: LogCursor
  private let file: CursorFile?
  private let isShown: Bool
  private var current: LogCursor
  /// The cursor behind the events that have reached the output.
  private var printed: LogCursor

  /// - Returns: `nil` if no option asks for a cursor.
  init?(_ options: CursorOptions) throws {
    guard options.isGiven else { return nil }
    file = options.file
    isShown = options.showCursor
    beginning = try options.beginning(file) ?? LogCursor()
    (current, printed) = (beginning, beginning)
  }

  /// Checks that the inputs have cursors, and that the log is the one that the cursor is of.
  ///
  /// - Throws: `CommandExit` if nothing of what the cursor names is in the log any more.
  func check(_ inputs: LogInputs, _ source: any EventSource) throws {
    if inputs.inputs.contains(where: { if case .log = $0.location { false } else { true } }) {
      throw CommandExit(
        .wrongUsage, "only logs that xferlog's own writers wrote have cursors; leave out the cursor, or the other inputs")
    }
    let present = Set(source.origins.compactMap(\.launch))
    guard !present.isEmpty, !beginning.isEmpty else { return }
    let names = inputs.inputs.map(\.path).joined(separator: ", ")
    guard !beginning.launches.isDisjoint(with: present) else {
      let advice = file.map { "remove \($0.path)" } ?? "leave out --after-cursor"
      throw CommandExit(
        .wrongUsage,
        "the cursor is from another log than \(names), or all segments that it names were removed.\n"
          + "To begin with the first event of the log, \(advice).")
    }
    let lost = beginning.lost(present).count
    if lost > 0 {
      StandardError.remark(
        "\(names) lacks the segments of \(lost) process li\(lost == 1 ? "fe" : "ves") after the cursor; "
          + "their events since then were removed")
    }
  }

  // MARK: Events

  /// Returns the part of an event or gap that is after the saved cursor; `nil` if an earlier run printed it.
  func admit(_ member: LogMember) -> LogMember? {
    defer { current.pass(member) }
    if beginning.isEmpty { return member }
    if beginning.covers(member) { return nil }
    if case .gap(let gap) = member { return .gap(beginning.rest(of: gap)) }
    return member
  }

  /// Notes that everything so far has reached the output, and saves the cursor from time to time.
  func notePrinted() throws {
    printed = current
    try file?.save(printed, isLast: false)
  }

  /// Saves the cursor behind the last events that have reached the output.
  func finish(_ source: any EventSource) throws {
    let present = Set(source.origins.compactMap(\.launch))
    if !present.isEmpty { printed.keep(present) }
    try file?.save(printed, isLast: true)
    if isShown { StandardError.remark("cursor: \(printed)") }
  }
}
