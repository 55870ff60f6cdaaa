internal import XferEvents

extension BackgroundApp {
  /// Asks the daemon to launch the app when a trigger fires.
  ///
  /// The trigger stays armed until it is disarmed, even after the app has exited. It replaces a trigger of the same kind and
  /// name.
  public static func arm(_ trigger: LaunchTrigger) {
    let link = BackgroundLink.process
    let number = UInt64.random(in: 1 ... .max)
    var trigger = trigger
    // JSON cannot represent infinity or NaN. A timer without a time never fires either.
    if let time = trigger.firesAt, !time.isFinite { trigger.firesAt = nil }
    link.sink?.emit(trigger.armed(number))
    link.keep(.triggerArmed(number, trigger), as: trigger.report)
  }

  /// Disarms the trigger of the same kind and name.
  public static func disarm(_ trigger: LaunchTrigger) {
    let link = BackgroundLink.process
    link.keep(nil, as: trigger.report)
    link.send(.report(.triggerDisarmed(trigger)))
  }
}

extension LaunchTrigger {
  fileprivate var report: KeptReport { .trigger("\(kind.rawValue) \(name)") }
}
