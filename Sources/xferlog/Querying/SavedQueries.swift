import XferEvents
import XferReading
import XferRules

/// The queries that configuration files save under a name.
struct SavedQueries {
  private var texts: [(name: String, text: String)] = []

  /// Reads the configuration files. The project's file takes precedence over the user's.
  init(config: String?, environment: [String: String]) throws {
    for file in try RuleSources.files(rules: [], config: config, environment: environment) {
      do {
        for query in try RuleFile(name: file.name, bytes: file.bytes, namesFiles: true).queries {
          texts.removeAll { $0.name == query.name }
          texts.append((query.name, query.text))
        }
      } catch {
        throw CommandExit(.wrongUsage, error.message)
      }
    }
  }

  /// The names of all saved queries.
  var names: [String] { texts.map(\.name) }

  /// Returns the query with a name.
  func text(of name: String) throws -> String {
    if let found = texts.first(where: { $0.name == name }) { return found.text }
    let names = names.sorted()
    let near = NearNames.of(name, among: names)
    let advice =
      !near.isEmpty
      ? "Did you mean \(near.map { "@" + $0 }.joined(separator: " or "))?"
      : names.isEmpty
        ? "Save queries below `queries:` in ~/.config/xferlog/config.yaml, for example `slow: 'took>10s | tasks'`."
        : "The saved queries are \(names.map { "@" + $0 }.joined(separator: ", "))."
    throw CommandExit(.wrongUsage, "no query is saved as @\(name).\n\(advice)")
  }
}
