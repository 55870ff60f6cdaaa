package import XferEvents

/// A secret that a process could not read in the background, and its consequences.
package struct SecretTrail: Sendable {
  package let name: String
  package let read: Fact
  /// The first request after the failed read that carried no credentials and that the server refused.
  package private(set) var refused: Refusal?
  /// The tasks that the server refused, at most `limit`.
  package private(set) var tasks: [TaskIdentity] = []
  /// The event in which the app deleted the secret.
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
