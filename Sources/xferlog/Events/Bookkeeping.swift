package import XferEvents

/// The events that a log writes about itself, which `show -o short` leaves out.
package enum Bookkeeping {
  private static let kinds: Set<EventKind> = [
    .logOpened, .logClosed, .logRotated, .logHeartbeatWritten,
  ]
  /// The start and exit of a process. They are bookkeeping only for tools such as `xferlog emit`, not for apps and daemons.
  private static let livesOfTools: Set<EventKind> = [.processStarted, .processExited]

  package static func contains(_ event: RecordedEvent) -> Bool {
    guard let kind = event.kind else { return false }
    if kinds.contains(kind) { return true }
    // A clock sample is bookkeeping unless the clock was set or the machine slept.
    if kind == .clockSampled { return ![.stepped, .resumed].contains(event.sampleReason) }
    return livesOfTools.contains(kind) && event.source.writer.role == .tool
  }
}
