import Foundation
import XferEngine
import XferEvents

// Handling of missing or changed files in the spool.
extension ServiceCore {
  /// The maximum number of times that a lost body is downloaded again.
  static let maximumRefetches = 3

  /// Stores the resume data of a task. When the data names a different file, the durable length of the previous file is
  /// discarded.
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

  /// Marks callbacks with missing files as unsent after a reboot. Without the files, the daemon cannot know whether the app
  /// took them, so they are downloaded again.
  mutating func forgetMissingBodies(exists: (String) -> Bool) {
    for task in tasks.all {
      guard let uid = TaskUID(task.new.uid) else { continue }
      for place in task.pending.indices {
        if let body = task.pending[place].record, !exists(body.path) { tasks[uid]?.pending[place].wasSent = false }
      }
    }
  }

  /// Starts a verification of a task's files and holds back its callbacks until the result arrives.
  ///
  /// - Parameter unsent: The IDs of callbacks that were marked as sent but withheld.
  mutating func verify(_ uid: TaskUID, unsent: [UInt64], _ effects: inout [Effect]) {
    guard let task = tasks[uid] else { return }
    for place in task.pending.indices where unsent.contains(task.pending[place].id) {
      tasks[uid]!.pending[place].wasSent = false
    }
    unverified.insert(uid)
    effects += [.storeTask(uid), .verify(uid)]
  }

  /// Delivers the callbacks of a task whose files passed verification.
  ///
  /// - Parameter bodies: The current state of the files. A file restored from a backup has a new inode.
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

  /// Repeats a task whose body was lost, or ends it with an error when its request cannot be repeated safely.
  mutating func replaceBodies(_ uid: TaskUID, _ problem: String, _ effects: inout [Effect], _ now: Int64) {
    unverified.remove(uid)
    guard let task = tasks[uid], task.standing == .ended, !task.bodies.isEmpty else { return }
    for body in task.bodies { effects.append(.remove(body.record.path)) }
    let count = task.refetches ?? 0
    if task.isReplayable, count < Self.maximumRefetches {
      (tasks[uid]!.pending, tasks[uid]!.standing, tasks[uid]!.refetches) = ([], .running, count + 1)
      (tasks[uid]!.received, tasks[uid]!.sent, tasks[uid]!.resumeData, tasks[uid]!.durable) = (0, 0, nil, nil)
      tasks[uid]!.new.resumeData = nil
      emitLostBody(task, "\(problem); it is downloaded again", &effects)
      effects.append(.storeTask(uid))
      return settle(uid, &effects, now)
    }
    emitLostBody(task, "\(problem); its request cannot be repeated", &effects)
    let error = TransferError(
      .cannotReadBody, domain: .xfer, number: 16, stage: .file,
      problem: "the transfer finished, but its body was lost before the app received it: \(problem)")
    var outcome = TransferredOutcome(
      error: nil, response: nil, received: task.received, sent: task.sent, resumeData: nil)
    for case .completion(let told) in task.pending.map(\.content) { outcome = told }
    outcome.error = TransferredError(error)
    tasks[uid]!.pending = []
    queue(.completion(outcome), for: uid, &effects)
    considerWake(task.key, &effects, now)
  }

  private func emitLostBody(_ task: CarriedTask, _ text: String, _ effects: inout [Effect]) {
    effects.append(
      .emit(
        MessageError(
          subsystem: "xferd", category: "spool",
          eventMessage: "the body of task \(task.new.uid, privacy: .public) is not delivered: \(text, privacy: .public)")))
  }

  /// Starts the waiting tasks of a session whose stored settings were lost, after the app opens the session again.
  mutating func beginWaiting(_ identifier: String, _ link: LinkID, _ effects: inout [Effect], _ now: Int64) {
    guard let app = links[link]?.app else { return }
    for task in tasks.tasks(of: SessionKey(app: app, identifier: identifier)) where task.standing == .running {
      if let uid = TaskUID(task.new.uid), !going.contains(uid) { settle(uid, &effects, now) }
    }
  }
}
