import XferEvents
import XferLifecycle
import XferReplay

// The steps by which a completion reaches the app.
extension WhyQuestion {
  var stages: [WhyAnswer.Stage] {
    guard task.wireEnd != nil || task.completed != nil, task.handedOff == nil else { return [] }
    var stages = [WhyAnswer.Stage(name: .transferred, callback: nil, fact: task.wireEnd)]
    if let file = task.fileDelivery { stages += self.stages(of: file, hasFile: true) }
    stages += self.stages(of: task.completionDelivery, hasFile: false)
    stages.append(.init(name: .acknowledged, callback: nil, fact: task.acknowledged))
    // A log with the completion but without callbacks does not show the steps between them.
    if task.completed != nil, task.completionDelivery == nil { stages = [] }
    if let missing = stages.firstIndex(where: { $0.fact == nil }) { stages[missing].blame = blame(stages[missing]) }
    return stages
  }

  private func stages(of delivery: DeliveryLifecycle?, hasFile: Bool) -> [WhyAnswer.Stage] {
    let callback = delivery?.callback ?? .didComplete
    var stages = [
      WhyAnswer.Stage(name: .sent, callback: callback, fact: delivery?.sent ?? delivery?.received ?? delivery?.entered),
      WhyAnswer.Stage(name: .received, callback: callback, fact: delivery?.received ?? delivery?.entered),
      WhyAnswer.Stage(name: .entered, callback: callback, fact: delivery?.entered),
    ]
    if hasFile, !isFileUnwanted { stages.append(.init(name: .claimed, callback: callback, fact: task.file.claimed)) }
    stages.append(.init(name: .left, callback: callback, fact: delivery?.left))
    return stages
  }

  /// Whether the app left the file on purpose, because it is an error page.
  private var isFileUnwanted: Bool {
    guard task.file.claimed == nil, task.file.claimFailed == nil, let status = task.status else { return false }
    return status >= 400 && task.outcome != .success
  }

  private func delivery(of stage: WhyAnswer.Stage) -> DeliveryLifecycle? {
    stage.callback == .didFinishDownloading ? task.fileDelivery : task.completionDelivery
  }

  /// Returns why a step is missing. `nil` when the log does not say why.
  private func blame(_ stage: WhyAnswer.Stage) -> String? {
    let delivery = delivery(of: stage)
    if let dropped = delivery?.dropped { return "dropped" + (delivery?.dropReason.map { ": \($0.meaning)" } ?? "") + at(dropped) }
    switch stage.name {
    case .transferred: return nil
    case .sent: return unsent
    case .received, .entered:
      if let end = task.processEnd { return "the app's process ended" + whenEnded(end) }
      if let running = otherRunning {
        return "the app is still in another callback, \(running.callback.name)" + at(running.entered)
      }
      return owner.isSuspended ? "\(owner.label) is suspended" + (owner.stateChanged.map(at) ?? "") : nil
    case .claimed:
      if let failed = task.file.claimFailed {
        return "the app could not take over the file (errno \(task.file.claimError ?? 0))" + at(failed)
      }
      if task.file.offered == nil { return "no file was offered" }
      return delivery?.left == nil ? "the callback is still running" : "the callback returned without taking over the file"
    case .left:
      return task.processEnd.map { "the app's process ended in the callback" + whenEnded($0) } ?? "the callback is still running"
    case .acknowledged: return nil
    }
  }

  private var owner: ProcessLifecycle { task.owner.map { world.processes[$0] } ?? process }

  private func at(_ fact: Fact) -> String { fact.wall.map { ", at " + "\($0)".dropFirst(11).prefix(12) + "Z" } ?? "" }

  /// The time of a process's end, which is an interval if another process noticed the end.
  private func whenEnded(_ end: Fact) -> String {
    guard end.kind == .processExitObserved else { return at(end) }
    let after = world.processes.first { $0.exitObserved == end }?.endedAfter?.wall
    return EndTime(after: after, noticed: end.wall).text.map { ", " + $0 } ?? ""
  }

  /// A running callback of the task or of another task of its session, which delays the next callbacks; `nil` if no callback is
  /// running.
  private var otherRunning: TaskLifecycle.RunningCallback? {
    if let own = task.runningCallback { return own }
    return world.openTasks(ofSession: task.identity.session).lazy.compactMap { world.tasks[$0].runningCallback }.first
  }

  /// The reason why the callback was never sent, such as an app that is not running; `nil` if the log does not show a reason.
  private var unsent: String? {
    guard isBackground else { return task.processEnd.map { "the task's process ended" + whenEnded($0) } }
    let wake = world.wakes.last { $0.session == task.identity.session }
    if let wake, wake.delivered == nil {
      if let hold = wake.hold, wake.launched == nil {
        return "the wake of the app is held: \(hold.meaning)" + (wake.held.map(at) ?? "")
      }
      if let launched = wake.launched { return "the app was launched but has not received the wake" + at(launched) }
      if let wanted = wake.wanted { return "the daemon is waking the app, which is not running yet" + at(wanted) }
    }
    let connected = world.sessions.incarnations(of: task.identity.session).last { world.processes[$0.process].endFact == nil }
    if connected == nil { return "no running process has created session \(task.identity.session)" }
    if let down = owner.link.disconnected, owner.link.reconnected == nil {
      return "the app's connection to the daemon is down" + at(down)
    }
    return nil
  }

  // MARK: Unknowns

  var unknowns: [String] {
    var unknowns: [String] = []
    if task.created == nil { unknowns.append("how the task was created: the log begins later, or its beginning is missing") }
    if isBackground {
      if !story.roles.contains(.daemon) { unknowns.append("what the daemon did: its log is not among the inputs") }
      if !story.roles.contains(.app), !story.roles.contains(.engine) {
        unknowns.append("what the app did: its log is not among the inputs")
      }
    }
    unknowns += gaps + levels
    if !world.drops.isEmpty {
      let count = world.drops.values.reduce(Int64(0)) { $0.addingClamped($1) }
      unknowns.append("\(count.counted("event")) that could not be written")
    }
    if form == .waiting || form == .moving, task.requestTimeout ?? session?.requestTimeout == nil,
      task.resourceTimeout ?? session?.resourceTimeout == nil
    {
      unknowns.append("which timeouts apply: the log contains none for the task or its session")
    }
    if form == .waiting, !deciderIsKnown { unknowns.append("what the task waits for: the log gives no reason") }
    return unknowns
  }

  private var deciderIsKnown: Bool { conditions.contains { $0.standing == .unsatisfied } }

  /// Descriptions of the gaps since the task's creation in which events about the task may be missing.
  private var gaps: [String] {
    let concerned = Set([task.process, task.owner, task.carrier].compactMap(\.self).compactMap { world.processes[$0].launch })
    var texts: [String] = []
    for gap in world.gaps where gap.launch.map(concerned.contains) ?? true {
      switch gap.cause {
      case .torn: continue
      case .missingHead where task.created != nil: continue
      default: break
      }
      if let before = gap.before?.monotonic, let created = task.created, let start = created.monotonic, before < start,
        world.processes.contains(where: { $0.launch == gap.launch && $0.sharesClock(with: created) })
      {
        continue
      }
      let text = "which events a gap in \(gap.name) contained (\(gap.cause.name))"
      if !texts.contains(text) { texts.append(text) }
    }
    return texts
  }

  /// Descriptions of the events that the answer needs but that a writer's levels excluded.
  private var levels: [String] {
    let kinds: [EventKind] = [.taskHeld, .attemptStarted, .attemptEnded, .taskTransferred, .deliverySent, .deliveryEntered]
    let since = task.created ?? task.adopted
    var seen: Set<Int> = []
    return [task.process, task.owner, task.carrier].compactMap(\.self).filter { seen.insert($0).inserted }.compactMap { place in
      let process = world.processes[place]
      for kind in kinds {
        let start = since.flatMap { process.reading(of: $0) }
        let end = story.end.flatMap { process.sharesClock(with: $0) ? $0.monotonic : nil }
        guard let levels = process.levels.leavingOut(kind, from: start, to: end) else { continue }
        return "\(kind.name) and similar events: \(process.label) recorded only the levels \(levels.text)"
      }
      return nil
    }
  }
}
