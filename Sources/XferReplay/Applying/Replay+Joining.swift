import XferEvents
import XferLifecycle

/// The effects of an event about a task on other tasks, files, sessions and processes.
extension Replay {
  /// Notes a callback that was received before it was sent, which shows that the clocks of two writers differ. A single writer
  /// has only one clock, so it is not compared with itself.
  mutating func noteSkew(_ task: Int, _ event: EventView, _ fact: Fact, process: Int) {
    guard let carrier = world.tasks[task].carrier, carrier != process else { return }
    let delivery = event.callback == .didFinishDownloading ? world.tasks[task].fileDelivery : world.tasks[task].completionDelivery
    guard let delivery, delivery.id == event.delivery, let sent = delivery.sent else { return }
    noteSkew(cause: sent, by: carrier, effect: fact, process: process)
  }

  mutating func noteSkew(cause: Fact, by writer: Int, effect: Fact, process: Int) {
    guard let first = cause.monotonic, let second = effect.monotonic, second < first, writer != process,
      world.processes[writer].boot == world.processes[process].boot
    else { return }
    let size = Duration.nanoseconds(first.subtractingClamped(second))
    world.changing(process: process).facts.log.note(LogTroubles.ClockSkew(cause: cause, effect: effect, size: size))
    world.touched.append(.process(process))
  }

  /// Counts events whose identifying field is masked, so that they cannot be joined to their subject.
  mutating func noteMasked(_ event: EventView, _ fact: Fact, process: Int) {
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

  /// The text that systems show in place of a private value.
  static let mask = "<private>"

  static func isMasked(_ text: RecordedText?) -> Bool {
    switch text {
    case .redacted?: true
    case .plain(let text)?: text == mask
    case .cut?, .hashed?, nil: false
    }
  }

  /// Applies an event that names a task to other tasks, files, sessions and processes.
  @inline(__always)
  mutating func join(_ task: Int, _ model: EventModel, _ event: EventView, _ fact: Fact, process: Int) {
    switch model {
    case .task(let kind): join(task, kind, event, fact, process: process)
    case .attempt(let kind): join(task, kind, event, fact, process: process)
    case .file(let kind): join(task, kind, event, fact, process: process)
    case .delivery(let kind): join(task, kind, event, fact, process: process)
    case .intent(let kind): join(task, kind, event, fact, process: process)
    case .upload(let kind): join(task, kind, event, fact, process: process)
    case .storage(.diskOpenFailed): noteFile(task, event, fact, process: process)
    case .storage(.diskLeftOverFound): noteLeftOver(event, fact, process: process)
    case .log, .boot, .process, .daemon, .link, .session, .listener, .wake, .work, .secret, .beat, .assertion, .alarm, .trigger,
      .network, .condition, .unconsumed:
      break
    }
  }

  private mutating func join(_ task: Int, _ kind: EventModel.Task, _ event: EventView, _ fact: Fact, process: Int) {
    switch kind {
    case .taskCreated: joinCreated(task, event, fact, process: process)
    case .taskAdopted:
      endings.noteAdopted(task, fact, process: process, in: &world)
      world.own(task)
      if !world.background.isEmpty { background.noteMade(task, fact, process: process, in: &world) }
    case .taskResumed: intents.note(task: task, fact, in: &world)
    case .taskHeld: background.noteHeld(task, event, fact, in: &world)
    case .taskHandedOff:
      if let successor = event.successor { keepalives.handOff(task, fact, to: successor, in: &world) }
    case .taskTransferred:
      world.onWire.remove(task)
      if event.osError != nil || event.end == .file { noteFile(task, event, fact, process: process) }
    case .taskCancelRequested:
      joinResumeData(task, event, fact)
      if !world.keepalives.isEmpty { keepalives.end(task, fact, in: &world) }
    case .taskCompleted: joinCompleted(task, event, fact, process: process)
    case .taskSuspended, .taskHoldEnded, .taskDelayAsked, .taskDelayAnswered, .taskAcknowledged, .taskForgotten, .taskChanged,
      .taskCoalesced, .taskObserved:
      break
    }
  }

  private mutating func joinCreated(_ task: Int, _ event: EventView, _ fact: Fact, process: Int) {
    joinResource(task)
    files.noteMade(world.tasks[task].identity.uid, event)
    joinIntent(task)
    if event.intent != nil { _ = intents.note(event, fact, task: task, process: process, in: &world) }
    world.own(task)
    if !world.background.isEmpty { background.noteMade(task, fact, process: process, in: &world) }
    if !world.keepalives.isEmpty { keepalives.begin(task, fact, in: &world) }
    if world.tasks[task].resumeData != nil { resumeUses.noteMade(task, in: &world) }
    if let continued = world.tasks[task].continues { joinContinued(continued.uid, by: task, fact) }
    if !chains.isEmpty { chains.noteMade(task, in: world) }
    endings.noteCreated(task, fact, process: process, in: &world)
    pairs.noteCreated(task, event, fact, process: process, in: &world)
  }

  /// Counts the tasks of an intent that failed in succession, if there are enough for a retry storm.
  private mutating func noteFailures(_ intent: String) {
    let count = intentTries.count(intent)
    if count >= IntentTries.stormCount { world.failuresInRow[intent] = max(count, world.failuresInRow[intent] ?? 0) }
  }

  /// Links a task to the later one that continues its partial download. The rules about its process may change their answer.
  private mutating func joinContinued(_ uid: TaskUID, by task: Int, _ fact: Fact) {
    guard let place = taskOfUID[uid], world.tasks.isCurrent(place), Int(place.index) != task else { return }
    let earlier = Int(place.index)
    world.tasks[changing: earlier].facts.join(continuation: .init(task: world.tasks[task].identity, created: fact))
    world.touched += [.task(earlier), .process(world.tasks[earlier].process)]
  }

  private mutating func joinCompleted(_ task: Int, _ event: EventView, _ fact: Fact, process: Int) {
    world.onWire.remove(task)
    joinResumeData(task, event, fact)
    if let (next, failed) = intentTries.end(world.tasks[task]), let place = taskOfUID[next], world.tasks.isCurrent(place) {
      world.tasks[changing: Int(place.index)].facts.joinFailed(failed)
      world.touched.append(.task(Int(place.index)))
    }
    if let intent = world.tasks[task].intent { noteFailures(intent) }
    resumeUses.noteEnd(world.tasks[task])
    if !rangeRefusals.isEmpty, world.tasks[task].result == .succeeded { rangeRefusals.forget(world.tasks[task]) }
    if !chains.isEmpty { chains.noteEnded(world.tasks[task]) }
    if event.osError != nil { noteFile(task, event, fact, process: process) }
    intents.note(task: task, fact, in: &world)
    endings.noteCompleted(task, fact, in: &world)
    progress.forget(world.tasks[task].identity.uid)
    if !world.keepalives.isEmpty { keepalives.end(task, fact, in: &world) }
  }

  @inline(__always)
  private mutating func join(_ task: Int, _ kind: EventModel.Attempt, _ event: EventView, _ fact: Fact, process: Int) {
    switch kind {
    case .attemptStarted:
      world.onWire.insert(task)
      background.noteStarted(task, fact, in: &world)
      keepalives.note(task, fact, in: &world)
      if !chains.isEmpty { chains.noteStarted(task, fact, in: &world) }
      endings.noteStarted(task, fact, process: process, in: &world)
    case .attemptBytesReceived, .attemptBytesSent:
      if progress.isWaiting { progress.noteBytes(task, event, fact, process: process, in: &world) }
    case .attemptRequestSent: notePathChange(task)
    case .attemptEnded:
      world.onWire.remove(task)
      notePathChange(task)
      joinAttemptEnd(task)
      if event.osError != nil || event.end == .file { noteFile(task, event, fact, process: process) }
    case .attemptConnectionAcquired, .attemptResponseReceived, .attemptNetworkAwaited, .attemptChallengeReceived,
      .attemptChallengeAnswered, .attemptRedirectReceived, .attemptRedirectAnswered:
      break
    }
  }

  @inline(__always)
  private mutating func notePathChange(_ task: Int) {
    if world.network.moved != nil { world.tasks.change(task) { $0.facts.notePathChange() } }
  }

  private mutating func join(_ task: Int, _ kind: EventModel.File, _ event: EventView, _ fact: Fact, process: Int) {
    switch kind {
    case .fileOffered: if event.exists == false { noteFile(task, event, fact, process: process) }
    case .fileClaimed:
      if event.osError != nil { noteFile(task, event, fact, process: process) }
      pairs.noteClaimed(task, event, process: process, in: &world)
      if background.awaitsCallbacks { background.noteCallback(event, fact, of: task, process: process, in: &world) }
    case .fileDeleted:
      noteDeleted(event, fact, by: task)
      if event.by == .policy { resumeOffers.remove(world.tasks[task], fact) }
      if event.by == .app { endings.noteGivenUp(task, event, fact, in: &world) }
    case .fileReaped, .fileUnclaimed: break
    }
  }

  @inline(__always)
  private mutating func join(_ task: Int, _ kind: EventModel.Delivery, _ event: EventView, _ fact: Fact, process: Int) {
    switch kind {
    case .deliveryReceived: noteSkew(task, event, fact, process: process)
    case .deliveryEntered:
      if event.osError != nil { noteFile(task, event, fact, process: process) }
      if background.awaitsCallbacks { background.noteCallback(event, fact, of: task, process: process, in: &world) }
      if event.callback == .didComplete { intentTries.enter(world.tasks[task]) }
      progress.noteEntered(task, event, in: world)
      if endings.awaitsCallbacks {
        endings.noteCallback(event, fact, session: world.tasks[task].identity.session, in: &world)
      }
      if event.delegate != nil {
        endings.noteReceiver(event, fact, session: world.tasks[task].identity.session, process: process, in: &world)
      }
    case .deliveryDropped:
      endings.noteDropped(event, fact, session: world.tasks[task].identity.session, process: process, in: &world)
    case .deliverySent, .deliveryLeft: break
    }
  }

  private mutating func join(_ task: Int, _ kind: EventModel.Intent, _ event: EventView, _ fact: Fact, process: Int) {
    switch kind {
    case .appIntentDeclared, .appIntentBound:
      joinIntent(task)
      world.tasks[changing: task].facts.bind(fact)
      pairs.noteIntent(task, event, process: process, in: &world)
      _ = intents.note(event, fact, task: task, process: process, in: &world)
      endings.noteWanted(task, in: &world)
      if kind == .appIntentBound {
        numbers.bind(task, event, fact, in: &world)
        pairs.noteBound(task, event, fact, process: process, in: &world)
      }
      if !world.keepalives.isEmpty { keepalives.begin(task, fact, in: &world) }
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
    }
  }

  /// Notes that the app no longer needs the tasks for an intent, because it recorded such an outcome for the whole intent.
  mutating func giveUp(intent: Int, _ event: EventView, _ fact: Fact) {
    for binding in world.intents[intent].bindings where binding.unbound == nil {
      guard let place = taskOfUID[binding.task.uid], world.tasks.isCurrent(place) else { continue }
      endings.noteGivenUp(Int(place.index), event, fact, in: &world)
    }
  }

  private mutating func join(_ task: Int, _ kind: EventModel.Upload, _ event: EventView, _ fact: Fact, process: Int) {
    guard let place = uploads.apply(kind, event, fact, process: process, in: &world) else { return }
    world.touched.append(.upload(place))
    if let first = world.uploads[place].source, let look = SourceLook(event, fact), let change = SourceChange(first, look) {
      world.tasks[changing: task].facts.noteSource(change)
    }
  }

  /// Compares the end of an attempt with those of other tasks. Nearly all attempts have nothing to compare.
  mutating func joinAttemptEnd(_ task: Int) {
    let traits = world.tasks.glance(at: task).traits
    if traits.contains(.rangeRefused) { rangeRefusals.note(task, in: &world) }
    if traits.contains(.uploadGoesOn) { parts.note(task, in: &world) }
    guard world.lacksSecrets, let owner = world.tasks[task].owner, var secrets = world.processes[owner].secrets else { return }
    secrets.noteRefused(world.tasks[task])
    world.changing(process: owner).facts.secrets = secrets
    world.touched.append(.process(owner))
  }

  mutating func joinResumeData(_ task: Int, _ event: EventView, _ fact: Fact) {
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

  mutating func noteFile(_ task: Int, _ event: EventView, _ fact: Fact, process: Int) {
    if let trouble = files.trouble(event, fact, of: task, process: process, in: world) {
      world.tasks[changing: task].facts.note(trouble)
    }
    if fact.kind == .diskOpenFailed { noteLostPath(event, fact, task: world.tasks[task].identity, process: process) }
  }

  mutating func noteLostPath(_ event: EventView, _ fact: Fact, task: TaskIdentity?, process: Int) {
    guard let path = files.lostPath(event, fact, task: task, process: process, in: world) else { return }
    world.changing(process: process).facts.note(path)
    world.touched.append(.process(process))
  }

  /// Notes a deleted file for the other tasks that were created to send it.
  mutating func noteDeleted(_ event: EventView, _ fact: Fact, by task: Int) {
    for uid in files.others(than: world.tasks[task].identity.uid, of: event) {
      guard let place = taskOfUID[uid], world.tasks.isCurrent(place) else { continue }
      world.tasks[changing: Int(place.index)].facts.file.deleted = fact
      world.touched.append(.task(Int(place.index)))
    }
  }

  /// Notes a leftover file, unless the task to which the file belongs is running or can be resumed.
  mutating func noteLeftOver(_ event: EventView, _ fact: Fact, process: Int) {
    let owner = event.task?.uid ?? event.owner.flatMap { text in if case .plain(let uid) = text { TaskUID(uid) } else { nil } }
    if let place = owner.flatMap({ taskOfUID[$0] }), world.tasks.isCurrent(place) {
      let task = world.tasks[Int(place.index)]
      if task.isLive || (task.leftResumeData && task.outcome == nil) { return }
    }
    world.changing(process: process).facts.leftOvers = world.processes[process].leftOvers ?? LeftOverFiles()
    world.changing(process: process).facts.leftOvers?.add(event, fact)
    world.touched.append(.process(process))
  }

  mutating func joinIntent(_ task: Int) {
    let failed = intentTries.begin(world.tasks[task])
    if !failed.isEmpty { world.tasks[changing: task].facts.joinFailed(failed) }
  }

  mutating func joinResource(_ task: Int) {
    if let earlier = resumeOffers.take(for: world.tasks[task]) { world.tasks[changing: task].facts.joinEarlier(earlier) }
    resumeOffers.noteMade(world.tasks[task], at: world.tasks.place(task))
    if let entity = unfinished.entity(for: world.tasks[task]) { world.tasks[changing: task].facts.joinUnfinished(entity) }
  }
}
