package import XferEvents

/// The events that a log writes about itself, which `show` leaves out for people.
package enum Bookkeeping {
  private static let kinds: Set<EventKind> = [
    .logOpened, .logClosed, .logRotated, .logHeartbeatWritten,
  ]
  /// The life of a tool that wrote a message is of no interest, unlike that of an app or a daemon.
  private static let livesOfTools: Set<EventKind> = [.processStarted, .processExited]

  package static func contains(_ event: RecordedEvent) -> Bool {
    guard let kind = event.kind else { return false }
    if kinds.contains(kind) { return true }
    // A clock that was set, or a machine that slept, is news.
    if kind == .clockSampled { return ![.stepped, .resumed].contains(event.sampleReason) }
    return livesOfTools.contains(kind) && event.source.writer.role == .tool
  }
}
