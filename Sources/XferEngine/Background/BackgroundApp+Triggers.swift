internal import XferEvents

extension BackgroundApp {
  /// Asks to be launched for something beside transfers; the daemon keeps that until it is disarmed, also when the app has ended. A trigger
  /// of the same kind and name is replaced.
  public static func arm(_ trigger: LaunchTrigger) {
    let link = BackgroundLink.process
    let number = UInt64.random(in: 1 ... .max)
    link.sink?.emit(trigger.armed(number))
    link.keep(.triggerArmed(number, trigger), as: trigger.report)
  }

  public static func disarm(_ trigger: LaunchTrigger) {
    let link = BackgroundLink.process
    link.keep(nil, as: trigger.report)
    link.send(.report(.triggerDisarmed(trigger)))
  }
}

extension LaunchTrigger {
  fileprivate var report: KeptReport { .trigger("\(kind.rawValue) \(name)") }
}
