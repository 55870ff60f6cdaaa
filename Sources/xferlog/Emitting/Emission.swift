import XferEvents
import XferLogStore

/// A message or an event that `xferlog emit` writes.
struct Emission {
  enum Content {
    case message(LogMessage, Level, subsystem: String, category: String)
    case noted(AppNoted)
    case intentDeclared(AppIntentDeclared)
    case outcomeRecorded(AppOutcomeRecorded)
  }

  let content: Content

  /// - Returns: the reference of the written event; `nil` when the log's levels filter the event out.
  func write(to log: EventLog, task: TaskIdentity?) throws(LogError) -> EventReference? {
    switch content {
    case .message(let message, let level, let subsystem, let category):
      guard log.keeps(level, subsystem: subsystem, category: category) else { return nil }
      return try log.append(message, level: level, subsystem: subsystem, category: category, task: task)
    case .noted(let event): return try log.append(AppNoted(task: task, intent: event.intent, message: event.message))
    case .intentDeclared(let event):
      return try log.append(
        AppIntentDeclared(intent: event.intent, task: task, step: event.step, durable: event.durable))
    case .outcomeRecorded(let event):
      return try log.append(
        AppOutcomeRecorded(intent: event.intent, task: task, outcome: event.outcome, message: event.message))
    }
  }
}

/// The properties from the options, for emissions that do not set their own.
struct EmissionDefaults {
  let subsystem: String
  let category: String
  let level: Level
  let isPrivate: Bool
  /// Named values that are appended to each message.
  let values: [(name: String, value: String)]

  func message(_ text: String, isPrivate: Bool? = nil) -> LogMessage {
    let privacy: LogPrivacy = isPrivate ?? self.isPrivate ? .private : .public
    var message = LogMessage(text: text, privacy: privacy)
    for (name, value) in values {
      // A script may pass a secret that its user never typed, so a value with a name such as `token` is masked.
      message.attach(name, value, privacy: SecretName.matches(value: name) ? .sensitive : privacy)
    }
    return message
  }

  func emission(_ text: String) -> Emission {
    Emission(content: .message(message(text), level, subsystem: subsystem, category: category))
  }
}
