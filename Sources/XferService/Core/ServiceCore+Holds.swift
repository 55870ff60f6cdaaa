import Foundation
import HTTPTypes
import XferEngine
import XferEvents

// Starting and holding tasks.
extension ServiceCore {
  /// Starts, suspends or holds a task in the engine, according to its state and the current conditions.
  mutating func settle(_ uid: TaskUID, _ effects: inout [Effect], _ now: Int64) {
    guard let task = tasks[uid], let identity = identity(task), task.standing == .running else {
      if going.remove(uid) != nil { effects.append(.suspend(uid)) }
      if let hold = holds.removeValue(forKey: uid), let identity = tasks[uid].flatMap(identity) {
        effects.append(.emit(TaskHoldEnded(task: identity, hold: hold)))
      }
      return
    }
    // An earlier daemon sent the request, and its response is lost.
    if task.wasSent ?? false, !carried.contains(uid), !task.new.isRepeatable(sessions[task.key]?.settings) {
      let error = TransferError.notRepeatable(task.new.request.method, "the daemon ended before it received the response")
      return endUncarried(uid, error, nil, &effects, now)
    }
    // The session's row was lost. Its tasks wait until the app opens the session again and sends its settings.
    if sessions[task.key] == nil { return }
    guard let hold = hold(of: task, uid, &effects, now) else {
      if let old = holds.removeValue(forKey: uid) { effects.append(.emit(TaskHoldEnded(task: identity, hold: old))) }
      if going.insert(uid).inserted {
        carried.insert(uid)
        effects.append(.carry(uid))
      }
      return
    }
    if let end = endOfTime(task), now >= end {
      let error = TransferError(
        .timedOut, domain: .curl, number: 28, stage: .creation,
        problem: "the resource timeout expired while the task was held (\(hold.reason.name))")
      return endUncarried(uid, error, task.resumeData ?? task.new.resumeData, &effects, now)
    }
    if let moment = [hold.until, endOfTime(task)].compactMap({ $0 }).min() { effects.append(.wakeAt(moment)) }
    guard holds[uid] != hold.reason else { return }
    if let old = holds[uid] { effects.append(.emit(TaskHoldEnded(task: identity, hold: old))) }
    holds[uid] = hold.reason
    effects.append(
      .emit(
        TaskHeld(
          task: identity, hold: hold.reason, delay: hold.until.map { .nanoseconds($0.subtractingClamped(now)) },
          until: hold.until.map { WallTime(nanoseconds: $0.addingClamped(wallLead)) })))
    if going.remove(uid) != nil { effects.append(.suspend(uid)) }
  }

  /// Returns the time at which a task's resource timeout expires, in nanoseconds of the core's clock. `nil` means that the task
  /// has no timeout.
  private func endOfTime(_ task: CarriedTask) -> Int64? {
    guard let limit = task.new.resourceTimeout, let resumed = task.resumedAt, limit < 1e9 else { return nil }
    return resumed.subtractingClamped(wallLead).addingClamped(Int64(max(0, limit) * 1e9))
  }

  private struct Hold {
    let reason: HoldReason
    /// The time at which the hold ends without an external event. `nil` when unknown.
    var until: Int64?
  }

  /// Returns the reason why a task must wait, or `nil` when it may start. A task has at most one reason.
  private mutating func hold(of task: CarriedTask, _ uid: TaskUID, _ effects: inout [Effect], _ now: Int64) -> Hold? {
    let isDiscretionary = sessions[task.key]?.settings.isDiscretionary ?? false || task.new.isFromBackground
    if isDiscretionary, !conditions.suitsDiscretionary { return Hold(reason: .discretionary) }
    // A task that was started in the engine has already passed the checks below.
    if carried.contains(uid) { return nil }
    if let hold = beginHold(task, uid, &effects, now) { return hold }
    let delay = limiters[task.app]?.delay(now: now) ?? 0
    if task.new.isFromBackground, delay > 0 { return Hold(reason: .wakeDelay, until: now + delay) }
    if conditions.isLocked, task.new.file != nil { return Hold(reason: .protectedData) }
    if let free = conditions.freeDisk, task.new.kind == .download, max(task.new.expectedToReceive, 1) > free {
      return Hold(reason: .diskSpace)
    }
    return nil
  }

  /// Returns the hold of a task until its earliest begin date has passed and, if its app is connected, until the app has answered
  /// whether the task may begin. Returns `nil` when the task may begin.
  private mutating func beginHold(_ task: CarriedTask, _ uid: TaskUID, _ effects: inout [Effect], _ now: Int64) -> Hold? {
    guard let date = task.new.earliestBegin, !task.hasBegun, abs(date) < 9e9 else { return nil }
    let moment = Int64(date * 1e9).subtractingClamped(wallLead)
    if now < moment { return Hold(reason: .beginDate, until: moment) }
    guard let link = awakeLink(of: task.key) else {
      delayQuestions[uid] = nil
      begin(uid, &effects)
      return nil
    }
    if delayQuestions.updateValue(link, forKey: uid) != link {
      effects.append(.send(link, .mayBegin(session: task.new.session, task: task.new.uid, number: task.new.number)))
    }
    return Hold(reason: .delayAnswer)
  }

  private mutating func begin(_ uid: TaskUID, _ effects: inout [Effect]) {
    tasks[uid]!.hasBegun = true
    effects.append(.storeTask(uid))
  }

  mutating func take(_ answer: DelayAnswer, _ app: String, _ effects: inout [Effect], _ now: Int64) {
    guard let uid = TaskUID(answer.task), let task = tasks[uid], task.app == app,
      delayQuestions.removeValue(forKey: uid) != nil
    else { return }
    // The app cancels a delayed request with a separate message, which arrives before this answer, so a cancellation needs no
    // handling here.
    if case .beginWith(let request) = answer.disposition { tasks[uid]!.new.request = request }
    begin(uid, &effects)
    settle(uid, &effects, now)
  }

  // MARK: Challenges

  func challenges(of key: SessionKey) -> [BackgroundChallenge] {
    challenges.values.filter { challenge in
      challenge.session == key.identifier && TaskUID(challenge.task).flatMap { tasks[$0] }?.app == key.app
    }.sorted { $0.id < $1.id }
  }

  mutating func ask(_ challenge: BackgroundChallenge, _ effects: inout [Effect], _ now: Int64) {
    guard let task = TaskUID(challenge.task).flatMap({ tasks[$0] }) else { return }
    challenges[challenge.id] = challenge
    // A server that asks for credentials has not carried out the request.
    if let uid = TaskUID(challenge.task) { noteSent(uid, false, &effects) }
    if let link = awakeLink(of: task.key) {
      effects.append(.send(link, .challenge(challenge)))
    } else {
      considerWake(task.key, &effects, now)
    }
  }

  mutating func take(_ answer: ChallengeAnswer, _ app: String, _ effects: inout [Effect], _ now: Int64) {
    guard let challenge = challenges[answer.id], let uid = TaskUID(challenge.task), let task = tasks[uid], task.app == app
    else { return }
    challenges[answer.id] = nil
    if answer.disposition == .cancel { declined.insert(uid) }
    effects.append(.answer(answer))
    finishDraining(task.key, &effects)
  }
}
