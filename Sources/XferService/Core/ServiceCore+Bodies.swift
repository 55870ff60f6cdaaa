import Foundation
import XferEngine
import XferEvents

// Bodies in the spool that are not what they were.
extension ServiceCore {
  /// A body that is lost as often as this is not fetched again.
  static let greatestRefetches = 3

  /// Keeps what it takes to go on; a file that is another one than before has no bytes that are certain to be on the disk.
  mutating func noteResumable(_ uid: TaskUID, _ data: Data) {
    guard let task = tasks[uid] else { return }
    let inode = TransferSession.partialFile(ofResumeData: data)?.inode
    let known = [task.resumeData, task.new.resumeData].compactMap { $0.flatMap(TransferSession.partialFile(ofResumeData:)) }
    if let same = known.first(where: { $0.inode == inode }) {
      tasks[uid]?.durable = task.durable ?? same.offset
    } else {
      tasks[uid]?.durable = nil
    }
    tasks[uid]?.resumeData = data
  }

  mutating func noteDurable(_ uid: TaskUID, _ length: Int64, _ effects: inout [Effect]) {
    guard let task = tasks[uid], task.standing != .ended, length > task.durable ?? 0 else { return }
    tasks[uid]!.durable = length
    effects.append(.storeTask(uid))
  }

  /// After a stop of the machine nobody can say whether an app had taken a file that is missing: it is fetched again.
  mutating func forgetMissingBodies(exists: (String) -> Bool) {
    for task in tasks.all {
      guard let uid = TaskUID(task.new.uid) else { continue }
      for place in task.pending.indices {
        if let body = task.pending[place].record, !exists(body.path) { tasks[uid]?.pending[place].wasSent = false }
      }
    }
  }

  /// Has the files of a task looked at before anything of it is delivered.
  ///
  /// - Parameter unsent: callbacks that were on their way and were not sent.
  mutating func verify(_ uid: TaskUID, unsent: [UInt64], _ effects: inout [Effect]) {
    guard let task = tasks[uid] else { return }
    for place in task.pending.indices where unsent.contains(task.pending[place].id) {
      tasks[uid]!.pending[place].wasSent = false
    }
    unverified.insert(uid)
    effects += [.storeTask(uid), .verify(uid)]
  }

  /// Delivers what waited for the verdict.
  ///
  /// - Parameter bodies: the files as they are now: a copy that was restored has another inode.
  mutating func noteVerified(_ uid: TaskUID, _ bodies: [BodyRecord], _ effects: inout [Effect]) {
    guard unverified.remove(uid) != nil, let task = tasks[uid] else { return }
    for place in task.pending.indices {
      guard let record = task.pending[place].record, let body = bodies.first(where: { $0.path == record.path }), body != record
      else { continue }
      tasks[uid]!.pending[place].body = body
      if case .file(let path, _, _, let response) = task.pending[place].content {
        tasks[uid]!.pending[place].content = .file(
          path: path, inode: body.inode ?? 0, size: body.size ?? 0, response: response)
      }
      effects.append(.storeTask(uid))
    }
    if let link = awakeLink(of: task.key) { deliver(tasks[uid] ?? task, to: link, &effects) }
  }

  /// Has a task whose body is lost do its work again or, where its request may not be made again, end with an error.
  mutating func replaceBodies(_ uid: TaskUID, _ problem: String, _ effects: inout [Effect], _ now: Int64) {
    unverified.remove(uid)
    guard let task = tasks[uid], task.standing == .ended, !task.bodies.isEmpty else { return }
    for body in task.bodies { effects.append(.remove(body.record.path)) }
    let count = task.refetches ?? 0
    if task.isReplayable, count < Self.greatestRefetches {
      (tasks[uid]!.pending, tasks[uid]!.standing, tasks[uid]!.refetches) = ([], .running, count + 1)
      (tasks[uid]!.received, tasks[uid]!.sent, tasks[uid]!.resumeData, tasks[uid]!.durable) = (0, 0, nil, nil)
      tasks[uid]!.new.resumeData = nil
      sayLost(task, "\(problem); it is fetched again", &effects)
      effects.append(.storeTask(uid))
      return settle(uid, &effects, now)
    }
    sayLost(task, "\(problem); it cannot be fetched again", &effects)
    let error = TransferError(
      .cannotReadBody, domain: .xfer, number: 12, stage: .file,
      problem: "the transfer had ended and its body was lost before the app took it: \(problem)")
    var outcome = TransferredOutcome(
      error: nil, response: nil, received: task.received, sent: task.sent, resumeData: nil)
    for case .completion(let told) in task.pending.map(\.content) { outcome = told }
    outcome.error = TransferredError(error)
    tasks[uid]!.pending = []
    queue(.completion(outcome), for: uid, &effects)
    considerWake(task.key, &effects, now)
  }

  private func sayLost(_ task: CarriedTask, _ text: String, _ effects: inout [Effect]) {
    effects.append(
      .emit(
        MessageError(
          subsystem: "xferd", category: "spool",
          eventMessage: "the body of task \(task.new.uid, privacy: .public) is not delivered: \(text, privacy: .public)")))
  }

  /// Lets tasks go on whose session was lost with its row, and is known again.
  mutating func beginWaiting(_ identifier: String, _ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let app = links[link]?.app else { return }
    for task in tasks.tasks(of: SessionKey(app: app, identifier: identifier)) where task.standing == .running {
      if let uid = TaskUID(task.new.uid), !going.contains(uid) { settle(uid, &effects, now) }
    }
  }
}
