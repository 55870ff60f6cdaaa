import XferEvents

/// The vocabulary as a Markdown document, which `xferlog schema` prints and the documentation contains.
package enum VocabularyDocument {
  package static func markdown() -> String {
    var text = """
      # The vocabulary

      All that a log can contain: \(Vocabulary.events.count) events in \(Vocabulary.families.count) families, \
      version \(Vocabulary.version).

      <!-- Generated from the vocabulary by `xferlog-dev generate`; changes made here are lost. -->

      ## How to read it

      An event has a number, which records store, a name, a level, a message and fields. Numbers and names are never changed or
      reused; fields and cases are only ever added.

      **Level** is one of os_log's: debug, info, default, error, fault. A log keeps events of the levels default, error and fault
      unless its writer is configured otherwise.

      **Importance** says which events a level or a filter may drop. *Lifecycle* events are always written; those that cannot be
      written are counted by family. Of *progress* events, the first and the last of a task are always written, and at most one
      per second in between. *Diagnostic* events are written if the log keeps their level.

      **May follow** lists the events of the same family and subject that may stand right before the event. *start* means that
      the event may be the first of its subject, *any* that the order does not matter. In the families task, attempt, file,
      delivery and multipart, `xferlog replay` counts the events that stand behind one that they may not follow.

      **Model** is the part of the replay that consumes the event; see the list of models at the end. *Unconsumed* means that no
      model does: the replay counts the event as unmodelled unless it names a task.

      **Writers** are the roles that can write the event. Where nobody with such a role writes to a log, the absence of the event
      proves nothing.

      **Opens** and **closes** name the pair that the event begins or ends. A process that opens many of a kind and never closes
      one is instrumented incompletely.

      **Cause** is the event that has to stand before this one, with the same value in one field. A reader puts it there even if
      the clocks of two writers say otherwise.

      **Types.** `bytes`, `count` and `number` are whole numbers. `duration` is in nanoseconds. `time` is RFC 3339 in UTC with
      nanoseconds. `identifier`, `digest`, `launch` and `boot` identify things and are strings in JSON. `symbol` is a recurring
      string. A private string is stored as a keyed hash unless the capture mode or its writer says otherwise. A `message` is a
      literal text with arguments, each of which has its own privacy. A *required* field is in every event of its kind.


      """
    for family in Vocabulary.families { text += section(family) }
    text += models()
    text += "## Choices\n\n"
    for choice in Vocabulary.choices { text += section(choice) }
    return text.dropLast() + ""
  }

  private static func section(_ family: FamilyDefinition) -> String {
    let subject =
      family.subject.map { "The field `\($0)` identifies the subject." } ?? "The subject is the process that writes."
    let events = Vocabulary.events.filter { $0.family == family.name }
    return "## \(family.name)\n\n\(family.summary) \(subject)\n\n" + events.map(section).joined()
  }

  private static func section(_ event: EventDefinition) -> String {
    let follows = event.follows.map { $0 == "start" || $0 == "any" ? "*\($0)*" : "`\($0)`" }.joined(separator: ", ")
    var text = """
      ### \(event.name)

      Number \(event.number), level \(event.level.name), \(event.importance.rawValue). Says “\(event.message)”.

      May follow: \(follows).

      \(columns(of: event))


      """
    if event.fields.isEmpty { return text }
    text += "| Field | Type | Meaning |\n|---|---|---|\n"
    for name in event.fields {
      guard let field = FieldID(name: name)?.definition else { continue }
      let requirement = event.required.contains(name) ? ", required" : ""
      text += "| `\(name)` | \(field.type.title)\(requirement) | \(field.summary) |\n"
    }
    return text + "\n"
  }

  /// The model, the writers, the pair and the cause of an event, as sentences.
  private static func columns(of event: EventDefinition) -> String {
    let roles = WriterRole.allCases.filter { event.writers.contains($0) }.map(\.name)
    var columns = [
      "Model: \(event.model?.rawValue ?? "none").",
      "Writers: \(roles.count == WriterRole.allCases.count ? "all" : roles.joined(separator: ", ")).",
    ]
    switch event.pairing {
    case .opens(let pair): columns.append("Opens: \(pair).")
    case .closes(let pair): columns.append("Closes: \(pair).")
    case nil: break
    }
    if let cause = event.cause {
      let condition = cause.condition.map { ", if `\($0.field)` is \($0.value)" } ?? ""
      columns.append("Cause: `\(cause.event)` with the same `\(cause.field)`\(condition).")
    }
    return columns.joined(separator: " ")
  }

  private static func models() -> String {
    let rows = ReplayModel.allCases.map { "| \($0.rawValue) | \($0.summary) |" }
    return "## Models\n\n| Model | What it keeps |\n|---|---|\n\(rows.joined(separator: "\n"))\n\n"
  }

  private static func section(_ choice: ChoiceDefinition) -> String {
    var text = "### \(choice.name)\n\n\(choice.summary)\n\n| Value | Meaning |\n|---|---|\n"
    for value in choice.cases { text += "| `\(value.name)` | \(value.summary) |\n" }
    return text + "\n"
  }
}

extension FieldType {
  /// The type in tables of fields, with its unit or privacy.
  fileprivate var title: String {
    switch self {
    case .task: "task"
    case .tasks: "list of tasks"
    case .launch: "launch"
    case .boot: "boot"
    case .delivery, .handler, .correlation: "identifier"
    case .digest: "digest"
    case .bytes: "bytes"
    case .count: "count"
    case .duration: "duration, ns"
    case .wallTime: "time"
    case .number: "number"
    case .flag: "flag"
    case .choice(let name): "choice of `\(name)`"
    case .symbol: "symbol"
    case .text(.public): "text"
    case .text(.private): "text, private"
    case .message: "message"
    }
  }
}
