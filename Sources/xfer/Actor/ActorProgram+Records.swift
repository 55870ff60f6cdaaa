import Foundation
import Synchronization
import XferEngine
import XferEvents
import XferLogStore
import XferScript

extension ActorProgram {
  /// Writes one of the records that an app itself writes.
  func record(_ verb: String, _ arguments: ActorArguments, _ context: ActorContext) throws(ActorFailure) {
    func value(_ key: String) -> String? { arguments.text(key).map { text($0, context) } }
    let task = identity(arguments, context)
    switch verb {
    case "outcome": recordOutcome(arguments, task, context)
    case "intent":
      if let task, let key = value("key") { memory.keep(key, "intent", "\(task.uid)") }
      log.emit(
        AppIntentDeclared(intent: value("key"), task: task, step: value("step"), durable: arguments.flag("durable") ?? true))
    case "bind": log.emit(AppIntentBound(intent: value("key"), task: task, key: value("by")))
    case "unbind": log.emit(AppIntentUnbound(intent: value("key"), task: task, reason: value("reason")))
    case "listener": log.emit(AppListenerAttached(session: value("session") ?? sessionName(context), name: value("name")))
    case "journal": log.emit(AppJournalSaved(upTo: Int64(arguments.integer("up-to") ?? 0)))
    case "capabilities": log.emit(AppCapabilitiesRecorded(capabilities: value("list")))
    case "note": log.emit(AppNoted(task: task, intent: value("intent"), message: value("text")))
    case "begin-work":
      let id = CorrelationID(.random(in: 1 ... .max))
      state.withLock { $0.works[value("name") ?? ""] = id }
      log.emit(AppWorkBegun(work: id, name: value("name"), task: task))
    case "end-work":
      let id = state.withLock { $0.works.removeValue(forKey: value("name") ?? "") }
      guard let id else { throw ActorFailure("the work was not begun") }
      log.emit(AppWorkEnded(work: id, name: value("name"), task: task))
    case "secret":
      let answer = SecretAnswer.allCases.first { $0.name == arguments.text("answer") }
      log.emit(AppSecretRead(name: value("name"), secretAnswer: answer, osError: arguments.integer("error"), task: task))
    case "delete-secret": log.emit(AppSecretDeleted(name: value("name"), reason: value("reason")))
    case "policy": recordPolicy(arguments)
    case "open-failed":
      log.emit(
        DiskOpenFailed(
          task: task, file: value("file"), osError: arguments.integer("error"), container: value("container"),
          exists: arguments.flag("exists")))
    case "message": writeMessage(value("text") ?? "", arguments.text("level"), task)
    default: throw ActorFailure("unknown action")
    }
  }

  private func recordPolicy(_ arguments: ActorArguments) {
    let policy: PolicyName? =
      switch arguments.text("name") {
      case "background-refresh": .backgroundRefresh
      case "cellular-data": .cellularData
      case "low-data-mode": .lowDataMode
      case "low-power-mode": .lowPowerMode
      default: nil
      }
    log.emit(PolicyChanged(policy: policy, enabled: arguments.flag("enabled"), by: .user))
  }

  private func recordOutcome(_ arguments: ActorArguments, _ task: TaskIdentity?, _ context: ActorContext) {
    let word = arguments.text("outcome")
    let outcome = Outcome.allCases.first { $0.name == word } ?? outcome(of: context)
    let intent =
      arguments.text("intent").map { text($0, context) } ?? task.flatMap { memory.text("intent", "\($0.uid)") }
      ?? context.task?.taskDescription
    log.emit(
      AppOutcomeRecorded(
        intent: intent, task: task, outcome: outcome, message: arguments.text("message").map { text($0, context) }))
  }

  /// The outcome that a correct app records.
  private func outcome(of context: ActorContext) -> Outcome {
    if let error = context.error { return error.code == .cancelled ? .cancelled : .failure }
    return context.status ?? 0 >= 400 ? .failure : .success
  }

  private func writeMessage(_ text: String, _ level: String?, _ task: TaskIdentity?) {
    var logger = EventLogger(subsystem: "com.example.app", category: "actor", log: log)
    if let task { logger = logger.with(task: task) }
    let level = Level.allCases.first { $0.name == level } ?? .default
    logger.log(level: level, "\(text, privacy: .public)")
  }
}
