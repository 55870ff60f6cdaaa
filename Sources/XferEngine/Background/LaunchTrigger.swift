package import XferEvents

/// What an app wants to be launched for beside its transfers. Core Location, PushKit and BackgroundTasks have these on a device; here whoever
/// plays the device fires them (`xfer app trigger`), and timers fire by the daemon's clock.
public struct LaunchTrigger: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The device has moved far.
    case significantLocation
    /// A region was left or entered.
    case region
    /// A push, or a call.
    case push
    /// A moment has come.
    case timer
  }

  public var kind: Kind
  /// By which the app knows it again.
  public var name: String
  /// Of a region, in metres.
  public var radius: Int?
  /// Of a timer, in seconds since 1970.
  public var firesAt: Double?

  public init(_ kind: Kind, name: String, radius: Int? = nil, firesAt: Double? = nil) {
    (self.kind, self.name, self.radius, self.firesAt) = (kind, name, radius, firesAt)
  }
}

extension LaunchTrigger {
  func armed(_ number: UInt64) -> TriggerArmed {
    TriggerArmed(
      trigger: CorrelationID(number), triggerKind: kind.logged, name: name, radius: radius, effectiveRadius: radius,
      firesAt: firesAt.map { WallTime(nanoseconds: Int64(clamping: ($0 * 1e9))) })
  }
}

extension LaunchTrigger.Kind {
  package var logged: TriggerKind {
    switch self {
    case .significantLocation: .significantLocation
    case .region: .region
    case .push: .push
    case .timer: .timer
    }
  }

  /// Why a process runs that was launched for it.
  package var startReason: StartReason {
    switch self {
    case .significantLocation: .significantLocation
    case .region: .region
    case .push: .push
    case .timer: .timer
    }
  }
}

extension Int64 {
  fileprivate init(clamping value: Double) {
    self = value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value)
  }
}
