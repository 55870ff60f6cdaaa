internal import CXferPlatform

/// The clock of the engine's limits; bytes on the wire go their own pace.
public protocol TransferClock: Sendable {
  /// Nanoseconds since a fixed moment; never goes back.
  var monotonic: Int64 { get }

  /// Nanoseconds since 1970, to tell how old a stored response is; the system's unless said otherwise.
  var wall: Int64 { get }

  /// Registers what is to be called after the clock was moved by hand; a clock that runs by itself never calls it.
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
