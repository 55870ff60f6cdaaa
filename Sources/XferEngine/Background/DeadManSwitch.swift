internal import CXferPlatform
internal import Synchronization
internal import XferEvents

/// A lease held by the daemon that fires when an app stops renewing it, for example because the app was terminated.
///
/// An app arms the switch, checks the remaining time regularly, and arms the switch again before it fires. Firing is logged, and
/// is reported to the delegate (`deadManFired`) of a running app. A switch that has fired fires again every minute until it is
/// armed or disarmed, or until the user brings the app to the foreground.
public final class DeadManSwitch: Sendable {
  public let name: String
  private let id: CorrelationID
  private let state = Mutex<Int64?>(nil)

  /// - Parameter name: The switch's name, the same in each launch of the app. Arming the switch replaces the lease that an
  ///   earlier launch armed under this name.
  public init(name: String) {
    self.name = name
    id = CorrelationID(ProgramName.number(of: name))
  }

  /// Arms the switch, or restarts its time if it is armed. The switch fires after `interval` unless it is armed again or
  /// disarmed.
  public func arm(after interval: Duration) {
    let firesAt = xp_clock_wall().addingClamped(interval.nanoseconds)
    state.withLock { $0 = firesAt }
    let link = BackgroundLink.process
    link.sink?.emit(DeadmanArmed(deadman: id, name: name, firesAt: WallTime(nanoseconds: firesAt), interval: interval))
    link.keep(.deadManArmed(id.rawValue, name: name, firesAt: firesAt), as: .deadMan(id.rawValue))
  }

  /// Logs and returns the time that remains until the switch fires.
  ///
  /// - Returns: The remaining time. Zero when the time has expired or the switch is not armed.
  @discardableResult public func check() -> Duration {
    let firesAt = state.withLock { $0 }
    let remaining = firesAt.map { Duration.nanoseconds(max(0, $0 - xp_clock_wall())) } ?? .zero
    BackgroundLink.process.sink?.emit(DeadmanChecked(deadman: id, remaining: remaining))
    return remaining
  }

  /// Disarms the switch, so that it no longer fires.
  public func disarm() {
    state.withLock { $0 = nil }
    let link = BackgroundLink.process
    link.sink?.emit(DeadmanDisarmed(deadman: id, by: .app))
    link.keep(nil, as: .deadMan(id.rawValue))
    link.send(.report(.deadManDisarmed(id.rawValue)))
  }
}
