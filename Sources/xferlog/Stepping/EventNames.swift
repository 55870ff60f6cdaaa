import XferEvents
import XferReading

/// Names of events as users type them: `task.resumed`, or `resumed` for short.
package enum EventNames {
  private static let all = EventKind.allCases.map(\.name)

  /// - Returns: the full names of the events that a name may mean. A short name means the event of the family `task` if there is one.
  package static func named(_ text: String) -> [String] {
    if all.contains(text) { return [text] }
    if all.contains("task.\(text)") { return ["task.\(text)"] }
    return all.filter { $0.hasSuffix(".\(text)") }
  }

  /// Returns the full names that a name or a glob stands for.
  static func matching(_ text: String) throws -> [String] {
    let pattern = GlobPattern(text)
    let names = GlobPattern.isPattern(text) ? all.filter(pattern.matches) : named(text)
    if names.isEmpty { throw CommandExit(.wrongUsage, UserMessage(advice(text))) }
    return names
  }

  package static func advice(_ text: String) -> String {
    let short = text.split(separator: ".").last.map(String.init) ?? text
    let near = NearNames.of(text, among: all) + NearNames.of(short, among: all.map { String($0.split(separator: ".")[1]) })
    var seen: Set<String> = []
    let names = near.flatMap(named).filter { seen.insert($0).inserted }.prefix(3)
    return "there is no event '\(text)'. "
      + (names.isEmpty ? "`xferlog schema` lists all events." : "Did you mean \(names.joined(separator: " or "))?")
  }
}
