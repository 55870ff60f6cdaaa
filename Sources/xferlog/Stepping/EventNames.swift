import XferEvents

/// Names of events as users type them: `task.resumed`, or `resumed` for short.
package enum EventNames {
  private static let all = EventKind.allCases.map(\.name)

  /// - Returns: the full names that a name stands for. A short name means the event of the family `task` if that exists.
  package static func named(_ text: String) -> [String] {
    if all.contains(text) { return [text] }
    if all.contains("task.\(text)") { return ["task.\(text)"] }
    return all.filter { $0.hasSuffix(".\(text)") }
  }

  package static func advice(_ text: String) -> String {
    let short = text.split(separator: ".").last.map(String.init) ?? text
    let near = NearNames.of(text, among: all) + NearNames.of(short, among: all.map { String($0.split(separator: ".")[1]) })
    var seen: Set<String> = []
    let names = near.flatMap(named).filter { seen.insert($0).inserted }.prefix(3)
    return "there is no event '\(text)'. "
      + (names.isEmpty ? "`xferlog schema` names them all." : "Did you mean \(names.joined(separator: " or "))?")
  }
}
