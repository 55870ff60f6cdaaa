internal import HTTPTypes

extension SessionInventory {
  /// The maximum estimated size of the tasks in one message, in bytes. Even if JSON escapes each byte as six bytes, the message
  /// stays below `BackgroundProtocol.daemonFrame`.
  private static let partWeight = 256 << 10

  /// Divides the tasks of a session, in order, into parts that each fit into one message. Returns at least one part, which may
  /// be empty.
  package static func parts(of tasks: [KnownTask]) -> [[KnownTask]] {
    var parts: [[KnownTask]] = [[]]
    var weight = 0
    for task in tasks {
      let next = task.task.weight
      if weight > 0, weight + next > partWeight {
        parts.append([])
        weight = 0
      }
      parts[parts.count - 1].append(task)
      weight += next
    }
    return parts
  }
}

extension NewTask {
  /// An upper estimate of the task's size in a message, in bytes, excluding JSON escapes.
  var weight: Int {
    let fields = request.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64 }
    let url = (request.authority?.utf8.count ?? 0) + (request.path?.utf8.count ?? 0)
    let texts = (file?.utf8.count ?? 0) + (description?.utf8.count ?? 0) + session.utf8.count
    let pairs = metadata.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 8 }
    return 1024 + url + fields + texts + pairs + (resumeData?.count ?? 0) * 2
  }
}
