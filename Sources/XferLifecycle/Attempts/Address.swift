import XferEvents

/// What a task fetches, as far as that can be told in another session too: a resource's digest is its session's own.
package struct Address: Hashable, Sendable {
  private let scheme: String
  private let host: String
  private let port: Int?
  private let path: String
  private let query: String?

  /// - Returns: `nil` where the log did not keep enough to tell one from another.
  package init?(of task: TaskLifecycle) {
    guard let scheme = task.scheme, let host = task.host, let path = task.path?.key else { return nil }
    if let query = task.query, query.key == nil { return nil }
    (self.scheme, self.host, self.port, self.path, query) = (scheme, host, task.port, path, task.query?.key)
  }
}
