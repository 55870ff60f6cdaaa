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

  /// Adds a task's address to a hash, without the scheme and the port.
  ///
  /// - Returns: `false` if the log contains too little of the URL to distinguish it from others.
  package static func combine(_ task: TaskLifecycle, into hash: inout WordHash) -> Bool {
    guard task.scheme != nil, let host = task.host, let path = task.path, path.isComparable, task.query?.isComparable ?? true
    else { return false }
    hash.combine(host)
    hash.combine(path)
    if let query = task.query { hash.combine(query) }
    return true
  }
}
