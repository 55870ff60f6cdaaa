/// The value of a field, with the type that is needed to show it.
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
  /// The record is complete, but a definition that the value refers to is lost.
  case unreadable
}

extension Vocabulary {
  /// Returns the name of a stored choice, or `unknown(n)` if this reader's list is too short.
  package static func caseName(_ number: UInt8, of choice: String) -> String {
    guard let names = caseNames[choice], Int(number) < names.count else { return "unknown(\(number))" }
    return names[Int(number)]
  }

  /// Returns the stored number of a choice; `nil` if the list lacks the name.
  package static func caseNumber(_ name: String, of choice: String) -> UInt8? {
    caseNames[choice]?.firstIndex(of: name).map(UInt8.init)
  }

  /// Returns the names of a list, in the order of their numbers.
  package static func cases(of choice: String) -> [String] { caseNames[choice] ?? [] }

  private static let caseNames: [String: [String]] = Dictionary(
    uniqueKeysWithValues: choices.map { ($0.name, $0.cases.map(\.name)) })
}
