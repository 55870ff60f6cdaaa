import XferEvents

/// The vocabulary as a Markdown document, which `xferlog schema` prints and the documentation contains.
package enum VocabularyDocument {
  package static func markdown() -> String {
    var text = """
      # The vocabulary

      The events that a log can contain: \(Vocabulary.events.count) events in \(Vocabulary.families.count) families, \
      version \(Vocabulary.version).

      <!-- Generated from the vocabulary by `xferlog-dev generate`; changes made here are lost. -->

      ## How to read it

      An event has a name, a number (which records store), a level, a message and fields. Numbers and names are never changed or
      reused. New versions may add fields and cases, but never remove them.

      **Level** is one of the os_log levels: debug, info, default, error, fault. A log keeps events of the levels default, error
      and fault unless its writer is configured otherwise.

      **Importance** determines which events a level or a filter may drop. *Lifecycle* events are always written; those that cannot
      be written are counted by family. Of a task's *progress* events, the first and the last are always written, and at most one
      per second in between. *Diagnostic* events are written if the log keeps their level.

      **May follow** lists the events of the same family and subject that may directly precede the event. *start* means that the
      event may be the first of its subject. *any* means that the order does not matter. In the families task, attempt, file,
      delivery and multipart, `xferlog replay` counts each event whose predecessor is not in its list.

      **Model** is the part of the replay that consumes the event. The models are listed at the end. *unconsumed* means that no
      model consumes the event: the replay counts the event as unmodelled unless it names a task.

      **Writers** are the roles that can write the event. In a log without a writer in one of these roles, the absence of the event
      proves nothing.

      **Opens** and **Closes** name the pair of events that the event begins or ends. A process that opens many pairs of one kind
      and never closes any is incompletely instrumented.

      **Cause** is the event that always happens before this event and has the same value in one field. Readers sort the cause
      first even if the clocks of the two writers disagree.

      **Types.** `bytes`, `count` and `number` are integers. `duration` is in nanoseconds. `time` is RFC 3339 in UTC with
      nanoseconds. `identifier`, `digest`, `launch` and `boot` are identifiers, which are strings in JSON. `symbol` is a recurring
      string. A private string is stored as a keyed hash unless the capture mode or the writer specifies otherwise. A `message` is
      literal text with arguments, each with its own privacy. A *required* field is present in every event of its kind.


      """
    for family in Vocabulary.families { text += section(family) }
    text += models()
    text += "## Choices\n\n"
    for choice in Vocabulary.choices { text += section(choice) }
    return text.dropLast() + ""
  }

  /// Returns the sections of some events, and of the choices of their fields.
  package static func markdown(of names: [String]) -> String {
    let events = Vocabulary.events.filter { names.contains($0.name) }
    let choices = Set(
      events.flatMap(\.fields).compactMap { name -> String? in
        if case .choice(let choice)? = FieldID(name: name)?.definition.type { choice } else { nil }
      })
    var text = ""
    for event in events { text += section(event) }
    for choice in Vocabulary.choices where choices.contains(choice.name) { text += section(choice) }
    return String(text.dropLast())
  }

  private static func section(_ family: FamilyDefinition) -> String {
    let subject =
      family.subject.map { "The field `\($0)` identifies the subject." } ?? "The subject is the process that writes the event."
    let events = Vocabulary.events.filter { $0.family == family.name }
    return "## \(family.name)\n\n\(family.summary) \(subject)\n\n" + events.map(section).joined()
  }

  private static func section(_ event: EventDefinition) -> String {
    let follows = event.follows.map { $0 == "start" || $0 == "any" ? "*\($0)*" : "`\($0)`" }.joined(separator: ", ")
    var text = """
      ### \(event.name)

      Number \(event.number), level \(event.level.name), \(event.importance.rawValue). Message: “\(event.message)”.

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

  /// Returns an event's replay model, writers, pair (if it opens or closes one) and cause as sentences.
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
    return "## Models\n\n| Model | State that it keeps |\n|---|---|\n\(rows.joined(separator: "\n"))\n\n"
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
