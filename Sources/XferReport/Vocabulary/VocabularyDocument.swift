import XferEvents

/// The vocabulary as a Markdown document, which `xferlog schema` prints and the documentation includes.
package enum VocabularyDocument {
  package static func markdown() -> String {
    var text = """
      # The vocabulary

      Everything that can be said in a log: \(Vocabulary.events.count) events in \(Vocabulary.families.count) families, \
      version \(Vocabulary.version).

      <!-- Generated from the vocabulary by `xferlog-dev generate`; changes made here are lost. -->

      ## How to read it

      An event has a number, which records store, a name, a level and fields. Numbers and names are never changed or used
      again; fields and cases are only ever added.

      **Levels** are os_log's: debug, info, default, error, fault. Logs are written from default on unless their writer says
      otherwise. **Importance** says what a level or a filter may do to an event: *lifecycle* events are always written, and
      counted by family when they cannot be; of *progress* the first, at most one a second, and the last are; *diagnostic*
      events are subject to the level.

      **Types.** `bytes`, `count` and `number` are whole numbers; `duration` is in nanoseconds; `time` is RFC 3339 in UTC with
      nanoseconds; `identifier`, `digest`, `launch` and `boot` stand for things and are strings in JSON; `symbol` is a
      recurring string. A private string is stored as a keyed hash unless the capture mode or its writer says otherwise. A
      `message` is a literal text with arguments, each of which has its own privacy.

      **May follow** lists the events of the same family and subject that may stand right before it; *start*: it may be the
      first; *any*: order means nothing here.


      """
    for family in Vocabulary.families { text += section(family) }
    text += "## Choices\n\n"
    for choice in Vocabulary.choices { text += section(choice) }
    return text.dropLast() + ""
  }

  private static func section(_ family: FamilyDefinition) -> String {
    let subject =
      family.subject.map { "One subject is told from another by `\($0)`." } ?? "The subject is the process that writes."
    let events = Vocabulary.events.filter { $0.family == family.name }
    return "## \(family.name)\n\n\(family.summary) \(subject)\n\n" + events.map(section).joined()
  }

  private static func section(_ event: EventDefinition) -> String {
    let follows = event.follows.map { $0 == "start" || $0 == "any" ? "*\($0)*" : "`\($0)`" }.joined(separator: ", ")
    var text = """
      ### \(event.name)

      Number \(event.number), level \(event.level.name), \(event.importance.rawValue). Says “\(event.message)”.

      May follow: \(follows).


      """
    if event.fields.isEmpty { return text }
    text += "| Field | Type | Meaning |\n|---|---|---|\n"
    for name in event.fields {
      guard let field = FieldID(name: name)?.definition else { continue }
      text += "| `\(name)` | \(field.type.title) | \(field.summary) |\n"
    }
    return text + "\n"
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
