import XferEngine

/// A dead-man switch that fires ten minutes after it was armed. The app checks and re-arms it every seven minutes.
final class DeadManWatch: AppWatch {
  private let app: KettleApp
  private let alarm = DeadManSwitch(name: "still alive")

  init(_ app: KettleApp) { self.app = app }

  func start() {
    alarm.arm(after: .seconds(600))
    lookLater()
  }

  private func lookLater() {
    let minutes = app.does(.lookLate) ? 11 : 7
    BackgroundApp.arm(LaunchTrigger(.timer, name: "look", firesAt: BackgroundApp.now + Double(minutes) * 60))
  }

  func fired(_ trigger: LaunchTrigger) {
    guard trigger.kind == .timer else { return }
    // At the second check only three minutes are left, so the switch is re-armed.
    if alarm.check() < .seconds(240) { alarm.arm(after: .seconds(600)) }
    lookLater()
  }
}

/// Arms a region trigger where the app is terminated, so that leaving the region launches the app again.
final class RegionWatch: AppWatch {
  func appEnds() { BackgroundApp.arm(LaunchTrigger(.region, name: "wakeupinbg", radius: 5)) }
}

/// The app's reactions to launch triggers and to its termination.
protocol AppWatch: AnyObject, Sendable {
  func fired(_ trigger: LaunchTrigger)
  func appEnds()
}

extension AppWatch {
  func fired(_ trigger: LaunchTrigger) {}
  func appEnds() {}
}
