package import XferEvents

/// An event other than a transfer for which the daemon launches an app.
///
/// Corresponds to launches by Core Location, PushKit and BackgroundTasks on iOS. `xfer app trigger` fires a trigger. A timer
/// also fires when the daemon's clock reaches its time; a request for an app refresh or for processing does not.
public struct LaunchTrigger: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A significant change of the device's location.
    case significantLocation
    /// The device's entry to or exit from a region.
    case region
    /// A push notification or an incoming call.
    case push
    /// A point in time.
    case timer
    /// A submitted request for an app refresh, which the system grants when it sees fit.
    case appRefresh
    /// A submitted request for processing, which the system grants when it sees fit.
    case processing
  }

  public var kind: Kind
  /// The name by which the app recognises the trigger.
  public var name: String
  /// The radius of a region, in metres. `nil` for other kinds.
  public var radius: Int?
  /// The time at which a timer fires, or before which the system does not grant a request, in seconds since 1970. `nil` for other
  /// kinds. A timer whose time is not finite never fires.
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
    case .appRefresh: .appRefresh
    case .processing: .processing
    }
  }

  /// The start reason that is logged for a process launched by this kind of trigger.
  package var startReason: StartReason {
    switch self {
    case .significantLocation: .significantLocation
    case .region: .region
    case .push: .push
    case .timer, .appRefresh, .processing: .timer
    }
  }
}

extension Int64 {
  fileprivate init(clamping value: Double) {
    self = value.isNaN || value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value)
  }
}
