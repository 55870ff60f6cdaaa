import Foundation
import XferEngine
import XferEvents

// Handling of messages from apps.
extension ServiceCore {
  mutating func take(_ message: AppMessage, _ file: ProgramFile?, from link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let app = links[link]?.app else { return }
    switch message {
    case .hello: break
    case .register(let program, let isSuspendable):
      links[link]!.standing.isSuspendable = isSuspendable
      register(program, file, link, &effects, now)
    case .openSession(let opened): open(opened, link, &effects, now)
    case .createTask(let new): create(new, app, &effects, now)
    case .describe(let change): describe(change, app, &effects)
    case .resume(let uid): resume(uid, app, &effects, now)
    case .suspend(let uid):
      guard let (uid, _) = running(uid, app) else { return }
      tasks[uid]!.standing = .suspended
      effects.append(.storeTask(uid))
      settle(uid, &effects, now)
    case .cancel(let text, let forResumeData): cancel(text, forResumeData, app, &effects, now)
    case .acknowledge(let id): acknowledge(id, app, &effects)
    case .refuseDelivery(let id, let reason):
      if let uid = tasks.owner(ofDelivery: id), tasks[uid]?.app == app {
        failDelivery(id, "the app rejected it: \(reason)", &effects)
      }
    case .invalidate(let identifier):
      invalidate(SessionKey(app: app, identifier: identifier), &effects)
      openWaiting(&effects, now)
    case .handlerCalled(let handler): noteHandlerCalled(HandlerID(handler), app, &effects, now)
    case .report(let report): take(report, link, &effects, now)
    case .challengeAnswered(let answer): take(answer, app, &effects, now)
    case .delayAnswered(let answer): take(answer, app, &effects, now)
    case .command(let command): perform(command, link, &effects, now)
    }
  }

  private mutating func register(
    _ program: Program, _ file: ProgramFile?, _ link: LinkID, _ effects: inout [Effect], _ now: Int64
  ) {
    guard let app = links[link]?.app, let file else { return }
    links[link]!.isRegistered = true
    var carried = apps[app] ?? CarriedApp(name: app, program: program, file: file)
    (carried.program, carried.file) = (program, file)
    // A process that was not launched in the background was opened by the user, so the app no longer counts as force-quit.
    if children[links[link]!.pid]?.isUnattended != true { carried.isQuit = false }
    apps[app] = carried
    effects.append(.storeApp(app))
    for fired in firedTriggers.removeValue(forKey: app) ?? [] {
      effects.append(.send(link, .notice(.triggerFired(fired.number, fired.trigger))))
    }
    for key in sessions.keys.sorted() where key.app == app {
      if wakes[key] == nil { considerWake(key, &effects, now) } else { advance(key, &effects, now) }
    }
  }

  private mutating func open(_ opened: OpenedSession, _ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let app = links[link]?.app else { return }
    let key = SessionKey(app: app, identifier: opened.identifier)
    if let other = self.link(of: key), other != link {
      // The other process may have ended while its last messages are still unread, so this request waits.
      let deadline = now.addingClamped(Self.takeover)
      waitingOpens.append(WaitingOpen(link: link, opened: opened, deadline: deadline))
      return effects.append(.wakeAt(deadline))
    }
    var session = sessions[key] ?? CarriedSession(key: key, settings: opened.settings)
    (session.settings, session.isEnding) = (opened.settings, false)
    sessions[key] = session
    links[link]!.sessions.insert(opened.identifier)
    let tasks = tasks.tasks(of: key)
    let waiting = self.tasks.pending(of: key)
    effects.append(.storeSession(key))
    let parts = SessionInventory.parts(of: tasks.map(\.known))
    for part in parts.dropLast() { effects.append(.send(link, .sessionTasks(session: opened.identifier, tasks: part))) }
    effects.append(
      .send(
        link,
        .sessionOpened(
          SessionInventory(
            identifier: opened.identifier, instance: opened.instance, tasks: parts.last ?? [], lastNumber: session.lastNumber,
            pending: waiting))))
    if waiting > 0 { draining[key] = draining[key] ?? .some(nil) }
    if links[link]?.standing.takesCallbacks ?? false { for task in tasks { deliver(task, to: link, &effects) } }
    for challenge in challenges(of: key) { effects.append(.send(link, .challenge(challenge))) }
    finishDraining(key, &effects)
    beginWaiting(opened.identifier, link, &effects, now)
  }

  /// The time in nanoseconds that a process has to close a session that another process of its program wants to open.
  private static let takeover: Int64 = 2_000_000_000

  /// Opens sessions that another process has closed, and refuses requests whose deadline has passed.
  mutating func openWaiting(_ effects: inout [Effect], _ now: Int64) {
    let waiting = waitingOpens
    waitingOpens = []
    for open in waiting {
      guard let app = links[open.link]?.app else { continue }
      let key = SessionKey(app: app, identifier: open.opened.identifier)
      guard let holder = link(of: key) else {
        self.open(open.opened, open.link, &effects, now)
        continue
      }
      if now >= open.deadline {
        effects.append(
          .send(
            open.link,
            .sessionRefused(
              session: key.identifier, reason: "another process of this program has the session open",
              holder: links[holder]?.launch.map { "\($0)" })))
      } else {
        waitingOpens.append(open)
      }
    }
  }

  /// The maximum number of tasks. Further tasks are cancelled for lack of resources.
  private static let maximumTaskCount = 100_000

  private mutating func create(_ new: NewTask, _ app: String, _ effects: inout [Effect], _ now: Int64) {
    let key = SessionKey(app: app, identifier: new.session)
    guard let uid = TaskUID(new.uid), tasks[uid] == nil, sessions[key] != nil else { return }
    let isTooMany = tasks.count >= Self.maximumTaskCount
    tasks[uid] = CarriedTask(new, app: app)
    sessions[key]!.lastNumber = max(sessions[key]!.lastNumber, new.number)
    effects += [.storeTask(uid), .storeSession(key)]
    if isTooMany { cancel(uid, because: .insufficientResources, by: .daemon, &effects, now) }
  }

  private mutating func describe(_ change: TaskDescription, _ app: String, _ effects: inout [Effect]) {
    guard let uid = TaskUID(change.uid), tasks[uid]?.app == app else { return }
    tasks[uid]!.new.apply(change)
    effects.append(.storeTask(uid))
  }

  private func running(_ text: String, _ app: String) -> (TaskUID, CarriedTask)? {
    guard let uid = TaskUID(text), let task = tasks[uid], task.app == app, task.standing == .running else { return nil }
    return (uid, task)
  }

  private mutating func resume(_ text: String, _ app: String, _ effects: inout [Effect], _ now: Int64) {
    guard let uid = TaskUID(text), let task = tasks[uid], task.app == app, task.standing == .suspended else { return }
    tasks[uid]!.standing = .running
    tasks[uid]!.resumedAt = task.resumedAt ?? now + wallLead
    effects.append(.storeTask(uid))
    if mayWork(app) {
      settle(uid, &effects, now)
    } else {
      cancel(uid, because: .backgroundUpdatesDisabled, by: .policy, &effects, now)
    }
  }

  private mutating func cancel(
    _ text: String, _ forResumeData: Bool, _ app: String, _ effects: inout [Effect], _ now: Int64
  ) {
    guard let uid = TaskUID(text), let task = tasks[uid], task.app == app, task.standing != .ended else { return }
    stop(uid, forResumeData: forResumeData, &effects, now)
  }

  /// Cancels a task in the engine, or ends it directly when it has not been started.
  private mutating func stop(_ uid: TaskUID, forResumeData: Bool, _ effects: inout [Effect], _ now: Int64) {
    guard let task = tasks[uid] else { return }
    if carried.contains(uid) { return effects.append(.cancel(uid, forResumeData: forResumeData)) }
    let error = TransferError(.cancelled, domain: .curl, number: 42, stage: .creation, problem: "the task was cancelled")
    endUncarried(uid, error, forResumeData ? task.resumeData ?? task.new.resumeData : nil, &effects, now)
  }

  /// Cancels a task on behalf of the system or the user, not of its app.
  mutating func cancel(
    _ uid: TaskUID, because reason: CancelReason, by actor: Actor, _ effects: inout [Effect], _ now: Int64
  ) {
    guard let task = tasks[uid], task.standing != .ended, cancelling[uid] == nil, let identity = identity(task) else { return }
    cancelling[uid] = reason
    effects.append(.emit(TaskCancelRequested(task: identity, by: actor, cancelReason: reason)))
    stop(uid, forResumeData: true, &effects, now)
  }

  private mutating func acknowledge(_ id: UInt64, _ app: String, _ effects: inout [Effect]) {
    guard let uid = tasks.owner(ofDelivery: id), let task = tasks[uid], task.app == app,
      let place = task.pending.firstIndex(where: { $0.id == id })
    else { return }
    limiters[app]?.noteProgress()
    let content = tasks[uid]!.pending.remove(at: place).content
    switch content {
    case .file(let path, _, _, _), .body(let path): effects += [.storeTask(uid), .remove(path)]
    case .completion:
      if let identity = identity(task) { effects.append(.emit(TaskForgotten(task: identity, forgotten: .acknowledged))) }
      // The acknowledgement of the completion also removes the files of earlier callbacks whose acknowledgements were lost in a
      // daemon restart.
      for case .file(let path, _, _, _) in tasks[uid]!.pending.map(\.content) { effects.append(.remove(path)) }
      for case .body(let path) in tasks[uid]!.pending.map(\.content) { effects.append(.remove(path)) }
      tasks[uid] = nil
      effects.append(.storeTask(uid))
    }
    finishDraining(task.key, &effects)
    dropIfEnded(task.key, &effects)
  }

  private mutating func invalidate(_ key: SessionKey, _ effects: inout [Effect]) {
    guard sessions[key] != nil else { return }
    sessions[key]!.isEnding = true
    effects.append(.storeSession(key))
    for link in links.keys where links[link]!.app == key.app { links[link]!.sessions.remove(key.identifier) }
    dropIfEnded(key, &effects)
  }

  private mutating func dropIfEnded(_ key: SessionKey, _ effects: inout [Effect]) {
    guard sessions[key]?.isEnding ?? false, tasks.isEmpty(key) else { return }
    sessions[key] = nil
    effects.append(.storeSession(key))
  }

  // MARK: Disconnection

  mutating func unlink(_ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let gone = links.removeValue(forKey: link) else { return }
    effects.append(
      .emit(LinkDisconnected(peer: gone.launch, generation: Int64(bitPattern: generation), reason: "closed")))
    noteRunning(gone.pid, gone.app, &effects)
    // The process can no longer receive `eventsFinished` for its sessions. This precedes `openWaiting`, which opens the sessions
    // for other processes, because those may be sent `eventsFinished`.
    for identifier in gone.sessions { draining[SessionKey(app: gone.app, identifier: identifier)] = nil }
    openWaiting(&effects, now)
    for (key, wake) in wakes {
      if case .delivered(link, _) = wake.step { wakes[key] = nil }
    }
    for uid in delayQuestions.filter({ $0.value == link }).keys.inOrder() { settle(uid, &effects, now) }
    // The exit of a launched process is reported separately when the process has ended.
    if children[gone.pid] != nil { return }
    if let reason = endings.removeValue(forKey: gone.pid) {
      effects.append(
        .emit(
          ProcessExitObserved(
            launch: gone.launch, pid: Int(gone.pid), exitReason: reason, by: .daemon, executable: gone.app)))
    }
    for key in sessions.keys.sorted() where key.app == gone.app { considerWake(key, &effects, now) }
  }

  /// Notifies the app that all events of a session were delivered, once no callback or challenge is pending. The completion of a task
  /// whose challenge was declined is pending, too, although the engine has not reported it yet.
  mutating func finishDraining(_ key: SessionKey, _ effects: inout [Effect]) {
    guard let handler = draining[key], tasks.pending(of: key) == 0, challenges(of: key).isEmpty,
      !declined.contains(where: { tasks[$0]?.key == key }), let link = awakeLink(of: key)
    else { return }
    draining[key] = nil
    effects.append(.send(link, .eventsFinished(session: key.identifier, handler: handler)))
  }
}
