import Foundation
import XferEngine
import XferEvents

// What apps ask for.
extension ServiceCore {
  mutating func take(_ message: AppMessage, _ file: ProgramFile?, from link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let app = links[link]?.app else { return }
    switch message {
    case .hello: break
    case .register(let program): register(program, file, link, &effects, now)
    case .openSession(let opened): open(opened, link, &effects, now)
    case .createTask(let new): create(new, app, link, &effects)
    case .resume(let uid): resume(uid, app, &effects)
    case .suspend(let uid):
      guard let (uid, _) = running(uid, app) else { return }
      tasks[uid]!.standing = .suspended
      effects += [.storeTask(uid), .suspend(uid)]
    case .cancel(let text, let forResumeData): cancel(text, forResumeData, app, &effects, now)
    case .acknowledge(let id): acknowledge(id, app, &effects)
    case .invalidate(let identifier): invalidate(SessionKey(app: app, identifier: identifier), &effects)
    case .handlerCalled(let handler): noteHandlerCalled(HandlerID(handler), app, &effects, now)
    case .stateChanged(let standing): if standing == .foreground { limiters[app]?.reset() }
    }
  }

  private mutating func register(
    _ program: Program, _ file: ProgramFile?, _ link: LinkID, _ effects: inout [Effect], _ now: Int64
  ) {
    guard let app = links[link]?.app, let file else { return }
    links[link]!.isRegistered = true
    let carried = CarriedApp(name: app, program: program, device: file.device, inode: file.inode)
    apps[app] = carried
    effects.append(.storeApp(app))
    for key in sessions.keys.sorted() where key.app == app {
      if wakes[key] == nil { considerWake(key, &effects, now) } else { advance(key, &effects, now) }
    }
  }

  private mutating func open(_ opened: OpenedSession, _ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let app = links[link]?.app else { return }
    let key = SessionKey(app: app, identifier: opened.identifier)
    if let other = self.link(of: key), other != link {
      effects.append(.send(link, .sessionRefused(session: opened.identifier, reason: "another process of this program has it")))
      return
    }
    var session = sessions[key] ?? CarriedSession(key: key, settings: opened.settings)
    (session.settings, session.isEnding) = (opened.settings, false)
    sessions[key] = session
    links[link]!.sessions.insert(opened.identifier)
    let tasks = tasks.tasks(of: key)
    let waiting = self.tasks.pending(of: key)
    effects += [
      .storeSession(key),
      .send(
        link,
        .sessionOpened(
          SessionInventory(
            identifier: opened.identifier, instance: opened.instance, tasks: tasks.map(\.known), lastNumber: session.lastNumber,
            pending: waiting))),
    ]
    if waiting > 0 { draining[key] = draining[key] ?? .some(nil) }
    for task in tasks { deliver(task, to: link, &effects) }
    finishDraining(key, &effects)
  }

  private mutating func create(_ new: NewTask, _ app: String, _ link: LinkID, _ effects: inout [Effect]) {
    let key = SessionKey(app: app, identifier: new.session)
    guard let uid = TaskUID(new.uid), tasks[uid] == nil, sessions[key] != nil else { return }
    tasks[uid] = CarriedTask(new, app: app)
    sessions[key]!.lastNumber = max(sessions[key]!.lastNumber, new.number)
    effects += [.storeTask(uid), .storeSession(key)]
  }

  private func running(_ text: String, _ app: String) -> (TaskUID, CarriedTask)? {
    guard let uid = TaskUID(text), let task = tasks[uid], task.app == app, task.standing == .running else { return nil }
    return (uid, task)
  }

  private mutating func resume(_ text: String, _ app: String, _ effects: inout [Effect]) {
    guard let uid = TaskUID(text), let task = tasks[uid], task.app == app, task.standing == .suspended else { return }
    tasks[uid]!.standing = .running
    effects += [.storeTask(uid), .carry(uid)]
  }

  private mutating func cancel(
    _ text: String, _ forResumeData: Bool, _ app: String, _ effects: inout [Effect], _ now: Int64
  ) {
    guard let uid = TaskUID(text), let task = tasks[uid], task.app == app, task.standing != .ended else { return }
    if task.standing == .running {
      effects.append(.cancel(uid, forResumeData: forResumeData))
      return
    }
    // Nobody carries it yet.
    let error = TransferError(.cancelled, domain: .curl, number: 42, stage: .creation, problem: "the task was cancelled")
    effects += take(
      .ended(
        uid,
        TransferredOutcome(
          error: TransferredError(error), response: nil, received: 0, sent: 0,
          resumeData: forResumeData ? task.resumeData ?? task.new.resumeData : nil)), now: now)
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
      // Whose acknowledgements were lost with a daemon.
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

  // MARK: The end of a connection

  mutating func unlink(_ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let gone = links.removeValue(forKey: link) else { return }
    effects.append(
      .emit(LinkDisconnected(peer: gone.launch, generation: Int64(bitPattern: generation), reason: "closed")))
    for identifier in gone.sessions { draining[SessionKey(app: gone.app, identifier: identifier)] = nil }
    for (key, wake) in wakes {
      if case .delivered(link, _) = wake.step { wakes[key] = nil }
    }
    // Of a process that was launched from here the end is still to come.
    if children[gone.pid] != nil { return }
    for key in sessions.keys.sorted() where key.app == gone.app { considerWake(key, &effects, now) }
  }

  /// Tells the app that it has all that waited.
  mutating func finishDraining(_ key: SessionKey, _ effects: inout [Effect]) {
    guard let handler = draining[key], tasks.pending(of: key) == 0, let link = link(of: key) else { return }
    draining[key] = nil
    effects.append(.send(link, .eventsFinished(session: key.identifier, handler: handler)))
  }
}
