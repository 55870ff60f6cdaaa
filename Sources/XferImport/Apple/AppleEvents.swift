import XferEvents

/// Translates the recognised records of one log to events of the vocabulary, in the order of the records.
struct AppleEvents {
  let log: AppleLog
  let number: UInt32
  private let name: String
  /// Returns the archive for the events of a writer.
  private let archive: (Int) -> EventArchive
  /// The events of the last record, and the number of those that were handed out.
  private var waiting: [RecordedEvent] = []
  private var taken = 0
  private var observedSessions: Set<String> = []
  /// The number of events of the last record that only introduce a session or a task.
  private var introductions = 0
  private var entry: AppleEntry?
  /// The last tasks whose load failed, oldest first. `NSURLConnection` does not name its task when it completes.
  private var failed: [TaskPlan] = []
  private static let failedLimit = 64
  /// The number of tasks that no line names, which gives each of them a number.
  private var unnamed: UInt32 = 0

  /// All logs of Apple's that are read together count as those of one installation, so that an app and its daemon meet.
  static let installation = InstallationID(high: 0x6170_706c_65, low: 1)

  static let coverage = ImportCoverage(
    log: "a copy of Apple's log",
    kinds: [
      .taskObserved, .taskCreated, .taskResumed, .taskCancelRequested, .taskHeld, .taskHoldEnded, .taskTransferred,
      .taskCompleted,
      .taskAcknowledged, .taskRejected, .taskCreationFailed, .attemptStarted, .attemptConnectionAcquired, .attemptRequestSent,
      .attemptResponseReceived, .attemptBytesReceived, .attemptEnded, .sessionObserved, .sessionReused, .sessionConnectStarted,
      .sessionConnected, .sessionConnectFailed, .sessionInvalidated, .linkConnected, .linkDisconnected, .wakeDelivered,
      .wakeHandlerReleased, .processStateChanged, .processExitObserved, .processAssertionTimedOut, .processLaunchFailed,
      .processWatchdogWithheld, .assertionExpired, .assertionOverdue, .diskOpenFailed, .messageDefault, .messageInfo,
      .messageDebug,
      .messageError, .messageFault,
    ], isApple: true)

  init(_ log: AppleLog, number: UInt32, name: String, archive: @escaping (Int) -> EventArchive) {
    (self.log, self.number, self.name, self.archive) = (log, number, name, archive)
  }

  /// Returns the next event or gap; `nil` at the end of the log.
  mutating func next() -> LogMember? {
    while true {
      if taken < waiting.count {
        taken += 1
        return .event(waiting[taken - 1])
      }
      var gap: LogGap?
      switch step({ gap = $0 }) {
      case .gap: return gap.map { .gap($0) }
      case .record: continue
      case .end: return nil
      }
    }
  }

  /// Appends the next events and gaps to a batch, as `EventBatches.fill` does.
  mutating func fill(_ batch: inout EventBatch) -> Bool {
    var count = 0
    while true {
      while taken < waiting.count {
        if count >= EventBatch.capacity { return true }
        let view = waiting[taken].view
        batch.keep(view.page)
        batch.append(view)
        taken += 1
        count += 1
      }
      switch step({ batch.append($0) }) {
      case .gap: return true
      case .record: continue
      case .end: return count > 0
      }
    }
  }

  private enum Step { case gap, record, end }

  /// Translates the next record, unless a gap precedes it, which is passed to `take`.
  private mutating func step(_ take: (LogGap) -> Void) -> Step {
    // This is faster than `removeAll`.
    while waiting.popLast() != nil {}
    taken = 0
    if let (gap, before) = log.nextGap() {
      take(member(gap, before))
      return .gap
    }
    guard let entry = log.next() else { return .end }
    self.entry = entry
    translate(entry)
    return .record
  }

  private func member(_ gap: AppleLog.Gap, _ before: Moment?) -> LogGap {
    var result = LogGap(
      cause: gap.cause, segment: number, name: name, sequences: gap.lines.lowerBound..<gap.lines.upperBound &+ 1,
      after: log.previous, before: before, terms: .lines)
    result.scope = .installation(Self.installation)
    return result
  }

  // MARK: Emitting

  private mutating func emit(_ event: some TransferEvent) {
    guard let entry else { return }
    waiting.append(
      archive(entry.writer).record(
        event, at: entry.moment, line: entry.line, thread: entry.thread))
  }

  /// Emits the text of a record that has no other event.
  private mutating func emitMessage(_ entry: AppleEntry) {
    let kind: EventKind =
      switch entry.level {
      case .default, nil: .messageDefault
      case .info: .messageInfo
      case .debug: .messageDebug
      case .error: .messageError
      case .fault: .messageFault
      }
    func emit(_ text: UnsafeRawBufferPointer) {
      waiting.append(
        archive(entry.writer).record(
          message: text, kind, subsystem: entry.subsystem, category: entry.category, task: entry.plan?.identity,
          at: entry.moment, line: entry.line, thread: entry.thread))
    }
    let text = entry.textBytes
    if text.isASCII { return emit(text) }
    // Bytes that are not UTF-8 are replaced.
    var valid = text.text
    valid.withUTF8 { emit(UnsafeRawBufferPointer($0)) }
  }

  private mutating func translate(_ entry: AppleEntry) {
    let count = waiting.count
    introductions = 0
    if let plan = entry.plan {
      var track = plan.track
      translate(entry, plan, &track)
      plan.track = track
    } else {
      translateOther(entry)
    }
    // The names of sessions and tasks alone do not tell what the record says.
    if waiting.count == count + introductions { emitMessage(entry) }
  }

  private func handler(_ seed: String) -> HandlerID {
    var hash = NameHash()
    hash.add("\(number) \(entry?.line ?? 0) \(seed)")
    return HandlerID(hash.value)
  }

  // MARK: Tasks

  private mutating func translate(_ entry: AppleEntry, _ plan: TaskPlan, _ track: inout TaskTrack) {
    let task = plan.identity
    if !track.isKnown {
      track.isKnown = true
      if let kind = plan.sessionKind { observe(session: task.session, kind) }
      if entry.meaning != .uploadCreated, entry.meaning != .downloadCreated {
        emit(TaskObserved(task: task, type: plan.type, sessionKind: plan.sessionKind))
        introductions += 1
      }
    }
    switch entry.meaning {
    case .uploadCreated: emit(TaskCreated(task: task, type: .upload))
    case .downloadCreated: emit(TaskCreated(task: task, type: .download))
    case .resumed:
      if !track.isResumed { emit(TaskResumed(task: task, by: log.roles[entry.writer] == .daemon ? .daemon : .app)) }
      track.isResumed = true
    case .beginDelay:
      let isOver = entry.contains(" can ")
      if isOver { endHold(.beginDate, task, &track) } else { hold(.beginDate, task, &track) }
    case .waiting: hold(.network, task, &track)
    case .conditionsChanged: if entry.integer(.ok) == 1 { endHold(.network, task, &track) }
    case .begun, .connecting: begin(task, &track)
    case .connected:
      continueAttempt(&track)
      track.transaction += 1
      let (summary, number) = (plan.summary, entry.integer(.conn))
      let isOwn = number != nil && summary?.connection == number
      emit(
        AttemptConnectionAcquired(
          task: task, attempt: track.attempt, transaction: track.transaction,
          connection: number.map { connection($0, entry) },
          reused: isOwn ? summary?.isReused : nil, protocol: isOwn ? summary?.protocol : nil))
    case .requestSent:
      continueAttempt(&track)
      emit(AttemptRequestSent(task: task, attempt: track.attempt))
    case .response:
      let status = entry.integer(.status).map { Int(clamping: $0) }
      // Both the app's process and the daemon log the response.
      guard track.status != status || !track.isAttemptOpen, !track.isTransferred, !track.isCompleted else { return }
      if track.status != status || track.attempt == 0 { continueAttempt(&track) }
      guard track.isAttemptOpen else { return }
      track.status = status
      emit(AttemptResponseReceived(task: task, attempt: track.attempt, status: status))
    case .progress:
      continueAttempt(&track)
      emit(
        AttemptBytesReceived(
          task: task, attempt: track.attempt, received: entry.integer(.got),
          expected: entry.integer(.exp).flatMap { $0 > 0 ? $0 : nil }))
    case .responseEnded: if plan.summary == nil { endAttempt(.finished, task, plan, nil, &track) }
    case .summary: summarize(entry.captured(.end) { $0.equals("success") } ?? false, task, plan, &track)
    case .loadFailed:
      let error = TaskPlans.loadError(entry)
      if track.attempt == 0 { continueAttempt(&track) }
      endAttempt(Self.end(error), task, plan, error, &track, received: entry.integer(.received), sent: entry.integer(.sent))
      if failed.count >= Self.failedLimit { failed.removeFirst() }
      failed.append(plan)
    case .loadCancelled:
      if track.attempt == 0 { continueAttempt(&track) }
      endAttempt(.cancelled, task, plan, AppleError(domain: .url, code: -999), &track)
    case .fileWriteFailed:
      var error = AppleError(domain: .posix, code: entry.integer(.posix).map { Int(clamping: $0) })
      error.osError = error.code
      endAttempt(.file, task, plan, error, &track)
    case .retried:
      if track.isAttemptOpen {
        endAttempt(.transport, task, plan, nil, &track, retries: true)
      } else {
        emit(TaskHeld(task: task, hold: .backoff))
      }
    case .cancelled, .cancelledWithoutClient:
      if !track.isCancelled, !track.isCompleted {
        emit(TaskCancelRequested(task: task, by: entry.meaning == .cancelled ? .app : .daemon))
      }
      track.isCancelled = true
    case .finished: complete(nil, task, plan, &track)
    case .finishedWithError: complete(TaskPlans.error(entry).map(plan.completed), task, plan, &track)
    // A print of the app names the task of its error.
    case .libraryFailed: complete(entry.error, task, plan, &track)
    case .neverStarted:
      if entry.contains("timeout") { complete(AppleError(domain: .url, code: -1001), task, plan, &track) }
    case .acknowledged: emit(TaskAcknowledged(task: task))
    default: break
    }
  }

  private mutating func hold(_ reason: HoldReason, _ task: TaskIdentity, _ track: inout TaskTrack) {
    if !track.isHeld { emit(TaskHeld(task: task, hold: reason)) }
    track.isHeld = true
  }

  private mutating func endHold(_ reason: HoldReason, _ task: TaskIdentity, _ track: inout TaskTrack) {
    if track.isHeld { emit(TaskHoldEnded(task: task, hold: reason)) }
    track.isHeld = false
  }

  private mutating func begin(_ task: TaskIdentity, _ track: inout TaskTrack) {
    guard !track.isAttemptOpen else { return }
    continueAttempt(&track)
    emit(AttemptStarted(task: task, attempt: track.attempt))
  }

  /// Begins another attempt if none is open. Its start is not logged unless a line tells of it.
  private func continueAttempt(_ track: inout TaskTrack) {
    guard !track.isAttemptOpen else { return }
    track.attempt += 1
    track.transaction = 0
    track.isAttemptOpen = true
    track.status = nil
  }

  private mutating func endAttempt(
    _ end: AttemptEnd, _ task: TaskIdentity, _ plan: TaskPlan, _ error: AppleError?, _ track: inout TaskTrack,
    received: Int64? = nil, sent: Int64? = nil, retries: Bool = false
  ) {
    guard track.isAttemptOpen else { return }
    track.isAttemptOpen = false
    emit(
      AttemptEnded(
        task: task, attempt: track.attempt, end: end, domain: error?.code == nil ? nil : error?.domain, error: error?.code,
        errorName: error.flatMap(Self.name), osError: error?.osError, received: received, sent: sent,
        retryIn: retries ? .zero : nil,
        nameLookupTime: plan.summary?.nameLookupTime, connectTime: plan.summary?.connectTime,
        secureTime: plan.summary?.secureTime, phase: error.flatMap(Self.phase)))
  }

  private mutating func summarize(_ isSuccess: Bool, _ task: TaskIdentity, _ plan: TaskPlan, _ track: inout TaskTrack) {
    let status = plan.summary?.status
    if isSuccess {
      endAttempt(.finished, task, plan, nil, &track)
      guard !track.isTransferred, !track.isCompleted else { return }
      track.isTransferred = true
      track.status = status ?? track.status
      emit(TaskTransferred(task: task, received: plan.received, sent: plan.sent, status: track.status))
    } else {
      if track.attempt == 0 { continueAttempt(&track) }
      endAttempt(plan.error.map(Self.end) ?? .transport, task, plan, plan.error, &track)
    }
  }

  private mutating func complete(_ error: AppleError?, _ task: TaskIdentity, _ plan: TaskPlan, _ track: inout TaskTrack) {
    if let error {
      endAttempt(Self.end(error), task, plan, error, &track)
    } else {
      endAttempt(.finished, task, plan, nil, &track)
    }
    // Both the app's process and the daemon log the completion.
    guard !track.isCompleted else { return }
    track.isCompleted = true
    guard let error else {
      return emit(TaskCompleted(task: task, received: plan.received, sent: plan.sent, status: track.status))
    }
    reject(error, session: task.session, type: plan.type)
    // An error without a number is an error all the same.
    let code = error.code ?? -1
    emit(
      TaskCompleted(
        task: task, received: plan.received, sent: plan.sent, status: track.status,
        domain: error.code == nil ? .other : error.domain,
        error: code, errorName: Self.name(error), osError: error.osError, cancelReason: error.reason,
        unsatisfied: error.unsatisfied))
  }

  /// Emits the rejection of a task, if its error says that the session has no shared container.
  private mutating func reject(_ error: AppleError, session: String, type: TaskType?) {
    guard Self.urlCode(error) == -995 else { return }
    emit(TaskRejected(session: session, type: type, rejection: .missingContainer))
  }

  private static func end(_ error: AppleError) -> AttemptEnd {
    if error.isCancellation { return .cancelled }
    return error.isTimeout ? .timeout : .transport
  }

  /// The code of an error of NSURLErrorDomain. Lines without a domain have the numbers of that domain.
  private static func urlCode(_ error: AppleError) -> Int? {
    error.domain == .url || error.domain == nil ? error.code : nil
  }

  private static func name(_ error: AppleError) -> String? { urlCode(error).flatMap(URLErrorNames.name) }

  private static func phase(_ error: AppleError) -> AttemptPhase? { urlCode(error).flatMap(ForeignFailure.phase(url:)) }

  private func connection(_ number: Int64, _ entry: AppleEntry) -> CorrelationID {
    var hash = NameHash()
    let launch = log.launches[entry.writer]
    for word in [launch.high, launch.low, UInt64(bitPattern: number)] { hash.add(word: word) }
    return CorrelationID(hash.value)
  }

  // MARK: Sessions, processes and libraries

  private mutating func observe(session: String, _ kind: SessionKind?) {
    if observedSessions.count >= Self.sessionLimit { observedSessions.removeAll() }
    guard observedSessions.insert(session).inserted else { return }
    emit(SessionObserved(session: session, sessionKind: kind))
    introductions += 1
  }

  /// The name of a message's session: its identifier if another line tells it, else its UUID.
  private func session(_ entry: AppleEntry) -> String {
    TaskPlans.name(entry.text(.ident)) ?? entry.message.session.map { log.plans.sessionNames[$0] ?? $0.text }
      ?? Self.backgroundSession
  }

  /// The number of sessions that are remembered.
  private static let sessionLimit = 1 << 14

  /// The names of sessions that a line does not name.
  private static let (backgroundSession, unnamedSession) = ("an unnamed session", "unnamed")

  private mutating func translateOther(_ entry: AppleEntry) {
    let message = entry.message
    switch entry.meaning {
    case .sessionAsked, .sessionReconnecting: observe(session: session(entry), .background)
    case .sessionMade, .daemonSession, .sessionNamed, .sessionSeen:
      if message.session != nil || TaskPlans.name(entry.text(.ident)) != nil {
        observe(session: session(entry), .background)
      }
    case .sessionConnected, .sessionReconnected:
      observe(session: session(entry), .background)
      emit(SessionConnected(session: session(entry)))
    case .sessionFailed, .sessionLocked:
      observe(session: session(entry), .background)
      emit(
        SessionConnectFailed(
          session: session(entry), domain: entry.error?.domain, error: entry.error?.code,
          errorName: entry.meaning == .sessionLocked ? "deviceLocked" : nil))
    case .duplicateSession:
      observe(session: session(entry), .background)
      emit(SessionReused(session: session(entry)))
    case .daemonInterrupted, .daemonInvalidated:
      observe(session: session(entry), .background)
      emit(LinkDisconnected(reason: entry.meaning == .daemonInterrupted ? "interrupted" : "invalidated"))
    case .taskUnavailable, .taskNotMade:
      observe(session: session(entry), .background)
      emit(TaskCreationFailed(session: session(entry)))
    case .taskInInvalidSession:
      if message.session != nil { observe(session: session(entry), .background) }
      emit(
        TaskRejected(session: message.session.map { _ in session(entry) } ?? Self.unnamedSession, rejection: .invalidSession))
    case .taskInvalid:
      observe(session: session(entry), .background)
      let isData = entry.contains("resume data")
      emit(TaskRejected(session: session(entry), rejection: isData ? .resumeDataInvalid : .unsupportedScheme))
    case .handlerInBackground: emit(TaskRejected(session: Self.backgroundSession, rejection: .completionHandlerInBackground))
    case .bodyInBackground: emit(TaskRejected(session: Self.backgroundSession, rejection: .bodyFromMemory))
    case .background: emit(ProcessStateChanged(state: .background))
    case .foreground: emit(ProcessStateChanged(state: .foreground))
    case .woken:
      observe(session: session(entry), .background)
      emit(WakeDelivered(session: session(entry), handler: handler("wake")))
    case .handlerNeverCalled:
      let handler = handler("wake")
      emit(WakeDelivered(session: Self.backgroundSession, handler: handler))
      emit(WakeHandlerReleased(session: Self.backgroundSession, handler: handler, uncalled: true))
    case .sourceUnreadable:
      emit(
        DiskOpenFailed(file: file(entry), osError: entry.integer(.posix).map { Int(clamping: $0) } ?? 1, exists: true)
      )
    case .timeOverdue:
      emit(AssertionOverdue(assertion: assertion(entry), name: assertionName(entry), elapsed: .seconds(30)))
    case .timeNotEnded:
      emit(AssertionExpired(assertion: assertion(entry), name: assertionName(entry), unended: true))
    case .assertionTimedOut:
      let target = ProcessTarget(entry.text(.target) ?? Self.subject(entry.text))
      emit(ProcessAssertionTimedOut(launch: launch(target), pid: target.pid, executable: target.name))
    case .launchFailed:
      let target = ProcessTarget(entry.text(.target) ?? "")
      emit(ProcessLaunchFailed(launch: launch(target), pid: target.pid, executable: target.name))
    case .userQuit:
      let target = ProcessTarget(entry.text(.target) ?? "")
      emit(ProcessExitObserved(launch: launch(target), exitReason: .userQuit, by: .user, executable: target.name))
    case .suspended:
      let target = ProcessTarget(entry.text(.target) ?? "")
      emit(ProcessStateChanged(launch: launch(target), state: .suspended))
    case .exited, .crashed: observeExit(entry)
    case .watchdogWithheld: emit(ProcessWatchdogWithheld(name: entry.text(.watchdog)))
    case .libraryFailed: failUnnamed(entry.error)
    case .connectionFailed: failConnection(TaskPlans.error(entry))
    case .errorPrinted: if let error = entry.error, !entry.isInSentence, !log.plans.contains(error) { failUnnamed(error) }
    case .libraryInvalidated: emit(SessionInvalidated(session: Self.unnamedSession))
    default: break
    }
  }

  /// The process at the beginning of a line such as `App[55] has active assertions beyond permitted time`.
  private static func subject(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    return words.prefix { $0 != "has" }.joined(separator: " ")
  }

  /// Emits the end of a process that a line of the system tells of.
  private mutating func observeExit(_ entry: AppleEntry) {
    var target = ProcessTarget(entry.text(.target).flatMap { $0.isEmpty ? nil : $0 } ?? entry.text)
    if let pid = entry.integer(.pid) {
      target = ProcessTarget(name: entry.text(.proc).map(ProcessTarget.program), pid: Int(clamping: pid))
    }
    guard target.name != nil || target.pid != nil else { return }
    let end = entry.meaning == .crashed ? ProcessEnd(.crashed) : ProcessEnd(entry.text(.reason) ?? entry.text)
    emit(
      ProcessExitObserved(
        launch: launch(target), pid: target.pid, signal: end.signal, exitReason: end.reason, executable: target.name))
  }

  private func file(_ entry: AppleEntry) -> String? {
    if let file = entry.text(.file) { return file }
    guard let text = entry.text(.err), let start = text.range(of: "NSFilePath=") else { return nil }
    return String(text[start].prefix { $0 != "," && $0 != "}" })
  }

  private func assertion(_ entry: AppleEntry) -> CorrelationID {
    CorrelationID(UInt64(clamping: entry.integer(.id) ?? 0))
  }

  private func assertionName(_ entry: AppleEntry) -> String? {
    // The name is in parentheses and quotation marks, and may contain others.
    var name = (entry.text(.name) ?? "").drop { $0 == " " }
    if name.hasPrefix("("), name.hasSuffix(")") { name = name.dropFirst().dropLast() }
    if name.hasPrefix("\""), name.hasSuffix("\""), name.count > 1 { name = name.dropFirst().dropLast() }
    return name.isEmpty ? entry.text(.id).map { "background task \($0)" } : String(name)
  }

  /// Completes the task of an `NSURLConnection`: one whose load failed with the same error.
  private mutating func failConnection(_ error: AppleError?) {
    let place = failed.firstIndex { $0.loadError?.code == error?.code && !$0.track.isCompleted }
    guard let place, let error else { return failUnnamed(error) }
    let plan = failed.remove(at: place)
    var track = plan.track
    complete(plan.completed(error), plan.identity, plan, &track)
    plan.track = track
  }

  /// Emits the failure of a task that the line does not name.
  private mutating func failUnnamed(_ error: AppleError?) {
    guard let entry, let error, let code = error.code else { return }
    unnamed &+= 1
    var hash = NameHash()
    hash.add("unnamed \(number) \(entry.line)")
    let task = TaskIdentity(uid: TaskUID(high: hash.value, low: entry.line), session: Self.unnamedSession, number: unnamed)
    reject(error, session: task.session, type: error.type)
    emit(TaskCompleted(task: task, domain: error.domain, error: code, errorName: Self.name(error), cancelReason: error.reason))
  }

  /// Returns the process that a line of the system is about: one that wrote to the log itself, or one that only such lines name.
  private func launch(_ target: ProcessTarget) -> LaunchID? {
    guard target.pid != nil || target.name != nil else { return nil }
    if let known = log.writers.first(where: { writer in
      guard let name = target.name, writer.name == name else { return writer.pid != nil && writer.pid == target.pid }
      return writer.pid == nil || target.pid == nil || writer.pid == target.pid
    }) {
      return known.launch
    }
    return AppleWriter(name: target.name, pid: target.pid, clock: .none, input: nil).launch
  }
}

extension String {
  /// Returns the range behind the first occurrence of a text, up to the end.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return index(start, offsetBy: text.count)..<endIndex }
      start = index(after: start)
    }
    return nil
  }
}
