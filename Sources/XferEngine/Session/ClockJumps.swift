/// The engines of this process that are woken after the daemon has moved the device's clocks, so that their timeouts are not late.
enum ClockJumps {
  private static let observers = PathObservers()

  /// Registers a closure that is called after each jump, until the observation is released.
  static func onJump(_ wake: @escaping @Sendable () -> Void) -> NetworkPathObservation { observers.add(wake) }

  static func announce() { observers.notify() }
}
