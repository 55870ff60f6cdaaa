import XferEngine

/// A dead-man switch that rings ten minutes after it was set, and is looked at every seven.
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
    // Three minutes are left at the second look: time to set it anew.
    if alarm.check() < .seconds(240) { alarm.arm(after: .seconds(600)) }
    lookLater()
  }
}

/// A region around the place where the app is ended, so that moving away launches it again.
final class RegionWatch: AppWatch {
  func appEnds() { BackgroundApp.arm(LaunchTrigger(.region, name: "wakeupinbg", radius: 5)) }
}

/// What an app does beside transfers.
protocol AppWatch: AnyObject, Sendable {
  func fired(_ trigger: LaunchTrigger)
  func appEnds()
}

extension AppWatch {
  func fired(_ trigger: LaunchTrigger) {}
  func appEnds() {}
}
