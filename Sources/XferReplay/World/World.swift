package import XferEvents
package import XferLifecycle

/// Everything that a log tells of, as it stands after the events applied so far.
package struct World {
  package internal(set) var processes: [ProcessLifecycle] = []
  package internal(set) var sessions = SessionTable()
  /// The open ones.
  package internal(set) var tasks = TaskTable()
  /// Places of those whose attempt has begun and not ended.
  var onWire: Set<Int> = []
  package internal(set) var wakes: [WakeLifecycle] = []
  package internal(set) var background = BackgroundSessions()
  package internal(set) var network = NetworkPath()
  package internal(set) var conditions = Conditions()
  package internal(set) var keepalives: [Keepalive] = []
  package internal(set) var triggers: [TriggerLifecycle] = []
  /// What apps want done, as far as they have not concluded it long ago.
  package internal(set) var intents = PlaceTable<IntentLifecycle>()
  /// Uploads in parts that are open, or have only just ended.
  package internal(set) var uploads = PlaceTable<MultipartLifecycle>()
  package internal(set) var boots: [BootLifecycle] = []
  /// What the last event changed beside what it was about.
  package internal(set) var touched: [Subject] = []
  /// Whether some app could not read a secret.
  var lacksSecrets = false
  package internal(set) var gaps: [LogGap] = []
  /// Events that could not be written, by family, as the writers counted them.
  package internal(set) var drops: [String: Int64] = [:]
  package init() {}

  package func process(of task: TaskLifecycle) -> ProcessLifecycle { processes[task.process] }

  /// The session that a task belongs to: its last incarnation in the task's process, else the last of all; `nil` when the
  /// log does not say.
  package func session(of task: TaskLifecycle) -> SessionLifecycle? {
    sessions.last(task.identity.session, ofProcess: task.process) ?? sessions.last(task.identity.session)
  }

  /// The tasks of a process whose attempt has begun and not ended: few, however many wait.
  package func tasksOnWire(ofProcess process: Int) -> [Int] {
    onWire.filter { tasks[$0].process == process }.sorted()
  }

  /// The process that a task's last event came from has it from now on, unless that is the daemon.
  mutating func own(_ task: Int) {
    let process = tasks[task].process
    guard processes[process].role != .daemon, tasks[task].owner != process else { return }
    let changed = tasks[changing: task]
    (changed.facts.earlierOwner, changed.facts.owner) = (changed.owner, process)
  }

  // MARK: By reference

  // Another copy of the world keeps them as they were.

  @inline(__always)
  mutating func changing(process place: Int) -> ProcessLifecycle {
    if !isKnownUniquelyReferenced(&processes[place]) { processes[place] = ProcessLifecycle(processes[place].facts) }
    return processes[place]
  }

  /// What comes with every event: the process is not counted as one more's, as it is where it is handed out.
  @inline(__always)
  mutating func change<Result>(process place: Int, _ change: (ProcessLifecycle) -> Result) -> Result {
    _ = changing(process: place)
    return Unmanaged.passUnretained(processes[place])._withUnsafeGuaranteedRef(change)
  }

  /// The kind of the session that a task belongs to; `nil` when the log does not say.
  package func sessionKind(of task: TaskLifecycle) -> SessionKind? { session(of: task)?.kind }

  /// Whether a task may go on after its process: those of background sessions do, and so may any whose kind is not known.
  package func mayOutliveProcess(_ task: TaskLifecycle) -> Bool {
    switch sessionKind(of: task) {
    case .background, nil: true
    case .default, .ephemeral, .shared: false
    }
  }
}

/// An event, applied: what it was about, and whose it was.
package struct Change: Sendable {
  package let fact: Fact
  package let subject: Subject
  /// Place of the process that wrote it.
  package let process: Int
}
