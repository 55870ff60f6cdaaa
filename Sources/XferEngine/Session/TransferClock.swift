internal import CXferPlatform

/// The clock that the engine's timeouts are measured with. Does not affect the speed of transfers.
public protocol TransferClock: Sendable {
  /// The time since a fixed moment, in nanoseconds. Never decreases.
  var monotonic: Int64 { get }

  /// The wall-clock time, in nanoseconds since 1970, which determines the age of stored responses. Defaults to the system's
  /// clock.
  var wall: Int64 { get }

  /// Registers a closure that is called after the clock was set manually. A real clock never calls it.
  func onJump(_ wake: @escaping @Sendable () -> Void)
}

extension TransferClock {
  public var wall: Int64 { xp_clock_wall() }
}

/// The system's monotonic clock.
public struct SystemTransferClock: TransferClock {
  public init() {}
  public var monotonic: Int64 { xp_clock_monotonic() }
  public func onJump(_ wake: @escaping @Sendable () -> Void) {}
}
