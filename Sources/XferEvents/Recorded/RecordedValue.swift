/// A field's value, typed as far as it has to be shown.
public enum RecordedValue: Hashable, Sendable {
  case task(TaskIdentity)
  case tasks([TaskIdentity])
  case launch(LaunchID)
  case boot(BootID)
  case identifier(UInt64)
  case digest(UInt64)
  case bytes(Int64)
  case integer(Int64)
  case duration(Duration)
  case time(WallTime)
  case flag(Bool)
  case choice(String)
  case text(RecordedText)
  case message(RecordedMessage)
  /// The record is whole but the definition that the value points to is lost.
  case unreadable
}

extension Vocabulary {
  /// The word for a stored choice; a number that this reader's list lacks is shown as such.
  package static func caseName(_ number: UInt8, of choice: String) -> String {
    guard let names = caseNames[choice], Int(number) < names.count else { return "unknown(\(number))" }
    return names[Int(number)]
  }

  /// The stored number of a word; `nil` when the list has no such word.
  package static func caseNumber(_ name: String, of choice: String) -> UInt8? {
    caseNames[choice]?.firstIndex(of: name).map(UInt8.init)
  }

  /// The words of a list, in the order of their numbers.
  package static func cases(of choice: String) -> [String] { caseNames[choice] ?? [] }

  private static let caseNames: [String: [String]] = Dictionary(
    uniqueKeysWithValues: choices.map { ($0.name, $0.cases.map(\.name)) })
}
