/// A replacement `s/pattern/text/` for text that differs between runs, applied before texts are compared.
struct Substitution: Sendable {
  let pattern: String
  let replacement: String

  static func list(_ lines: [String]) throws(CaseProblem) -> [Substitution] {
    var list: [Substitution] = []
    for line in lines { list.append(try Substitution(line)) }
    return list
  }

  init(_ line: String) throws(CaseProblem) {
    let parts = line.dropFirst().dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard line.hasPrefix("s/"), parts.count == 3, (try? Regex(String(parts[0]))) != nil else {
      throw CaseProblem("`\(line)` is not a replacement of the form s/pattern/text/")
    }
    (pattern, replacement) = (String(parts[0]), String(parts[1]))
  }

  /// Replaces the first match in each line.
  func apply(to bytes: [UInt8]) -> [UInt8] {
    guard let regex = try? Regex(pattern) else { return bytes }
    return bytes.lines.flatMap { line in
      var text = String(decoding: line, as: UTF8.self)
      guard let match = text.firstMatch(of: regex) else { return Array(line) }
      text.replaceSubrange(match.range, with: replacement)
      return Array(text.utf8)
    }
  }
}
