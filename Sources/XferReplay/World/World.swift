package import XferEvents
package import XferLifecycle

/// The state of everything that an installation's log mentions, after the events applied so far.
package struct World {
  /// The installation whose history the world is, from its first event or gap on; `nil` before.
  package internal(set) var installation: InstallationScope?
  package internal(set) var processes: [ProcessLifecycle] = []
  package internal(set) var sessions = SessionTable()
  /// The open tasks.
  package internal(set) var tasks = TaskTable()
  /// The indexes of the tasks with an attempt that has started and not ended.
  var onWire: Set<Int> = []
  package internal(set) var wakes: [WakeLifecycle] = []
  package internal(set) var background = BackgroundSessions()
  package internal(set) var network = NetworkPath()
  package internal(set) var conditions = Conditions()
  package internal(set) var keepalives: [Keepalive] = []
  package internal(set) var triggers: [TriggerLifecycle] = []
  /// The greatest number of tasks that failed in succession, for each intent with at least five of them.
  package internal(set) var failuresInRow: [String: Int] = [:]
  /// The open intents of apps, and the last ones that were concluded.
  package internal(set) var intents = PlaceTable<IntentLifecycle>()
  /// The multipart uploads that are open or have just ended.
  package internal(set) var uploads = PlaceTable<MultipartLifecycle>()
  package internal(set) var boots: [BootLifecycle] = []
  /// The subjects that the last event changed in addition to its own subject.
  package internal(set) var touched: [Subject] = []
  /// Whether any process could not read a secret in the background.
  var lacksSecrets = false
  package internal(set) var gaps: [LogGap] = []
  package internal(set) var mentions = WriterMentions()
  /// The number of events that could not be written, by family, according to the writers.
  package internal(set) var drops: [String: Int64] = [:]
  package init() {}

  package func process(of task: TaskLifecycle) -> ProcessLifecycle { processes[task.process] }

  /// The mentioned processes whose logs are missing.
  package var missingWriters: [WriterMentions.Mention] {
    mentions.missing { Set(processes.lazy.filter { $0.firstSeen != nil }.compactMap(\.launch)) }
  }

  /// Returns the session of a task: the newest session object in the task's process, else the newest of all processes; `nil` if
  /// unknown.
  package func session(of task: TaskLifecycle) -> SessionLifecycle? {
    sessions.last(task.identity.session, ofProcess: task.process) ?? sessions.last(task.identity.session)
  }

  /// Returns the indexes of a process's tasks with an attempt that has started and not ended. There are few of them even if many
  /// tasks wait.
  package func tasksOnWire(ofProcess process: Int) -> [Int] {
    onWire.filter { tasks[$0].process == process }.sorted()
  }

  /// Makes the process of a task's last event the task's owner, unless the process is a daemon.
  mutating func own(_ task: Int) {
    let process = tasks[task].process
    guard processes[process].role != .daemon, tasks[task].owner != process else { return }
    let changed = tasks[changing: task]
    (changed.facts.earlierOwner, changed.facts.owner) = (changed.owner, process)
  }

  // MARK: By reference

  // The object is copied before it is changed if another copy of the world refers to it.

  @inline(__always)
  mutating func changing(process place: Int) -> ProcessLifecycle {
    if !isKnownUniquelyReferenced(&processes[place]) { processes[place] = ProcessLifecycle(processes[place].facts) }
    return processes[place]
  }

  /// Changes a process without retaining it, because this is done for every event.
  @inline(__always)
  mutating func change<Result>(process place: Int, _ change: (ProcessLifecycle) -> Result) -> Result {
    _ = changing(process: place)
    return Unmanaged.passUnretained(processes[place])._withUnsafeGuaranteedRef(change)
  }

  /// Returns the kind of a task's session; `nil` if unknown.
  package func sessionKind(of task: TaskLifecycle) -> SessionKind? { session(of: task)?.kind }

  /// Whether a task may continue after its process: true for background sessions, and for sessions of unknown kind.
  package func mayOutliveProcess(_ task: TaskLifecycle) -> Bool {
    switch sessionKind(of: task) {
    case .background, nil: true
    case .default, .ephemeral, .shared: false
    }
  }
}

/// The result of applying an event: the subject that it changed and the process that wrote it.
package struct Change: Sendable {
  package let fact: Fact
  package let subject: Subject
  /// The index of the process that wrote the event.
  package let process: Int
}
