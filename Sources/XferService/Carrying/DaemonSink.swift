import XferEvents

/// An event sink that passes only the daemon's part of a task's events to the log: network activity, holds and the end of the
/// transfer. The app itself logs the creation, resumption and delivery of its tasks.
struct DaemonSink: EventSink {
  let log: any EventSink

  func emit(_ event: some TransferEvent) {
    if Self.passed.contains(type(of: event).kind) { log.emit(event) }
  }

  func keeps(_ kind: EventKind) -> Bool { Self.passed.contains(kind) && log.keeps(kind) }

  var keepsSecrets: Bool { log.keepsSecrets }
  var processLaunch: LaunchID? { log.processLaunch }

  /// The kinds of events that are passed on, computed once because every event is checked.
  private static let passed = Set(
    EventKind.allCases.filter { kind in
      switch kind {
      case .taskHeld, .taskHoldEnded, .taskTransferred: true
      default: !["session", "task", "delivery", "file"].contains(kind.family)
      }
    })
}
