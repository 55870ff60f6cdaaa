package import XferEvents
import XferLifecycle

/// Applies a log's events and gaps to the lifecycles, in their order. The same log always gives the same world.
///
/// No event is refused: each is applied to a model, or counted as unmodelled. For each name of unmodelled events, the position of
/// the first is kept.
package struct Replay {
  package internal(set) var world = World()
  package internal(set) var counts = Counts()
  /// The time until which the log of the last event's process covers that process's life, in monotonic nanoseconds.
  package private(set) var covered = Int64.min

  /// The numbers of applied, unmodelled and late events.
  package struct Counts: Hashable, Sendable {
    package var events = 0
    /// The events that no model used, by name, with the position of the first.
    package var unmodelled: [String: Unmodelled] = [:]
    /// The counts of each source, at the source's index.
    package var sources: [SourceCounts] = []

    /// The number of events about tasks that were already closed. Such events change nothing.
    package var late = 0

    /// The wall-clock times of the earliest and the latest event; `nil` if no event has one.
    package var span: ClosedRange<WallTime>? {
      earliest <= latest ? WallTime(nanoseconds: earliest)...WallTime(nanoseconds: latest) : nil
    }

    private var earliest = Int64.max
    private var latest = Int64.min

    @inline(__always)
    fileprivate mutating func note(_ wall: WallTime?) {
      guard let wall = wall?.nanoseconds else { return }
      if wall < earliest { earliest = wall }
      if wall > latest { latest = wall }
    }

    package static func + (left: Self, right: Self) -> Self {
      var sum = left
      sum.events += right.events
      sum.late += right.late
      sum.earliest = min(left.earliest, right.earliest)
      sum.latest = max(left.latest, right.latest)
      for (name, other) in right.unmodelled {
        sum.unmodelled[name, default: Unmodelled(count: 0, first: other.first)].count += other.count
      }
      while sum.sources.count < right.sources.count { sum.sources.append(SourceCounts()) }
      for (place, other) in right.sources.enumerated() {
        sum.sources[place].events += other.events
        sum.sources[place].unmodelled += other.unmodelled
        sum.sources[place].dropped = sum.sources[place].dropped.addingClamped(other.dropped)
      }
      return sum
    }

    package var unmodelledEvents: Int { unmodelled.values.reduce(0) { $0 + $1.count } }
  }

  package struct SourceCounts: Hashable, Sendable {
    package var events = 0
    package var unmodelled = 0
    /// The number of events that the source's writer could not write.
    package var dropped: Int64 = 0
  }

  package struct Unmodelled: Hashable, Sendable {
    package var count: Int
    package let first: EventReference
  }

  // Tables by the identifiers in events. The values are indexes in the world's tables, or `absent`.
  var processOfSource: [Int32] = []
  var processOfLaunch: [LaunchID: Int] = [:]
  var tasksOfSource: [TaskSymbols] = []
  /// The open tasks and the last closed ones, so that a late event about a closed task does not create another task.
  var taskOfUID: [TaskUID: TaskTable.Place] = [:]
  var closed = Ring<TaskUID>()
  var sessionOfInstance: [SessionKey: Int] = [:]
  var wakeOfHandler: [HandlerID: Int] = [:]
  var resumeOffers = ResumeOffers()
  var unfinished = UnfinishedDownloads()
  var intentTries = IntentTries()
  var background = BackgroundLedger()
  var numbers = NumberBindings()
  var keepalives = KeepaliveTable()
  var intents = IntentLedger()
  var uploads = MultipartTable()
  var lives = LifeChain()
  var rangeRefusals = RangeRefusals()
  var resumeUses = ResumeDataUses()
  var parts = UploadLedger()
  var chains = WakeChains()
  var endings = SessionEndings()
  var pairs = TaskPairs()
  var progress = ProgressWatch()
  var files = FileLedger()

  private static let absent: Int32 = -1
  /// The maximum number of closed tasks that are remembered, so that memory does not grow with the number of tasks. If an event names an
  /// older closed task, a task without a beginning is created. The limit fits a dictionary of 2^18 buckets.
  private static let closedLimit = 190_000

  struct SessionKey: Hashable {
    let process: Int
    let identifier: String
    let instance: CorrelationID?
  }

  package init() {}

  /// - Returns: the subject that changed; `nil` for a gap, and for an event that this reader does not know.
  package mutating func apply(_ member: LogMember) -> Change? {
    switch member {
    case .event(let event): return apply(event.view)
    case .gap(let gap):
      world.installation = world.installation ?? gap.scope
      world.gaps.append(gap)
      return nil
    }
  }

  @inline(__always)
  package mutating func apply(_ event: EventView) -> Change? {
    counts.events += 1
    if !world.touched.isEmpty { world.touched.removeAll(keepingCapacity: true) }
    let source = event.sourceIndex
    while counts.sources.count <= source { counts.sources.append(SourceCounts()) }
    counts.sources[source].events += 1
    guard let kind = event.kind else {
      counts.note(event.wall)
      countUnmodelled(event)
      return nil
    }
    let fact = event.fact(of: kind)
    counts.note(fact.wall)
    let process = self.process(of: event, from: source, fact)
    covered = world.change(process: process) { process in
      let covered = process.cover(fact.monotonic)
      if kind.isTallied { process.tally(fact) }
      return covered
    }
    switch task(of: event, from: source, process: process) {
    case .open(let task):
      let model = kind.model
      world.tasks.change(task) { $0.apply(model, event, fact) }
      join(task, model, event, fact, process: process)
      return Change(fact: fact, subject: .task(task), process: process)
    case .closed:
      counts.late += 1
      return nil
    case .none: return applyToModel(event, fact, process: process)
    }
  }

  mutating func countUnmodelled(_ event: EventView) {
    counts.unmodelled[event.layout.name, default: Unmodelled(count: 0, first: event.reference)].count += 1
    counts.sources[event.sourceIndex].unmodelled += 1
  }

  /// Counts an event that no model uses. It still shows that its writer was running.
  mutating func noteUnmodelled(_ event: EventView, _ fact: Fact, process: Int) -> Change {
    countUnmodelled(event)
    return Change(fact: fact, subject: .log, process: process)
  }

  /// Routes an event that names no task, or none that is known, to the model that consumes it.
  private mutating func applyToModel(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    noteMasked(event, fact, process: process)
    switch fact.kind.model {
    case .log(let kind): return apply(kind, event, fact, process: process)
    case .boot(.clockSampled): return applyClock(event, fact, process: process)
    case .process(let kind): return apply(kind, event, fact, process: process)
    case .daemon(let kind): return apply(kind, event, fact, process: process)
    case .link(let kind): return apply(kind, event, fact, process: process)
    case .session(let kind): return apply(kind, event, fact, process: process)
    case .listener(.appListenerAttached):
      let session = background.noteListener(event, fact, process: process, in: &world)
      return change(fact, session.map(Subject.session), event, process: process)
    case .wake(let kind): return apply(kind, event, fact, process: process)
    case .delivery(let kind):
      let session = background.noteSessionCallback(kind, event, fact, process: process, in: &world)
      return change(fact, session.map(Subject.session), event, process: process)
    case .intent:
      let intent = intents.note(event, fact, task: nil, process: process, in: &world)
      if let intent, event.outcome == .discarded || event.outcome == .cancelled { giveUp(intent: intent, event, fact) }
      return change(fact, intent.map(Subject.intent), event, process: process)
    case .work(let kind): return apply(kind, event, fact, process: process)
    case .secret(let kind): return apply(kind, event, fact, process: process)
    case .beat(let kind):
      let beat = keepalives.apply(kind, event, fact, process: process, in: &world)
      return change(fact, beat.map(Subject.keepalive), event, process: process)
    case .assertion(let kind):
      background.noteAssertion(kind, event, of: process, in: &world)
      let assertion = keepalives.apply(kind, event, fact, process: process, in: &world)
      return change(fact, assertion.map(Subject.keepalive), event, process: process)
    case .alarm(let kind):
      let alarm = keepalives.apply(kind, event, fact, process: process, in: &world)
      return change(fact, alarm.map(Subject.keepalive), event, process: process)
    case .trigger(let kind): return apply(kind, event, fact, process: process)
    case .upload(let kind):
      let upload = uploads.apply(kind, event, fact, process: process, in: &world)
      return change(fact, upload.map(Subject.upload), event, process: process)
    case .network(.networkPathChanged):
      world.network.apply(event, fact)
      return Change(fact: fact, subject: .log, process: process)
    case .condition(let kind): return apply(kind, event, fact, process: process)
    case .storage(let kind): return apply(kind, event, fact, process: process)
    // These models need a task. Here the event's task is unknown, because its definition is lost.
    case .task, .attempt, .file: return noteUnmodelled(event, fact, process: process)
    case .unconsumed: return noteUnmodelled(event, fact, process: process)
    }
  }

  /// - Parameter subject: the subject that the event changes; `nil` if the event lacks the field that identifies it, so that no
  ///   model uses the event.
  private mutating func change(_ fact: Fact, _ subject: Subject?, _ event: EventView, process: Int) -> Change {
    subject.map { Change(fact: fact, subject: $0, process: process) } ?? noteUnmodelled(event, fact, process: process)
  }

  // MARK: Finding the subject

  @inline(__always)
  private mutating func process(of event: EventView, from index: Int, _ fact: Fact) -> Int {
    if index < processOfSource.count, processOfSource[index] != Self.absent { return Int(processOfSource[index]) }
    return newProcess(of: event, fact)
  }

  @inline(never)
  private mutating func newProcess(of event: EventView, _ fact: Fact) -> Int {
    let index = event.sourceIndex
    while processOfSource.count <= index { processOfSource.append(Self.absent) }
    world.installation = world.installation ?? event.source.scope
    let place: Int
    if let launch = event.source.writer.launch, let known = processOfLaunch[launch] {
      place = known
      if world.processes[place].firstSeen == nil {
        // Until now only other processes have mentioned this process life. The facts that they wrote are kept.
        var facts = ProcessFacts(writer: event.source.writer)
        facts.takeOver(world.processes[place].facts)
        world.processes[place] = ProcessLifecycle(facts)
      }
    } else {
      place = append(ProcessFacts(writer: event.source.writer))
    }
    if world.processes[place].firstSeen == nil { world.changing(process: place).facts.firstSeen = fact }
    background.noteProcess(place, event.source.writer.launch, in: &world)
    processOfSource[index] = Int32(place)
    return place
  }

  mutating func append(_ process: ProcessFacts) -> Int {
    let place = world.processes.count
    world.processes.append(ProcessLifecycle(process))
    if let launch = process.launch { processOfLaunch[launch] = place }
    return place
  }

  private enum Known {
    case open(Int)
    case closed
  }

  @inline(__always)
  private mutating func task(of event: EventView, from index: Int, process: Int) -> Known? {
    guard let symbol = event.taskSymbol, symbol != 0 else { return nil }
    if index < tasksOfSource.count, let place = tasksOfSource[index][symbol] { return known(place, process: process) }
    return newTask(symbol, event, process: process)
  }

  @inline(__always)
  private mutating func known(_ place: TaskTable.Place, process: Int) -> Known {
    guard world.tasks.isCurrent(place) else { return .closed }
    let index = Int(place.index)
    if world.tasks.process(of: index) != process {
      // The task continues in another process life.
      world.tasks.move(index, to: process)
      world.tasks[changing: index].facts.processEnd = nil
      if world.processes[process].role == .daemon { world.tasks[changing: index].facts.carrier = process }
    }
    return .open(index)
  }

  @inline(never)
  private mutating func newTask(_ symbol: UInt32, _ event: EventView, process: Int) -> Known? {
    // The definition of the symbol is lost, so the task is unknown.
    guard let identity = event.source.task(symbol) else { return nil }
    let place: TaskTable.Place
    if let known = taskOfUID[identity.uid] {
      place = known
    } else {
      place = world.tasks.insert(identity, process: process)
      if world.processes[process].role == .daemon { world.tasks[changing: Int(place.index)].facts.carrier = process }
      taskOfUID[identity.uid] = place
    }
    let index = event.sourceIndex
    while tasksOfSource.count <= index { tasksOfSource.append(TaskSymbols()) }
    tasksOfSource[index].set(place, at: symbol)
    return known(place, process: process)
  }

  /// Frees what is known about the symbols of a source whose last event has been applied.
  package mutating func forgetSymbols(ofSource index: Int) {
    if index < tasksOfSource.count { tasksOfSource[index] = TaskSymbols() }
  }

  /// Removes a task that no further event can change.
  package mutating func close(_ task: Int) {
    closed.append(world.tasks[task].identity.uid)
    intents.forget(world.tasks[task].identity.uid)
    endings.forget(world.tasks[task].identity.uid)
    progress.forget(world.tasks[task].identity.uid)
    pairs.forget(world.tasks[task], at: world.tasks.place(task), in: world)
    files.forget(world.tasks[task].identity.uid)
    if closed.count > Self.closedLimit, let oldest = closed.popFirst() { taskOfUID[oldest] = nil }
    world.onWire.remove(task)
    world.tasks.remove(task)
  }
}
