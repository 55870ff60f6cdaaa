import XferLifecycle

/// A stage of a transfer whose time is compared between two runs. The stages do not overlap.
package enum ComparedStage: String, CaseIterable, Sendable {
  case queue, redirects, lookup, connect, tls, firstByte, body, delivery

  /// Returns the time that a task spent in the stage; `nil` if it is not in the log. The time before the last attempt belongs to the
  /// queue.
  ///
  /// A task that reused a connection spent no time in `lookup`, `connect` and `tls`. Which task of a run opens a connection depends on
  /// their order, so these times are compared only if both tasks opened one.
  func time(of task: TaskLifecycle) -> Duration? {
    switch self {
    case .queue: return task.queueTime
    case .redirects: return task.redirectTime
    case .lookup: return Self.ofNewConnection(task.attempt?.nameLookupTime)
    case .connect:
      if let measured = Self.ofNewConnection(task.attempt?.connectTime) { return measured }
      let hasParts = task.attempt?.nameLookupTime != nil || task.attempt?.secureTime != nil
      // The time to the last connection includes the redirects.
      return hasParts || task.reusedConnections > 0 || task.redirectTime != nil ? nil : task.connectTime
    case .tls: return Self.ofNewConnection(task.attempt?.secureTime)
    case .firstByte: return task.firstByteTime
    case .body: return task.bodyTime
    case .delivery: return task.deliveryTime
    }
  }

  private static func ofNewConnection(_ time: Duration?) -> Duration? { time.flatMap { $0 > .zero ? $0 : nil } }
}
