package import XferEvents
package import XferLifecycle
package import XferReplay

/// The properties of a task that can be compared between two runs. Ids, ports and clocks differ between equal runs, so they are not
/// among them.
package struct TaskProfile: Sendable {
  package let identity: TaskIdentity
  /// The identifier of a background session, without its numbers; the kind of another session.
  package let role: String
  package let type: TaskType?
  package let method: String?
  package let host: String?
  package let path: RecordedText?
  /// The key of the app's intent.
  package let intent: String?
  package let outcome: TaskLifecycle.Result
  /// The error or the HTTP status with which the task ended; `nil` for a success.
  package let reason: String?
  /// The states that the task went through, in the order of a transfer.
  package let steps: [String]
  package let times: [ComparedStage: Duration]
  /// The time of the creation, by which the tasks of one run are ordered.
  let created: Int64

  package init(_ task: TaskLifecycle, in world: World) {
    identity = task.identity
    role = Self.role(of: task, in: world)
    (type, method, host, path, intent) = (task.type, task.method, task.host, task.path, task.intent)
    outcome = task.result
    reason = Self.reason(of: task)
    steps = Self.steps(of: task)
    times = Dictionary(
      uniqueKeysWithValues: ComparedStage.allCases.compactMap { stage in stage.time(of: task).map { (stage, $0) } })
    created = (task.created ?? task.listed ?? task.resumed)?.wall?.nanoseconds ?? .max
  }

  /// The request, for people: `GET example.com/tiles/{n}`.
  package var name: String {
    let place = (host ?? "") + (path.map { Self.template($0) } ?? "")
    let words = [method, place.isEmpty ? type?.name : place].compactMap { $0 }.joined(separator: " ")
    return words.isEmpty ? "a task of \(role)" : words
  }

  /// Masked paths have no template, because their parts are unknown.
  static func template(_ path: RecordedText) -> String {
    if case .plain(let text) = path { return PathTemplate.of(text) }
    return "<private>"
  }

  private static func role(of task: TaskLifecycle, in world: World) -> String {
    switch world.sessionKind(of: task) {
    case .background, nil: PathTemplate.of(task.identity.session)
    case .some(let kind): kind.name
    }
  }

  private static func reason(of task: TaskLifecycle) -> String? {
    if let error = task.error { return error.name ?? "\(error.domain?.name ?? "error") \(error.number)" }
    guard task.result == .failed else { return nil }
    return task.status.map { "status \($0)" }
  }

  private static func steps(of task: TaskLifecycle) -> [String] {
    var steps: [String] = []
    func add(_ step: String, if happened: Bool) { if happened { steps.append(step) } }
    add("created", if: task.created != nil)
    add("resumed", if: task.resumed != nil)
    if let hold = task.lastHold, !dependsOnOthers(hold) { steps.append("held: \(hold.name)") }
    add(task.attemptCount.counted("attempt"), if: task.attemptCount > 0)
    let redirects = task.attempt?.redirects.count ?? 0
    add(redirects.counted("redirect"), if: redirects > 0)
    add("cancellation requested by \(task.cancelledBy?.name ?? "an unknown actor")", if: task.cancelRequested != nil)
    add("transferred", if: task.transferred != nil)
    add("file delivered", if: task.fileDelivery?.entered != nil)
    add("completion called", if: task.completionDelivery?.entered != nil)
    add("completed", if: task.completed != nil)
    add("handed off", if: task.handedOff != nil)
    return steps
  }

  /// Whether a wait depends on the other tasks or on the moment, so that equal runs differ in it.
  private static func dependsOnOthers(_ hold: HoldReason) -> Bool {
    switch hold {
    case .hostSlots, .sessionSlots, .daemonStarting, .discretionary: true
    default: false
    }
  }
}
