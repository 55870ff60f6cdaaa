import XferEvents
import XferLifecycle
import XferReplay

/// Events that cannot be matched to their subject because the identifying field is masked.
struct FieldsRedacted: ProcessRule {
  private static let masked = "<private>"
  private static let started = RuleExample.Step.at(0, ProcessStarted(executable: "app"))

  static let description = RuleDescription(
    id: "fields-redacted", severity: .notice,
    summary: "Some events cannot be matched to a task, file or intent because their identifiers are masked.",
    explanation: """
      A log with masked private values remains useful if its events can be matched by another field: an id, or a hash that is \
      equal for equal values. When only a masked value (“<private>”) identifies the task, the file or the intent of an event, \
      no rule can use the event. The variant names the masked field.
      """,
    remedy: """
      Log the task with the event, or store a keyed hash next to the masked value: a hash matches events without revealing the \
      value. For the system's own log, install a profile that shows private values on a device of your own.
      """,
    sources: ["https://steipete.wtf/posts/logging-in-swift"],
    isStatedByEvents: true,
    reports: [
      RuleExample(
        "a file could not be opened, and its path is masked", .certain, variant: "file", cites: [.diskOpenFailed],
        started, .at(1, DiskOpenFailed(file: masked, osError: 13))),
      RuleExample(
        "the intent of an outcome is masked", .certain, variant: "intent", cites: [.appOutcomeRecorded],
        started, .at(1, AppOutcomeRecorded(intent: masked, outcome: .success))),
    ],
    staysSilent: [
      RuleExample(
        "the file is masked, but the task is known",
        started, .at(1, DiskOpenFailed(task: .example, file: masked, osError: 13))),
      RuleExample("the file is not masked", started, .at(1, DiskOpenFailed(file: "/data/a", osError: 13))),
      RuleExample(
        "the session's name is masked, but its instance number is known",
        started, .at(1, SessionCreated(session: masked, instance: CorrelationID(1), sessionKind: .default))),
    ])

  static let watches: Set<EventKind> = [
    .diskOpenFailed, .diskLeftOverFound, .appOutcomeRecorded, .appIntentDeclared, .appIntentBound, .appIntentUnbound,
    .sessionCreated, .sessionTasksQueried, .sessionTasksAnswered,
  ]

  func verdict(on process: ProcessLifecycle, tasks: [Int], in world: World, asked: Occasion) -> Verdict? {
    guard let masked = process.log.masked else { return process.endFact == nil && !asked.isEndOfLog ? nil : .silent }
    return .finding(
      Draft(
        variant: masked.field,
        summary: """
          Some events of \(process.executable ?? "a process") cannot be matched to their subject: the field \
          “\(masked.field)” is masked.
          """,
        claim: .presence, evidence: masked.first))
  }
}
