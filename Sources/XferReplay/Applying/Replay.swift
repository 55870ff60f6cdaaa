package import XferEvents
import XferLifecycle

/// Drives the lifecycles over a log's members, in their order. Pure: the same members give the same world.
///
/// Total: every event is applied to a model or counted as unmodelled with its place; nothing is refused.
package struct Replay {
  package internal(set) var world = World()
  package internal(set) var counts = Counts()
  /// How far the log of the process that wrote the last event covers its life, in monotonic nanoseconds.
  package private(set) var covered = Int64.min

  /// What became of the log's records.
  package struct Counts: Hashable, Sendable {
    package var events = 0
    /// Events that no model uses, by name, with the first place of each.
    package var unmodelled: [String: Unmodelled] = [:]
    /// The same by source, at its index: what becomes of each input can be told from it.
    package var sources: [SourceCounts] = []

    /// Events about tasks that were closed already: nothing could change for them any more.
    package var late = 0

    /// Wall clock of the earliest and of the latest event; `nil` when no event has one.
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

    package var unmodelledEvents: Int { unmodelled.values.reduce(0) { $0 + $1.count } }
  }

  package struct SourceCounts: Hashable, Sendable {
    package var events = 0
    package var unmodelled = 0
    /// Events that its writer counted because it could not write them.
    package var dropped: Int64 = 0
  }

  package struct Unmodelled: Hashable, Sendable {
    package var count: Int
    package let first: EventReference
  }

  // Tables by what events carry; places in the world's arrays, `absent` where there is none.
  var processOfSource: [Int32] = []
  var processOfLaunch: [LaunchID: Int] = [:]
  var tasksOfSource: [TaskSymbols] = []
  /// Closed tasks too, so that what comes late for one is not taken for another task.
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
  /// Closed tasks that are remembered. Older ones, if they come again, are tasks whose beginning is not known.
  private static let closedLimit = 1_000_000

  struct SessionKey: Hashable {
    let process: Int
    let identifier: String
    let instance: CorrelationID?
  }

  package init() {}

  /// - Returns: what changed; `nil` for a gap, and for an event that this reader does not know.
  package mutating func apply(_ member: LogMember) -> Change? {
    switch member {
    case .event(let event): return apply(event.view)
    case .gap(let gap):
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
    let process = self.process(of: event, fact)
    covered = world.change(process: process) { process in
      let covered = process.cover(fact.monotonic)
      if Self.isTallied(kind) { process.tally(fact) }
      return covered
    }
    switch task(of: event, process: process) {
    case .open(let task):
      world.tasks.change(task) { $0.apply(event, fact) }
      join(task, event, fact, process: process)
      return Change(fact: fact, subject: .task(task), process: process)
    case .closed:
      counts.late += 1
      return nil
    case .none: return applyRest(event, fact, process: process)
    }
  }

  /// What begins and ends, and what levels may leave out.
  ///
  /// A function: a table that belongs to the type would be asked for whether it is made already, with every event.
  @inline(__always)
  private static func isTallied(_ kind: EventKind) -> Bool {
    switch kind {
    case .attemptStarted, .attemptEnded, .deliveryEntered, .deliveryLeft, .attemptChallengeReceived, .attemptChallengeAnswered,
      .attemptRedirectReceived, .attemptRedirectAnswered, .taskDelayAsked, .taskDelayAnswered, .sessionConnectStarted,
      .sessionConnected, .sessionConnectFailed, .sessionTasksQueried, .sessionTasksAnswered, .assertionBegun, .assertionEnded,
      .assertionExpired, .appWorkBegun, .appWorkEnded, .taskCompleted, .messageDebug, .messageInfo, .signpostBegun,
      .signpostEnded, .signpostEmitted, .cacheMissed:
      true
    default: false
    }
  }

  mutating func countUnmodelled(_ event: EventView) {
    counts.unmodelled[event.layout.name, default: Unmodelled(count: 0, first: event.reference)].count += 1
    counts.sources[event.sourceIndex].unmodelled += 1
  }

  /// No model uses it, but it shows that its writer was at work.
  mutating func leaveOut(_ event: EventView, _ fact: Fact, process: Int) -> Change {
    countUnmodelled(event)
    return Change(fact: fact, subject: .log, process: process)
  }

  /// Events that are not about a task.
  private mutating func applyRest(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    noteMasked(event, fact, process: process)
    switch fact.kind.rawValue {
    case 1..<10, EventKind.logStalled.rawValue: return applyLog(event, fact, process: process)
    case 10..<16: return applyProcess(event, fact, process: process)
    case 16..<20: return applyDaemon(event, fact, process: process)
    case 20..<24: return applyLink(event, fact, process: process)
    case 24..<40: return applySession(event, fact, process: process)
    case 40..<60: return applyWake(event, fact, process: process)
    case EventKind.appListenerAttached.rawValue:
      let session = background.noteListener(event, fact, process: process, in: &world)
      return session.map { Change(fact: fact, subject: .session($0), process: process) }
        ?? leaveOut(event, fact, process: process)
    case EventKind.deliverySent.rawValue...EventKind.deliveryDropped.rawValue:
      guard let place = background.noteEndCallback(event, fact, process: process, in: &world) else {
        return leaveOut(event, fact, process: process)
      }
      return Change(fact: fact, subject: .session(place), process: process)
    case 120...123:
      guard let place = intents.note(event, fact, task: nil, process: process, in: &world) else {
        return leaveOut(event, fact, process: process)
      }
      return Change(fact: fact, subject: .intent(place), process: process)
    case 170...173:
      guard let place = uploads.apply(event, fact, process: process, in: &world) else {
        return leaveOut(event, fact, process: process)
      }
      return Change(fact: fact, subject: .upload(place), process: process)
    case EventKind.appSecretRead.rawValue, EventKind.appSecretDeleted.rawValue:
      return applySecret(event, fact, process: process)
    case EventKind.taskRejected.rawValue, EventKind.taskCreationFailed.rawValue:
      return applySession(event, fact, process: process)
    case 130...131, 140..<156:
      background.noteAssertion(event, fact, of: process, in: &world)
      guard let place = keepalives.apply(event, fact, process: process, in: &world) else {
        return leaveOut(event, fact, process: process)
      }
      return Change(fact: fact, subject: .keepalive(place), process: process)
    case 156..<160: return applyTrigger(event, fact, process: process)
    case EventKind.appLockTaken.rawValue...EventKind.appLockTimedOut.rawValue, EventKind.appWorkBegun.rawValue,
      EventKind.appWorkEnded.rawValue:
      return applySpan(event, fact, process: process)
    case EventKind.diskOpenFailed.rawValue, EventKind.diskLeftOverFound.rawValue:
      if fact.kind == .diskOpenFailed {
        noteLostPath(event, fact, task: nil, process: process)
      } else {
        noteLeftOver(event, fact, process: process)
      }
      return Change(fact: fact, subject: .log, process: process)
    case EventKind.appCapabilitiesRecorded.rawValue, EventKind.powerChanged.rawValue, EventKind.policyChanged.rawValue,
      EventKind.protectionEnabled.rawValue, EventKind.protectionDisabled.rawValue, EventKind.diskSpaceSampled.rawValue:
      return applySetting(event, fact, process: process)
    case EventKind.networkPathChanged.rawValue:
      world.network.apply(event, fact)
      return Change(fact: fact, subject: .log, process: process)
    default: return leaveOut(event, fact, process: process)
    }
  }

  // MARK: Finding the subject

  @inline(__always)
  private mutating func process(of event: EventView, _ fact: Fact) -> Int {
    let index = event.sourceIndex
    if index < processOfSource.count, processOfSource[index] != Self.absent { return Int(processOfSource[index]) }
    return newProcess(of: event, fact)
  }

  @inline(never)
  private mutating func newProcess(of event: EventView, _ fact: Fact) -> Int {
    let index = event.sourceIndex
    while processOfSource.count <= index { processOfSource.append(Self.absent) }
    let place: Int
    if let launch = event.source.writer.launch, let known = processOfLaunch[launch] {
      place = known
      if world.processes[place].firstSeen == nil {
        // So far it was only spoken of.
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
  private mutating func task(of event: EventView, process: Int) -> Known? {
    guard let symbol = event.taskSymbol, symbol != 0 else { return nil }
    let index = event.sourceIndex
    if index < tasksOfSource.count, let place = tasksOfSource[index][symbol] { return known(place, process: process) }
    return newTask(symbol, event, process: process)
  }

  @inline(__always)
  private mutating func known(_ place: TaskTable.Place, process: Int) -> Known {
    guard world.tasks.isCurrent(place) else { return .closed }
    let index = Int(place.index)
    if world.tasks.process(of: index) != process {
      // It goes on in another process life.
      world.tasks.move(index, to: process)
      world.tasks[changing: index].facts.processEnd = nil
      if world.processes[process].role == .daemon { world.tasks[changing: index].facts.carrier = process }
    }
    return .open(index)
  }

  @inline(never)
  private mutating func newTask(_ symbol: UInt32, _ event: EventView, process: Int) -> Known? {
    // A definition that is lost leaves an event that is about some task, nobody knows which.
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

  /// Takes a task out of the world that nothing can change any more.
  package mutating func close(_ task: Int) {
    closed.append(world.tasks[task].identity.uid)
    intents.forget(world.tasks[task].identity.uid)
    endings.forget(world.tasks[task].identity.uid)
    progress.forget(world.tasks[task].identity.uid)
    pairs.forget(world.tasks[task].identity, at: world.tasks.place(task))
    files.forget(world.tasks[task].identity.uid)
    if closed.count > Self.closedLimit, let oldest = closed.popFirst() { taskOfUID[oldest] = nil }
    world.onWire.remove(task)
    world.tasks.remove(task)
  }
}
