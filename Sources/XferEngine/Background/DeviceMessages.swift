/// The simulated conditions of the device that the daemon's decisions depend on.
package struct DeviceConditions: Codable, Sendable, Equatable {
  /// The simulated network path. `nil` means the machine's own.
  package var network: TransferSession.NetworkPath?
  package var isCharging = true
  /// The battery level, in per cent.
  package var battery = 100
  package var isLowPowerMode = false
  package var allowsBackgroundRefresh = true
  /// Whether the device is locked, so that protected files cannot be read.
  package var isLocked = false
  /// The simulated free disk space for the spool, in bytes. `nil` means the machine's own.
  package var freeDisk: Int64?
  /// The time by which the daemon's clocks are ahead of the machine's, in nanoseconds.
  package var clockAhead: Int64 = 0

  package init() {}

  /// The maximum of `clockAhead`: 100 years, in nanoseconds. Adding it to the time since 1970 does not overflow.
  package static let greatestClockAhead: Int64 = 3_155_760_000_000_000_000

  /// Whether discretionary transfers may run: the device is charging and not in low-power mode, and the network is available
  /// and neither expensive nor constrained.
  package var suitsDiscretionary: Bool {
    let path = network ?? .satisfied
    return isCharging && !isLowPowerMode && path.isSatisfied && !path.isExpensive && !path.isConstrained
  }
}

/// A command of `xfer conditions` or `xfer app` to the daemon.
package enum DeviceCommand: Codable, Sendable {
  case conditions
  case setConditions(DeviceConditions)
  case apps
  /// Launches a program in the foreground, as its user would, or in the background.
  case launch(Program, isBackground: Bool)
  case order(AppOrder, process: Int32)
  /// Terminates a process as the system would, and logs the reason `because`, the raw value of an `ExitReason`.
  case end(process: Int32, because: UInt8)
  /// Force-quits an app, as its user would.
  case forceQuit(app: String)
  case fire(app: String, kind: LaunchTrigger.Kind, name: String?)
}

/// A state change that is applied to one process of an app.
package enum AppOrder: String, Codable, Sendable, CaseIterable {
  case foreground, background, suspend, resume
}

package enum DeviceAnswer: Codable, Sendable {
  case conditions(DeviceConditions)
  case apps([AppStatus])
  case launched(process: Int32)
  case done
  /// The command failed. The text gives the reason.
  case refused(String)
}

/// The daemon's state of one app.
package struct AppStatus: Codable, Sendable {
  /// The program's path, as the kernel reports it.
  package var app: String
  /// Whether the app has registered a program to launch.
  package var isRegistered: Bool
  /// Whether the user has force-quit the app and not opened it since.
  package var isQuit: Bool
  /// The time until the app may be launched for its transfers again, in nanoseconds.
  package var launchDelay: Int64
  package var processes: [ProcessStatus]
  package var sessions: [SessionStatus]
  package var triggers: [String]

  package init(
    app: String, isRegistered: Bool, isQuit: Bool, launchDelay: Int64, processes: [ProcessStatus], sessions: [SessionStatus],
    triggers: [String]
  ) {
    (self.app, self.isRegistered, self.isQuit, self.launchDelay) = (app, isRegistered, isQuit, launchDelay)
    (self.processes, self.sessions, self.triggers) = (processes, sessions, triggers)
  }
}

package struct ProcessStatus: Codable, Sendable {
  package var pid: Int32
  /// The state of the process. `launching` until the process has connected.
  package var state: String
  /// Whether the daemon suspends the process in the background and terminates it when its background time expires.
  package var isSuspendable: Bool
  package var sessions: [String]
  /// The names of the background tasks that the process has begun and not ended.
  package var assertions: [String]

  package init(pid: Int32, state: String, isSuspendable: Bool, sessions: [String], assertions: [String]) {
    (self.pid, self.state, self.isSuspendable) = (pid, state, isSuspendable)
    (self.sessions, self.assertions) = (sessions, assertions)
  }
}

package struct SessionStatus: Codable, Sendable {
  package var identifier: String
  package var tasks: Int
  package var running: Int
  package var pending: Int
  /// The number of held tasks by hold reason.
  package var holds: [String: Int]

  package init(identifier: String, tasks: Int, running: Int, pending: Int, holds: [String: Int]) {
    (self.identifier, self.tasks, self.running) = (identifier, tasks, running)
    (self.pending, self.holds) = (pending, holds)
  }
}

/// The daemon's notice about an app's life cycle.
package enum AppNotice: Codable, Sendable {
  /// Asks the app to open this session and to call the completion handler when it has processed the session's events.
  case wake(session: String, handler: UInt64)
  case entered(AppStanding)
  case willTerminate
  case assertionsExpired([UInt64])
  case triggerFired(UInt64, LaunchTrigger)
  case deadManFired(name: String, count: Int)
  case protectedData(isAvailable: Bool)
}

/// An app's report about its life cycle to the daemon.
package enum AppReport: Codable, Sendable {
  case entered(AppStanding)
  case assertionBegun(UInt64, name: String)
  case assertionEnded(UInt64)
  case triggerArmed(UInt64, LaunchTrigger)
  case triggerDisarmed(LaunchTrigger)
  /// - Parameter firesAt: The time at which the dead-man switch fires, in nanoseconds since 1970.
  case deadManArmed(UInt64, name: String, firesAt: Int64)
  case deadManDisarmed(UInt64)
}

/// Whether an app is in the foreground or the background.
package enum AppStanding: String, Codable, Sendable, CaseIterable {
  case foreground, background
}
