package import XferEvents

/// The part of the record that a log lacks and that would decide a question.
package enum Lack: Hashable, Sendable {
  /// Events of these kinds, or their fields. Empty if the lack is known only as a text.
  case events([EventKind])
  /// Events of a kind whose level was not logged.
  case level(EventKind)
  /// The log of a process, by the process's name.
  case log(String)
  /// Records that were lost, by their place.
  case records(String)
  /// The events after the end of the log.
  case continuation

  /// Creates the lack that a rule names, for example "phase of attempt.ended".
  init(naming needs: String) {
    let prefix = "the log of "
    if needs.hasPrefix(prefix) {
      self = .log(String(needs.dropFirst(prefix.count)))
    } else {
      self = .events(needs.split { !$0.isLetter && $0 != "." }.compactMap { Self.kinds[String($0)] })
    }
  }

  private static let kinds = Dictionary(uniqueKeysWithValues: EventKind.allCases.map { ($0.name, $0) })
}

/// A reason why a finding is not certain.
package struct Lowering: Hashable, Sendable {
  package let reason: String
  /// The lack that leaves the question open; `nil` if no log would decide it.
  package let lack: Lack?
}
