/// What the device is like, as far as the daemon decides by it. What nobody has set is as the machine has it.
package struct DeviceConditions: Codable, Sendable, Equatable {
  /// `nil` for the machine's own.
  package var network: TransferSession.NetworkPath?
  package var isCharging = true
  /// Per cent.
  package var battery = 100
  package var isLowPowerMode = false
  package var allowsBackgroundRefresh = true
  /// Whether protected files cannot be read.
  package var isLocked = false
  /// Bytes that the spool may take; `nil` for what the machine has.
  package var freeDisk: Int64?
  /// Nanoseconds by which the daemon's clocks are ahead of the machine's.
  package var clockAhead: Int64 = 0

  package init() {}

  /// A hundred years, in nanoseconds: sums with it and the time since 1970 stay in range.
  package static let greatestClockAhead: Int64 = 3_155_760_000_000_000_000

  /// Whether this is a time for what can wait: the device is on the cable, and bytes cost nothing.
  package var suitsDiscretionary: Bool {
    let path = network ?? .satisfied
    return isCharging && !isLowPowerMode && path.isSatisfied && !path.isExpensive && !path.isConstrained
  }
}

/// What whoever plays the device asks of the daemon.
package enum DeviceCommand: Codable, Sendable {
  case conditions
  case setConditions(DeviceConditions)
  case apps
  /// Starts a program as its user would, or unseen.
  case launch(Program, isBackground: Bool)
  case order(AppOrder, process: Int32)
  /// The system ends it, and says why in the log.
  case end(process: Int32, because: UInt8)
  /// The user sweeps the app away.
  case forceQuit(app: String)
  case fire(app: String, kind: LaunchTrigger.Kind, name: String?)
}

/// What is done to one process of an app.
package enum AppOrder: String, Codable, Sendable, CaseIterable {
  case foreground, background, suspend, resume
}

package enum DeviceAnswer: Codable, Sendable {
  case conditions(DeviceConditions)
  case apps([AppStatus])
  case launched(process: Int32)
  case done
  /// Why not, in words.
  case refused(String)
}

/// An app as the daemon knows it.
package struct AppStatus: Codable, Sendable {
  /// The program's path, as the kernel has it.
  package var app: String
  /// Whether it may be launched when something waits for it.
  package var isRegistered: Bool
  /// Whether its user has swept it away, and not opened it since.
  package var isQuit: Bool
  /// Nanoseconds until it may be launched for its transfers again.
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
  /// `launching` until it has connected.
  package var state: String
  /// Whether it is stopped in the background and ended when its time is over.
  package var isSuspendable: Bool
  package var sessions: [String]
  /// Names of background time that it has asked for and not given back.
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
  /// Why tasks do not move, and how many.
  package var holds: [String: Int]

  package init(identifier: String, tasks: Int, running: Int, pending: Int, holds: [String: Int]) {
    (self.identifier, self.tasks, self.running) = (identifier, tasks, running)
    (self.pending, self.holds) = (pending, holds)
  }
}

/// What the daemon tells an app of its life.
package enum AppNotice: Codable, Sendable {
  /// The app is to open this session, and to call the handler when it is done.
  case wake(session: String, handler: UInt64)
  case entered(AppStanding)
  case willTerminate
  case assertionsExpired([UInt64])
  case triggerFired(UInt64, LaunchTrigger)
  case deadManFired(name: String, count: Int)
  case protectedData(isAvailable: Bool)
}

/// What an app tells the daemon of its life.
package enum AppReport: Codable, Sendable {
  case entered(AppStanding)
  case assertionBegun(UInt64, name: String)
  case assertionEnded(UInt64)
  case triggerArmed(UInt64, LaunchTrigger)
  case triggerDisarmed(LaunchTrigger)
  /// - Parameter firesAt: nanoseconds since 1970.
  case deadManArmed(UInt64, name: String, firesAt: Int64)
  case deadManDisarmed(UInt64)
}

/// Where an app is, as it and the daemon tell each other.
package enum AppStanding: String, Codable, Sendable, CaseIterable {
  case foreground, background
}
