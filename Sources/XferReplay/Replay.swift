package import XferEvents
import XferLifecycle

/// Drives the lifecycles over a log's members, in their order. Pure: the same members give the same world.
///
/// Total: every event is applied to a model or counted as unmodelled with its place; nothing is refused.
package struct Replay {
  package private(set) var world = World()
  package private(set) var counts = Counts()
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
  private var processOfSource: [Int32] = []
  private var processOfLaunch: [LaunchID: Int] = [:]
  private var tasksOfSource: [TaskSymbols] = []
  /// Closed tasks too, so that what comes late for one is not taken for another task.
  private var taskOfUID: [TaskUID: TaskTable.Place] = [:]
  private var closed = Ring<TaskUID>()
  private var sessionOfInstance: [SessionKey: Int] = [:]
  private var wakeOfHandler: [HandlerID: Int] = [:]
  private var resumeOffers = ResumeOffers()
  private var unfinished = UnfinishedDownloads()
  private var intentTries = IntentTries()
  private var background = BackgroundLedger()
  private var numbers = NumberBindings()
  private var keepalives = KeepaliveTable()
  private var intents = IntentLedger()
  private var uploads = MultipartTable()
  private var lives = LifeChain()
  private var rangeRefusals = RangeRefusals()
  private var resumeUses = ResumeDataUses()
  private var parts = UploadLedger()
  private var chains = WakeChains()
  private var endings = SessionEndings()
  private var pairs = TaskPairs()
  private var progress = ProgressWatch()
  private var files = FileLedger()

  private static let absent: Int32 = -1
  /// Closed tasks that are remembered. Older ones, if they come again, are tasks whose beginning is not known.
  private static let closedLimit = 1_000_000

  private struct SessionKey: Hashable {
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

  /// A callback that arrives before it is sent shows two clocks; those of one writer are one.
  private mutating func noteSkew(_ task: Int, _ event: EventView, _ fact: Fact, process: Int) {
    guard let carrier = world.tasks[task].carrier, carrier != process else { return }
    let delivery = event.callback == .didFinishDownloading ? world.tasks[task].fileDelivery : world.tasks[task].completionDelivery
    guard let delivery, delivery.id == event.delivery, let sent = delivery.sent else { return }
    noteSkew(cause: sent, by: carrier, effect: fact, process: process)
  }

  private mutating func noteSkew(cause: Fact, by writer: Int, effect: Fact, process: Int) {
    guard let first = cause.monotonic, let second = effect.monotonic, second < first, writer != process,
      world.processes[writer].boot == world.processes[process].boot
    else { return }
    let size = Duration.nanoseconds(first.subtractingClamped(second))
    world.changing(process: process).facts.log.note(LogTroubles.ClockSkew(cause: cause, effect: effect, size: size))
    world.touched.append(.process(process))
  }

  /// Whether what would join an event to what it is about is masked.
  private mutating func noteMasked(_ event: EventView, _ fact: Fact, process: Int) {
    let field: String
    switch fact.kind {
    case .diskOpenFailed, .diskLeftOverFound:
      guard Self.isMasked(event.file), event.owner == nil else { return }
      field = "file"
    case .appOutcomeRecorded, .appIntentDeclared, .appIntentBound, .appIntentUnbound:
      guard Self.isMasked(event.intent) else { return }
      field = "intent"
    case .sessionCreated, .sessionTasksQueried, .sessionTasksAnswered:
      guard event.session == Self.mask, event.instance == nil else { return }
      field = "session"
    default: return
    }
    world.changing(process: process).facts.log.noteMasked(field, fact)
    world.touched.append(.process(process))
  }

  /// As systems show what they keep to themselves.
  private static let mask = "<private>"

  private static func isMasked(_ text: RecordedText?) -> Bool {
    switch text {
    case .redacted?: true
    case .plain(let text)?: text == mask
    case .cut?, .hashed?, nil: false
    }
  }

  /// Tells tasks of each other: what one leaves behind, the next one for the same may use.
  @inline(__always)
  private mutating func join(_ task: Int, _ event: EventView, _ fact: Fact, process: Int) {
    switch fact.kind {
    case .taskCreated:
      joinResource(task)
      files.noteMade(world.tasks[task].identity.uid, event)
      joinIntent(task)
      if event.intent != nil { _ = intents.note(event, fact, task: task, process: process, in: &world) }
      world.own(task)
      if !world.background.isEmpty { background.noteMade(task, fact, process: process, in: &world) }
      if !world.keepalives.isEmpty { keepalives.begin(task, fact, in: &world) }
      if world.tasks[task].resumeData != nil { resumeUses.noteMade(task, in: &world) }
      if !chains.isEmpty { chains.noteMade(task, in: world) }
      endings.noteCreated(task, fact, process: process, in: &world)
      pairs.noteCreated(task, event, fact, process: process, in: &world)
    case .taskAdopted:
      endings.noteAdopted(task, fact, process: process, in: &world)
      world.own(task)
      if !world.background.isEmpty { background.noteMade(task, fact, process: process, in: &world) }
    case .taskResumed: intents.note(task: task, fact, in: &world)
    case .taskHeld: background.noteHeld(task, event, fact, in: &world)
    case .deliveryReceived: noteSkew(task, event, fact, process: process)
    case .fileOffered: if event.exists == false { noteFile(task, event, fact, process: process) }
    case .diskOpenFailed: noteFile(task, event, fact, process: process)
    case .diskLeftOverFound: noteLeftOver(event, fact, process: process)
    case .fileDeleted:
      noteDeleted(event, fact, by: task)
      if event.by == .policy { resumeOffers.remove(world.tasks[task], fact) }
      if event.by == .app { endings.noteGivenUp(task, event, fact, in: &world) }
    case .deliveryEntered, .fileClaimed:
      if event.osError != nil { noteFile(task, event, fact, process: process) }
      if background.awaitsCallbacks { background.noteCallback(event, fact, of: task, process: process, in: &world) }
      if fact.kind == .deliveryEntered { progress.noteEntered(task, event, in: world) }
      if endings.awaitsCallbacks, fact.kind == .deliveryEntered {
        endings.noteCallback(event, fact, session: world.tasks[task].identity.session, in: &world)
      }
    case .deliveryDropped:
      endings.noteDropped(event, fact, session: world.tasks[task].identity.session, process: process, in: &world)
    case .appIntentDeclared, .appIntentBound:
      joinIntent(task)
      world.tasks[changing: task].facts.bind(fact)
      _ = intents.note(event, fact, task: task, process: process, in: &world)
      if fact.kind == .appIntentBound {
        numbers.bind(task, event, fact, in: &world)
        pairs.noteBound(task, event, fact, in: &world)
        endings.noteWanted(task, in: &world)
      }
      if !world.keepalives.isEmpty { keepalives.begin(task, fact, in: &world) }
    case .attemptStarted:
      world.onWire.insert(task)
      background.noteStarted(task, fact, in: &world)
      keepalives.note(task, fact, in: &world)
      if !chains.isEmpty { chains.noteStarted(task, fact, in: &world) }
      endings.noteStarted(task, fact, process: process, in: &world)
    case .taskHandedOff:
      if let successor = event.successor { keepalives.handOff(task, fact, to: successor, in: &world) }
    case .attemptBytesReceived, .attemptBytesSent:
      if progress.isWaiting { progress.noteBytes(task, event, fact, process: process, in: &world) }
    case .attemptEnded, .taskTransferred:
      world.onWire.remove(task)
      if fact.kind == .attemptEnded { joinAnswer(task) }
      if event.osError != nil || event.end == .file { noteFile(task, event, fact, process: process) }
    case .taskCancelRequested, .taskCompleted:
      if fact.kind == .taskCompleted { world.onWire.remove(task) }
      joinResumeData(task, event, fact)
      if fact.kind == .taskCompleted {
        intentTries.end(world.tasks[task])
        resumeUses.noteEnd(world.tasks[task])
        if !rangeRefusals.isEmpty, world.tasks[task].result == .succeeded { rangeRefusals.forget(world.tasks[task]) }
        if !chains.isEmpty { chains.noteEnded(world.tasks[task]) }
        if event.osError != nil { noteFile(task, event, fact, process: process) }
        intents.note(task: task, fact, in: &world)
        endings.noteCompleted(task, fact, in: &world)
        progress.forget(world.tasks[task].identity.uid)
      }
      if !world.keepalives.isEmpty { keepalives.end(task, fact, in: &world) }
    case .appOutcomeRecorded:
      keepalives.note(task, fact, in: &world)
      if event.outcome == .discarded || event.outcome == .cancelled { resumeOffers.withdraw(world.tasks[task]) }
      numbers.conclude(task, event, fact, in: &world)
      endings.noteGivenUp(task, event, fact, in: &world)
      _ = intents.note(event, fact, task: task, process: process, in: &world)
    case .appIntentUnbound:
      endings.noteGivenUp(task, event, fact, in: &world)
      world.tasks[changing: task].facts.unbind(fact)
      _ = intents.note(event, fact, task: task, process: process, in: &world)
    case .multipartStarted, .multipartPartStored, .multipartCompleted, .multipartAborted:
      if let place = uploads.apply(event, fact, process: process, in: &world) {
        world.touched.append(.upload(place))
        if let first = world.uploads[place].source, let look = SourceLook(event, fact), let change = SourceChange(first, look) {
          world.tasks[changing: task].facts.noteSource(change)
        }
      }
    default: break
    }
  }

  /// What the end of an attempt shows beside others of its kind; nothing for nearly all.
  private mutating func joinAnswer(_ task: Int) {
    let traits = world.tasks.glance(at: task).traits
    if traits.contains(.rangeRefused) { rangeRefusals.note(task, in: &world) }
    if traits.contains(.uploadGoesOn) { parts.note(task, in: &world) }
    guard world.lacksSecrets, let owner = world.tasks[task].owner, var secrets = world.processes[owner].secrets else { return }
    secrets.noteRefused(world.tasks[task])
    world.changing(process: owner).facts.secrets = secrets
    world.touched.append(.process(owner))
  }

  private mutating func joinResumeData(_ task: Int, _ event: EventView, _ fact: Fact) {
    guard let data = event.resumeData else {
      if fact.kind == .taskCancelRequested, event.by == .app { resumeOffers.noteCancelled(world.tasks[task]) }
      if fact.kind == .taskCompleted { _ = resumeOffers.takeEarly(for: world.tasks[task]) }
      return
    }
    if let early = resumeOffers.takeEarly(for: world.tasks[task]), world.tasks.isCurrent(early) {
      world.tasks[changing: Int(early.index)].facts.joinEarlier(.init(offered: fact, data: data, of: world.tasks[task]))
    } else {
      resumeOffers.add(data, of: world.tasks[task], fact)
    }
  }

  private mutating func noteFile(_ task: Int, _ event: EventView, _ fact: Fact, process: Int) {
    if let trouble = files.trouble(event, fact, of: task, process: process, in: world) {
      world.tasks[changing: task].facts.note(trouble)
    }
    if fact.kind == .diskOpenFailed { noteLostPath(event, fact, task: world.tasks[task].identity, process: process) }
  }

  private mutating func noteLostPath(_ event: EventView, _ fact: Fact, task: TaskIdentity?, process: Int) {
    guard let path = files.lostPath(event, fact, task: task, process: process, in: world) else { return }
    world.changing(process: process).facts.note(path)
    world.touched.append(.process(process))
  }

  /// Other tasks may have been to send the same file.
  private mutating func noteDeleted(_ event: EventView, _ fact: Fact, by task: Int) {
    for uid in files.others(than: world.tasks[task].identity.uid, of: event) {
      guard let place = taskOfUID[uid], world.tasks.isCurrent(place) else { continue }
      world.tasks[changing: Int(place.index)].facts.file.deleted = fact
      world.touched.append(.task(Int(place.index)))
    }
  }

  /// What belongs to a task that goes on, or can go on, is no left-over.
  private mutating func noteLeftOver(_ event: EventView, _ fact: Fact, process: Int) {
    let owner = event.task?.uid ?? event.owner.flatMap { text in if case .plain(let uid) = text { TaskUID(uid) } else { nil } }
    if let place = owner.flatMap({ taskOfUID[$0] }), world.tasks.isCurrent(place) {
      let task = world.tasks[Int(place.index)]
      if task.isLive || (task.leftResumeData && task.outcome == nil) { return }
    }
    world.changing(process: process).facts.leftOvers = world.processes[process].leftOvers ?? LeftOverFiles()
    world.changing(process: process).facts.leftOvers?.add(event, fact)
    world.touched.append(.process(process))
  }

  private mutating func joinIntent(_ task: Int) {
    let failed = intentTries.begin(world.tasks[task])
    if !failed.isEmpty { world.tasks[changing: task].facts.joinFailed(failed) }
  }

  private mutating func joinResource(_ task: Int) {
    if let earlier = resumeOffers.take(for: world.tasks[task]) { world.tasks[changing: task].facts.joinEarlier(earlier) }
    resumeOffers.noteMade(world.tasks[task], at: world.tasks.place(task))
    if let entity = unfinished.entity(for: world.tasks[task]) { world.tasks[changing: task].facts.joinUnfinished(entity) }
  }

  private mutating func countUnmodelled(_ event: EventView) {
    counts.unmodelled[event.layout.name, default: Unmodelled(count: 0, first: event.reference)].count += 1
    counts.sources[event.sourceIndex].unmodelled += 1
  }

  /// No model uses it, but it shows that its writer was at work.
  private mutating func leaveOut(_ event: EventView, _ fact: Fact, process: Int) -> Change {
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

  private mutating func append(_ process: ProcessFacts) -> Int {
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

  // MARK: Families

  private mutating func applyLog(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    switch fact.kind {
    case .logHeartbeatWritten:
      world.changing(process: process).facts.work.note(event, fact)
      if world.processes[process].role == .daemon { return Change(fact: fact, subject: .process(process), process: process) }
    case .clockSampled: return applyClock(event, fact, process: process)
    case .logOpened, .logLevelsChanged:
      world.changing(process: process).facts.levels.note(event.levels, fact)
      world.changing(process: process).facts.log.apply(event, fact)
    case .logStalled:
      world.changing(process: process).facts.log.apply(event, fact)
      return Change(fact: fact, subject: .process(process), process: process)
    case .logClosed:
      _ = world.changing(process: process).facts.apply(event, fact)
      end(process, fact)
    case .logDropped:
      let (family, count, source) = (event.family ?? "?", max(0, event.count ?? 0), event.sourceIndex)
      world.drops[family] = world.drops[family, default: 0].addingClamped(count)
      counts.sources[source].dropped = counts.sources[source].dropped.addingClamped(count)
      world.changing(process: process).facts.log.apply(event, fact)
      world.touched.append(.process(process))
    default: break
    }
    return Change(fact: fact, subject: .log, process: process)
  }

  private mutating func applyClock(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    let boot = world.processes[process].boot
    let place = world.boots.firstIndex { $0.boot == boot } ?? world.boots.count
    if place == world.boots.count { world.boots.append(BootLifecycle(boot: boot, process: process)) }
    world.boots[place].apply(event, fact, process: process)
    return Change(fact: fact, subject: .boot(place), process: process)
  }

  private mutating func applyProcess(_ event: EventView, _ fact: Fact, process writer: Int) -> Change? {
    var place = writer
    if let launch = event.launch, launch != world.processes[writer].launch {
      place = processOfLaunch[launch] ?? append(ProcessFacts(launch: launch))
    } else if event.launch == nil, fact.kind == .processExitObserved, let pid = event.pid, pid != world.processes[writer].pid {
      // Whoever started a process knows its number alone, which another may have been given before.
      guard let known = world.processes.lastIndex(where: { $0.pid == pid && $0.boot == world.processes[writer].boot }) else {
        return leaveOut(event, fact, process: writer)
      }
      place = known
    }
    _ = world.changing(process: place).facts.apply(event, fact)
    switch fact.kind {
    case .processStarted:
      lives.begin(place, in: &world)
      if let wake = world.wakes.last(where: { $0.launchedProcess == place }), let cause = wake.launched,
        let writer = wake.wantedBy
      {
        noteSkew(cause: cause, by: writer, effect: fact, process: place)
      }
      intents.noteLife(place, in: &world)
      uploads.noteLife(place, in: &world)
    case .processStateChanged:
      if world.processes[place].state == .foreground { chains.forget(place, in: world) }
      keepalives.noteState(of: place, fact, in: &world)
      progress.noteState(of: place, fact, in: world)
    case .processExited, .processExitObserved: end(place, fact)
    default: break
    }
    background.noteProcessEvent(fact, of: place, in: world)
    return Change(fact: fact, subject: .process(place), process: writer)
  }

  /// Tasks that the process had open are over with it, unless a later life adopts them.
  private mutating func end(_ process: Int, _ fact: Fact) {
    keepalives.noteState(of: process, fact, in: &world)
    for task in world.tasks.indexes(ofProcess: process) {
      guard world.tasks[task].completed == nil, world.tasks[task].processEnd == nil else { continue }
      world.tasks[changing: task].facts.processEnd = fact
      unfinished.leave(world.tasks[task])
    }
  }

  private mutating func applySession(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    guard let identifier = event.session else { return leaveOut(event, fact, process: process) }
    let key = SessionKey(process: process, identifier: identifier, instance: event.instance)
    let place: Int
    if let known = sessionOfInstance[key] {
      place = known
    } else {
      place = world.sessions.count
      world.sessions.append(SessionLifecycle(SessionFacts(identifier: identifier, instance: event.instance, process: process)))
      sessionOfInstance[key] = place
    }
    apply(event, fact, session: place)
    background.apply(session: place, event, fact, in: &world)
    endings.apply(session: place, event, fact, in: &world)
    if fact.kind == .sessionTasksAnswered {
      intents.noteAnswer(event, fact, session: world.sessions[place], process: process, in: &world)
    }
    return Change(fact: fact, subject: .session(place), process: process)
  }

  private mutating func apply(_ event: EventView, _ fact: Fact, session place: Int) {
    let (wasMade, wasLetGo) = (world.sessions[place].created != nil, world.sessions[place].isLetGo)
    _ = world.changing(session: place).facts.apply(event, fact)
    let session = world.sessions[place]
    // A background session has to live as long as its app, and the shared one cannot be let go.
    guard session.created != nil, session.kind != .background, session.kind != .shared else { return }
    if !wasMade { world.changing(process: session.process).facts.sessions.noteMade(fact, counted: event.liveSessions) }
    if session.isLetGo, !wasLetGo { world.changing(process: session.process).facts.sessions.noteLetGo() }
  }

  private mutating func applyWake(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    guard let handler = event.handler else { return leaveOut(event, fact, process: process) }
    let place: Int
    if let known = wakeOfHandler[handler] {
      place = known
    } else {
      place = world.wakes.count
      world.wakes.append(WakeLifecycle(handler: handler))
      wakeOfHandler[handler] = place
    }
    _ = world.wakes[place].apply(event, fact, process: process)
    if fact.kind == .wakeLaunched { world.wakes[place].protectionAtLaunch = world.conditions.lock }
    background.apply(wake: place, event, fact, process: process, in: &world)
    noteWake(place, fact)
    lives.explain(event, fact, process: process, in: &world)
    return Change(fact: fact, subject: .wake(place), process: process)
  }

  private mutating func noteWake(_ place: Int, _ fact: Fact) {
    guard let session = world.wakes[place].session else { return }
    if fact.kind == .wakeDelivered, world.wakes[place].delivered == fact { chains.deliver(session, fact) }
    guard fact.kind == .wakeHandlerCalled, world.wakes[place].calls == 1 else { return }
    chains.call(session)
    guard world.wakes[place].cause == .challenge else { return }
    for task in world.openTasks(ofSession: session) where world.tasks[task].attempt?.challengeOpen != nil {
      world.tasks[changing: task].facts.join(challengeWake: .init(wanted: world.wakes[place].wanted, called: fact))
      world.touched.append(.task(task))
    }
  }

  private mutating func applySecret(_ event: EventView, _ fact: Fact, process: Int) -> Change {
    world.changing(process: process).facts.noteSecret(event, fact)
    if world.processes[process].secrets != nil { world.lacksSecrets = true }
    return Change(fact: fact, subject: .process(process), process: process)
  }

  private mutating func applyDaemon(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    var daemon = world.processes[process].daemon ?? DaemonLife()
    daemon.apply(event, fact)
    world.changing(process: process).facts.daemon = daemon
    for identity in event.tasks ?? [] { list(identity, fact, process: process) }
    compareInventories(event, fact, process: process)
    if fact.kind == .daemonStarted { lives.beginGeneration(process, in: &world) }
    return Change(fact: fact, subject: .process(process), process: process)
  }

  /// What was in one list of a generation's tasks has to be in the next, unless an event says why not.
  private mutating func compareInventories(_ event: EventView, _ fact: Fact, process: Int) {
    guard let tasks = event.tasks, Int64(tasks.count) == event.count ?? Int64(tasks.count) else { return }
    if let before = world.processes[process].daemon?.inventoried {
      let now = Set(tasks.map(\.uid))
      let missing = (world.processes[process].daemon?.inventory ?? []).filter { !now.contains($0.uid) && isCarried($0) }
      if !missing.isEmpty {
        world.changing(process: process).facts.daemon?.vanished = .init(tasks: missing, before: before, after: fact)
      }
    }
    world.changing(process: process).facts.daemon?.inventory = tasks
    world.changing(process: process).facts.daemon?.inventoried = fact
  }

  private func isCarried(_ identity: TaskIdentity) -> Bool {
    guard let place = taskOfUID[identity.uid], world.tasks.isCurrent(place) else { return false }
    let task = world.tasks[Int(place.index)]
    return task.completed == nil && task.acknowledged == nil && task.forgotten == nil && task.handedOff == nil
      && task.cancelRequested == nil
  }

  /// A task that the daemon says it has is one, though the log's beginning, where it was made, may be gone.
  private mutating func list(_ identity: TaskIdentity, _ fact: Fact, process: Int) {
    guard taskOfUID[identity.uid] == nil else { return }
    let place = world.tasks.insert(identity, process: process)
    world.tasks[changing: Int(place.index)].facts.carrier = process
    world.tasks[changing: Int(place.index)].facts.listed = fact
    taskOfUID[identity.uid] = place
  }

  /// Whichever end tells of it, the link is the app's.
  private mutating func applyLink(_ event: EventView, _ fact: Fact, process writer: Int) -> Change? {
    var place = writer
    if world.processes[writer].role == .daemon {
      guard let peer = event.peer else { return leaveOut(event, fact, process: writer) }
      place = processOfLaunch[peer] ?? append(ProcessFacts(launch: peer))
    }
    world.changing(process: place).facts.link.apply(event, fact)
    if fact.kind == .linkDisconnected { endings.noteLinkLost(place, fact, in: &world) }
    return Change(fact: fact, subject: .process(place), process: writer)
  }

  /// What a process holds, or is about.
  private mutating func applySpan(_ event: EventView, _ fact: Fact, process: Int) -> Change {
    if fact.kind == .appLockTimedOut {
      // Whoever was stopped with it keeps it.
      for place in world.processes.indices where place != process && world.processes[place].isSuspended {
        guard let held = world.processes[place].spans.lockAtSuspension, held.lock.name == event.name else { continue }
        if world.processes[place].spans.lockMissed == nil { world.changing(process: place).facts.spans.lockMissed = fact }
        world.touched.append(.process(place))
      }
    } else {
      world.changing(process: process).facts.spans.apply(event, fact)
    }
    return Change(fact: fact, subject: .process(process), process: process)
  }

  private mutating func applyTrigger(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    guard let id = event.trigger else { return leaveOut(event, fact, process: process) }
    // It stays armed when the life that armed it is over.
    let program = world.processes[process].executable
    let known = world.triggers.firstIndex { $0.id == id && world.processes[$0.process].executable == program }
    let place = known ?? world.triggers.count
    if place == world.triggers.count { world.triggers.append(TriggerLifecycle(id: id, process: process)) }
    world.triggers[place].apply(event, fact, process: process)
    lives.explain(event, fact, process: process, in: &world)
    return Change(fact: fact, subject: .process(process), process: process)
  }

  /// Tasks that were made under the other setting keep it.
  private mutating func changeCellularData(_ allows: Bool, _ fact: Fact) {
    for task in world.tasks.indexes where world.tasks[task].created != nil && world.tasks[task].isLive {
      guard let allowed = world.tasks[task].allowsCellular ?? world.session(of: world.tasks[task])?.allowsCellular else {
        continue
      }
      guard allowed != allows else { continue }
      world.tasks[changing: task].facts.join(policy: .init(changed: fact, allows: allows))
      world.touched.append(.task(task))
    }
  }

  private mutating func applySetting(_ event: EventView, _ fact: Fact, process: Int) -> Change? {
    let isCondition = world.conditions.apply(event, fact)
    switch fact.kind {
    case .appCapabilitiesRecorded: world.changing(process: process).facts.capabilities = event.capabilities
    case .diskSpaceSampled:
      let sample = DiskSample(event, fact)
      if world.processes[process].openFiles == nil {
        world.changing(process: process).facts.openFiles = OpenFiles(sample)
      } else {
        world.changing(process: process).facts.openFiles?.note(sample)
      }
    case .policyChanged:
      guard isCondition else { return leaveOut(event, fact, process: process) }
      if event.policy == .cellularData, let enabled = event.enabled { changeCellularData(enabled, fact) }
    default: break
    }
    return Change(fact: fact, subject: .log, process: process)
  }
}
