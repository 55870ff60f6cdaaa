import ArgumentParser
import XferReading

/// Options for the place in a log at which a later run continues.
struct CursorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Begin where the previous run with this cursor file ended, and save the new position in it (all events if it is missing).",
      valueName: "file"), completion: .file())
  var cursorFile: String?

  @Option(
    help: ArgumentHelp("Begin after the place that --show-cursor or a cursor file gave.", valueName: "cursor"))
  var afterCursor: String?

  @Flag(help: "Print the position after the last event (the cursor) on standard error, for --after-cursor.")
  var showCursor = false

  /// Whether the run keeps a cursor.
  var isGiven: Bool { cursorFile != nil || afterCursor != nil || showCursor }

  /// Returns the file that keeps the cursor; `nil` if there is none.
  var file: CursorFile? { cursorFile.map(CursorFile.init) }

  /// Returns the cursor after which the run begins; `nil` for the beginning of the log.
  func beginning(_ file: CursorFile?) throws -> LogCursor? {
    guard let afterCursor else { return try file?.cursor() }
    guard let cursor = LogCursor(afterCursor) else {
      throw CommandExit(.wrongUsage, "the text of --after-cursor is not a cursor; copy the whole line that --show-cursor prints")
    }
    return cursor
  }
}
