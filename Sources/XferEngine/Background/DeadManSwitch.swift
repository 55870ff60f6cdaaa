internal import CXferPlatform
internal import Synchronization
internal import XferEvents

/// Rings when an app no longer sets it: a lease that the daemon holds, because whoever died cannot ring.
///
/// An app that is to stay alive arms it, looks at it from time to time, and arms it again while there is time. It goes on ringing every
/// minute until it is armed, disarmed, or the app comes in front of its user.
public final class DeadManSwitch: Sendable {
  public let name: String
  private let id: CorrelationID
  private let state = Mutex<Int64?>(nil)

  /// - Parameter name: the same in each life: one that is armed replaces the one that an earlier life armed.
  public init(name: String) {
    self.name = name
    id = CorrelationID(Self.number(of: "\(BackgroundLink.executablePath)\n\(name)"))
  }

  /// A text's own number (FNV-1a), so that a later life means the same switch, and another program does not.
  private static func number(of text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// It rings after this time, unless it is armed again or disarmed.
  public func arm(after interval: Duration) {
    let firesAt = xp_clock_wall().addingClamped(interval.nanoseconds)
    state.withLock { $0 = firesAt }
    let link = BackgroundLink.process
    link.sink?.emit(DeadmanArmed(deadman: id, name: name, firesAt: WallTime(nanoseconds: firesAt), interval: interval))
    link.keep(.deadManArmed(id.rawValue, name: name, firesAt: firesAt), as: .deadMan(id.rawValue))
  }

  /// Looks how much time is left, and says so in the log.
  ///
  /// - Returns: zero when none is left, or when it is not armed.
  @discardableResult public func check() -> Duration {
    let firesAt = state.withLock { $0 }
    let remaining = firesAt.map { Duration.nanoseconds(max(0, $0 - xp_clock_wall())) } ?? .zero
    BackgroundLink.process.sink?.emit(DeadmanChecked(deadman: id, remaining: remaining))
    return remaining
  }

  public func disarm() {
    state.withLock { $0 = nil }
    let link = BackgroundLink.process
    link.sink?.emit(DeadmanDisarmed(deadman: id, by: .app))
    link.keep(nil, as: .deadMan(id.rawValue))
    link.send(.report(.deadManDisarmed(id.rawValue)))
  }
}
