import XferEvents

/// What the daemon's engine has to say of a task that belongs to an app: what happens on the wire. The app says itself that it made,
/// resumed and got it.
struct DaemonSink: EventSink {
  let log: any EventSink

  func emit(_ event: some TransferEvent) {
    if Self.passed.contains(type(of: event).kind) { log.emit(event) }
  }

  func keeps(_ kind: EventKind) -> Bool { Self.passed.contains(kind) && log.keeps(kind) }

  var keepsSecrets: Bool { log.keepsSecrets }
  var processLaunch: LaunchID? { log.processLaunch }

  /// Asked for each event, so told once.
  private static let passed = Set(
    EventKind.allCases.filter { kind in
      switch kind {
      case .taskHeld, .taskHoldEnded, .taskTransferred: true
      default: !["session", "task", "delivery", "file"].contains(kind.family)
      }
    })
}
