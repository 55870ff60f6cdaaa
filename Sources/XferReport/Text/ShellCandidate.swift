/// Completion candidates as the shells' completion scripts expect them.
///
/// The script for bash expands candidates as the shell expands words, including command substitution. A candidate may contain text from
/// a log or a file name, which must not be executed.
package enum ShellCandidate {
  /// Returns the candidates for a shell. Those with control characters are left out, because candidates are separated by line feeds.
  ///
  /// - Parameter shell: the shell's name. `nil` means that the candidates are printed as they are.
  package static func prepared(_ candidates: [String], for shell: String?) -> [String] {
    candidates.lazy.filter { !$0.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) } }.map {
      switch shell {
      case "bash": escaped($0) { !isPlain($0) }
      // A colon separates the candidate from its description.
      case "zsh": escaped($0) { $0 == ":" || $0 == "\\" }
      default: $0
      }
    }
  }

  private static func escaped(_ text: String, where isSpecial: (Unicode.Scalar) -> Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if isSpecial(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// Whether a character stands for itself in every word of bash.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x80 || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      || "/._-+:@%,=".unicodeScalars.contains(scalar)
  }
}
