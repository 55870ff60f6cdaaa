import ArgumentParser
import XferReport

/// The kinds of arguments whose values depend on logs, rules and configuration. Shells run `xferlog` to complete them.
extension CompletionKind {
  static let task = dynamic(Candidates.tasks)
  static let session = dynamic(Candidates.sessions)
  static let rule = dynamic(Candidates.rules)
  static let limit = dynamic(Candidates.limits)
  static let query = dynamic(Candidates.queries)
  static let condition = dynamic { line, _ in Candidates.conditions(line) }
  static let event = dynamic { _, _ in Candidates.events() }
  static let levels = CompletionKind.list(["debug", "info", "default", "error", "fault"])
  static let yaml = CompletionKind.file(extensions: ["yaml", "yml"])

  private static func dynamic(_ words: @escaping @Sendable (CompletionLine, Surroundings) -> [String]) -> CompletionKind {
    .custom { typed, place, prefix in
      let line = CompletionLine(words: typed, place: place, prefix: prefix, shell: CompletionShell.requesting?.rawValue)
      return ShellCandidate.prepared(
        Candidates.matching(words(line, Surroundings.current()), line), for: CompletionShell.requesting?.rawValue)
    }
  }
}
