/// An error in reading or serving a script: what happened, where, and what to do.
package struct ScriptError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A short fixed identifier, suitable as a metric label.
  package enum Code: String, Sendable {
    case unreadable = "script-unreadable"
    case syntax = "script-syntax"
    case unknownKey = "script-unknown-key"
    case badValue = "script-bad-value"
    case notLoopback = "server-not-loopback"
    case cannotListen = "server-cannot-listen"
    case cannotRecord = "server-cannot-record"
    case stopped = "server-stopped"
    case cancelled = "server-wait-cancelled"
  }

  package var code: Code
  /// The location of the error: a script position such as `script.yaml:12:7: routes[0].respond.cut`, a path, or an address.
  package var place: String
  package var problem: String
  package var advice: String
  /// The description of the underlying error. `nil` if there is none.
  package var cause: String?

  package var description: String {
    "\(place): \(problem)\(cause.map { " (\($0))" } ?? "").\n\(advice)"
  }
}

extension ScriptError {
  /// Returns the known word that is closest to an unknown word, or `nil` when no known word is similar.
  static func suggestion(for word: String, among known: [String]) -> String? {
    let nearest = known.map { (distance: distance(word, $0), word: $0) }.min { $0.distance < $1.distance }
    guard let nearest, nearest.distance <= max(2, word.count / 3), nearest.distance < word.count else { return nil }
    return nearest.word
  }

  /// Returns the Levenshtein distance of two words, ignoring case.
  private static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second.lowercased())
    var row = Array(0...second.count)
    for (i, left) in first.lowercased().enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in second.enumerated() {
        let replaced = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
