package import XferEvents

/// The address that a task fetches, comparable across sessions. The digest of a resource is comparable only within one session.
package struct Address: Hashable, Sendable {
  private let scheme: String
  private let host: String
  private let port: Int?
  private let path: RecordedText
  private let query: RecordedText?

  /// - Returns: `nil` if the log contains too little of the URL to distinguish it from others.
  package init?(of task: TaskLifecycle) {
    guard let scheme = task.scheme, let host = task.host, let path = task.path, path.isComparable,
      task.query?.isComparable ?? true
    else { return nil }
    (self.scheme, self.host, self.port, self.path, query) = (scheme, host, task.port, path, task.query)
  }

  /// Addresses that differ only in their scheme or port are rare, so these are not hashed.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(host)
    hasher.combine(path)
    hasher.combine(query)
  }

  package func hash(into hash: inout WordHash) {
    hash.combine(host)
    hash.combine(path)
    if let query { hash.combine(query) }
  }
}
