import XferEvents

/// The type of a field in queries. It decides how values are written and compared.
package enum ValueType: Hashable, Sendable {
  case text
  /// One of the named values of a list of the vocabulary.
  case choice(String)
  /// One of these words.
  case word([String])
  /// One of these words, in ascending order.
  case rank([String])
  /// The name of an event.
  case eventName
  case level
  case bytes
  case count
  case duration
  case time
  case flag
  /// A task, by its name `session/number`, its number or its uid.
  case task

  /// Whether values are compared as numbers.
  package var isNumber: Bool {
    switch self {
    case .level, .rank, .bytes, .count, .duration, .time, .flag: true
    case .text, .choice, .word, .eventName, .task: false
    }
  }

  /// Whether one value can be less than another.
  package var isOrdered: Bool { isNumber && self != .flag || self == .text }

  /// The allowed values; `nil` if the type has no list of them.
  package var words: [String]? {
    switch self {
    case .choice(let list): Vocabulary.cases(of: list)
    case .word(let words), .rank(let words): words
    case .level: Level.allCases.map(\.name)
    case .flag: ["true", "false"]
    default: nil
    }
  }

  /// The type's name for lists of fields.
  package var name: String {
    switch self {
    case .text: "text"
    case .choice, .word, .rank: "choice"
    case .eventName: "event"
    case .level: "level"
    case .bytes: "bytes"
    case .count: "number"
    case .duration: "duration"
    case .time: "time"
    case .flag: "flag"
    case .task: "task"
    }
  }

  /// The type with an article, for messages.
  package var phrase: String {
    switch self {
    case .text: "a text"
    case .choice, .word, .rank: "one of a few words"
    case .eventName: "the name of an event"
    case .level: "a level"
    case .bytes: "a number of bytes"
    case .count: "a number"
    case .duration: "a duration"
    case .time: "a time"
    case .flag: "true or false"
    case .task: "a task"
    }
  }

  /// The way in which a value is written, for advice.
  package var example: String {
    switch self {
    case .text: "Write the text in quotation marks."
    case .choice, .word, .rank: "Use one of \((words ?? []).joined(separator: ", "))."
    case .eventName: "Write a name such as task.completed; `xferlog schema` lists all events."
    case .level: "Use debug, info, default, error or fault."
    case .bytes: "Write a number of bytes, or a number with kB, MB, GB, KiB, MiB or GiB, such as 10MB."
    case .count: "Write a whole number, such as 404 or -1001."
    case .duration: "Write a number with ns, us, ms, s, m, h or d, such as 2s or 1h30m."
    case .time: "Write 2026-11-20T14:02:07Z, @1780000000, or a time as for --since."
    case .flag: "Write true or false."
    case .task: "Write session/number, a number or a uid."
    }
  }
}
