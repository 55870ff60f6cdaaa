import XferEvents
import XferLifecycle
import XferReplay

/// What would join events to what they are about is masked.
struct FieldsRedacted: ProcessRule {
  private static let masked = "<private>"
  private static let started = RuleExample.Step.at(0, ProcessStarted(executable: "app"))

  static let description = RuleDescription(
    id: "fields-redacted", severity: .notice,
    summary: "Events cannot be joined to what they are about, because what would tell is masked.",
    explanation: """
      A log that masks private values keeps its use as long as something else joins its events: an id, or a hash that is equal \
      for equal values. Where only the private value would tell which task, which file or which piece of the app's work an \
      event is about, and it is shown as “<private>”, the event stands alone, and no rule can use it. The variant names the \
      field.
      """,
    remedy: """
      Give the event its task, or store a keyed hash beside the masked value: that joins without telling anything. For a \
      system's own log, install a profile that shows private values, on a device of your own.
      """,
    sources: ["https://steipete.wtf/posts/logging-in-swift"],
    reports: [
      RuleExample(
        "a file could not be opened, of nobody knows which task", .certain, variant: "file", cites: [.diskOpenFailed],
        started, .at(1, DiskOpenFailed(file: masked, osError: 13))),
      RuleExample(
        "an outcome of an intent that is masked", .certain, variant: "intent", cites: [.appOutcomeRecorded],
        started, .at(1, AppOutcomeRecorded(intent: masked, outcome: .success))),
    ],
    staysSilent: [
      RuleExample(
        "the file is masked, and the task is said", started, .at(1, DiskOpenFailed(task: .example, file: masked, osError: 13))),
      RuleExample("the file is there", started, .at(1, DiskOpenFailed(file: "/data/a", osError: 13))),
      RuleExample(
        "the session's name is masked, and its object has a number",
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
          Events of \(process.executable ?? "a process") cannot be joined to what they are about: their \(masked.field) is masked.
          """,
        claim: .presence, evidence: masked.first))
  }
}
