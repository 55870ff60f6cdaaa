package import XferEvents

/// A secret that a process could not read while nobody was in front of it, and what became of that.
package struct SecretTrail: Sendable {
  package let name: String
  package let read: Fact
  /// The first request without credentials that was refused for it, by tasks that were made afterwards.
  package private(set) var refused: Refusal?
  /// Tasks that were refused so, at most `limit`.
  package private(set) var tasks: [TaskIdentity] = []
  /// The app has thrown the secret away.
  package private(set) var deleted: Fact?

  package struct Refusal: Sendable {
    package let sent: Fact
    package let response: Fact
    package let status: Int
  }

  private static let limit = 8

  init(name: String, read: Fact) { (self.name, self.read) = (name, read) }

  package mutating func noteRefused(_ task: TaskLifecycle) {
    guard let created = task.created, read.duration(to: created) ?? .zero >= .zero, let attempt = task.attempt,
      attempt.isAuthorized == false, let sent = attempt.requestSent, let response = attempt.responseReceived,
      let status = attempt.status, status == 401 || status == 403
    else { return }
    refused = refused ?? Refusal(sent: sent, response: response, status: status)
    if tasks.count < Self.limit { tasks.append(task.identity) }
  }

  mutating func noteDeleted(_ fact: Fact) { deleted = deleted ?? fact }

  package var hasConsequence: Bool { refused != nil || deleted != nil }
}
