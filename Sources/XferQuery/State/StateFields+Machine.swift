import XferEvents
import XferLifecycle
import XferReplay

// The fields of boots, conditions, gaps, processes and daemons.
extension StateDocument.Kind {
  static let bootFields = StateFields<BootLifecycle>("bootFields", "One boot of the machine.") { fields in
    fields.text("boot", "Identifier of the boot.") { boot, _ in boot.boot.map { "\($0)" } }
    fields.fact("firstClocks", "First reading of the clocks.") { boot, _ in boot.firstSample?.fact }
    fields.fact("lastClocks", "Last reading of the clocks.") { boot, _ in boot.lastSample?.fact }
    fields.time("wall", "Wall-clock time of the last reading.") { boot, _ in boot.lastSample?.wall }
    fields.duration("sinceBoot", "Time from the boot to the last reading.") { boot, _ in boot.lastSample?.boottime }
    fields.number("clockSteps", "Number of times that the wall clock was set, at most eight.") { boot, _ in boot.steps.count }
    fields.duration("lastStep", "Last change of the wall clock; negative when it was set back.") { boot, _ in
      boot.steps.last?.size
    }
  }

  // MARK: Conditions

  static let networkFields = StateFields<NetworkPath>("networkFields", "The network path.") { fields in
    fields.flag("up", "Whether there is a path.") { path, _ in path.isUp }
    fields.fact("since", "Event that last changed `up`.") { path, _ in path.changed }
    fields.flag("cellular", "Whether the path is cellular.") { path, _ in path.isCellular }
    fields.flag("expensive", "Whether the path is expensive.") { path, _ in path.isExpensive }
    fields.flag("constrained", "Whether the path is constrained.") { path, _ in path.isConstrained }
    fields.fact("described", "Event that describes the path.") { path, _ in path.described }
  }

  static let powerFields = StateFields<Conditions>("powerFields", "The power supply.") { fields in
    fields.flag("charging", "Whether the device is charging.") { conditions, _ in conditions.charging?.isOn }
    fields.fact("since", "Event that last changed `charging`.") { conditions, _ in conditions.charging?.changed }
    fields.number("battery", "Charge of the battery in percent.") { conditions, _ in conditions.battery }
  }

  static let switchFields = StateFields<Switch>("switchFields", "The device lock or a policy.") { fields in
    fields.flag("on", "Whether the device is locked, or the policy is on.") { state, _ in state.isOn }
    fields.fact("since", "Event that last changed `on`.") { state, _ in state.changed }
  }

  static let diskFields = StateFields<DiskSample>("diskFields", "The disk.") { fields in
    fields.bytes("free", "Free space.") { disk, _ in disk.free }
    fields.number("openFiles", "Number of open files.") { disk, _ in disk.openFiles }
    fields.fact("sampled", "Event that reported the values.") { disk, _ in disk.fact }
  }

  // MARK: Gaps

  static let gapFields = StateFields<LogGap>("gapFields", "A place where records are missing from the log.") { fields in
    fields.text("segment", "Name of the segment or file.") { gap, _ in gap.name }
    fields.number("lane", "Number of the lane.") { gap, _ in gap.lane }
    fields.number("records", "Number of missing records.") { gap, _ in gap.sequences?.count }
    fields.time("after", "Wall-clock time of the last event before the gap.") { gap, _ in gap.after?.wall }
    fields.time("before", "Wall-clock time of the first event after the gap.") { gap, _ in gap.before?.wall }
  }

  static let dropFields = StateFields<Int64>("dropFields", "Events of one family that could not be written.") { fields in
    fields.number("events", "Number of events.") { count, _ in count }
  }

  // MARK: Processes

  /// A process life and its index in the world's list of process lives.
  typealias PlacedProcess = (process: ProcessLifecycle, place: Int)

  static let processFields = StateFields<PlacedProcess>("processFields", "One process life.") { fields in
    fields.text("launch", "Identifier of the process life.") { life, _ in life.process.launch.map { "\($0)" } }
    fields.text("role", "Role of the process.") { life, _ in life.process.role?.name }
    fields.text("boot", "Beginning of the boot's identifier.") { life, _ in life.process.boot.map { String("\($0)".prefix(8)) } }
    fields.text("appState", "State of the app.") { life, _ in life.process.state?.name }
    fields.fact("since", "Event that last changed `appState`.") { life, _ in life.process.stateChanged }
    fields.fact("started", "Start, or first event when the start is missing.") { life, _ in
      life.process.started ?? life.process.firstSeen
    }
    fields.text("startReason", "Why the process was started.") { life, _ in life.process.startReason?.name }
    fields.flag("startedInBackground", "Whether the process was started in the background.") { life, _ in
      life.process.startedInBackground
    }
    fields.text("version", "Version of the library that wrote the log.") { life, _ in life.process.version }
    fields.flag("debugger", "Whether a debugger is attached; `null` when none is known.") { life, _ in
      life.process.hasDebugger ? true : nil
    }
    fields.fact("terminationAnnounced", "Notification that the process will be terminated.") { life, _ in
      life.process.terminationAnnounced
    }
    fields.fact("exited", "Exit that the process itself recorded.") { life, _ in life.process.exited }
    fields.fact("exitObserved", "End of the process as another process observed it.") { life, _ in life.process.exitObserved }
    fields.text("exitReason", "Why the process ended.") { life, _ in life.process.exitReason?.name }
    fields.number("code", "Exit code.") { life, _ in life.process.exitCode }
    fields.number("signal", "Signal that ended the process.") { life, _ in life.process.exitSignal }
    fields.fact("logClosed", "Event at which the process closed its log.") { life, _ in life.process.logClosed }
    fields.fact("linked", "Last connection to the daemon.") { life, _ in
      life.process.link.reconnected ?? life.process.link.connected
    }
    fields.fact("linkDown", "Loss of the connection to the daemon.") { life, _ in
      life.process.link.reconnected == nil ? life.process.link.disconnected : nil
    }
    fields.text("linkReason", "Why the connection to the daemon was lost.") { life, _ in
      life.process.link.reconnected == nil ? life.process.link.reason : nil
    }
    fields.number("liveSessions", "Number of live session objects.") { life, _ in life.process.sessions.live }
    fields.number("openTasks", "Number of open tasks.") { life, world in world.tasks.indexes(ofProcess: life.place).count }
    fields.number("backgroundTime", "Number of open requests for background time.") { life, _ in
      life.process.assertions.isEmpty ? nil : life.process.assertions.count
    }
    fields.text("capabilities", "Capabilities that the app declared.") { life, _ in life.process.capabilities }
    fields.text("earlierLife", "Previous life of the same app.") { life, world in
      world.label(ofProcess: life.process.earlierLife)
    }
    fields.text("nextLife", "Next life of the same app.") { life, world in world.label(ofProcess: life.process.nextLife) }
  }

  /// A life of the daemon and the index of its process in the world's list of process lives.
  typealias PlacedDaemon = (daemon: DaemonLife, place: Int)

  static let daemonFields = StateFields<PlacedDaemon>("daemonFields", "One life of the daemon.") { fields in
    fields.number("generation", "Generation number of the daemon.") { life, _ in life.daemon.generation }
    fields.text("version", "Version of the daemon.") { life, _ in life.daemon.version }
    fields.fact("started", "Start.") { life, _ in life.daemon.started }
    fields.fact("recovered", "Recovery of the daemon's tasks.") { life, _ in life.daemon.recovered }
    fields.number("recoveredTasks", "Number of recovered tasks.") { life, _ in life.daemon.recoveredCount }
    fields.number("unreadable", "Number of tasks that could not be recovered.") { life, _ in
      life.daemon.recovered == nil ? nil : life.daemon.unreadable
    }
    fields.fact("listed", "First list of the daemon's tasks.") { life, _ in life.daemon.listed }
    fields.fact("exited", "Exit.") { life, _ in life.daemon.exited }
    fields.number("tasks", "Number of tasks that the daemon carries.") { life, world in
      world.tasks.indexes.count { world.tasks[$0].carrier == life.place && world.tasks[$0].forgotten == nil }
    }
  }
}
