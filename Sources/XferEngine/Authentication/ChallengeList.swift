/// The parsed challenges of `WWW-Authenticate` or `Proxy-Authenticate` (RFC 9110 §11.6.1), in the server's order.
struct ChallengeList {
  struct Challenge: Equatable {
    /// The authentication scheme in lower case.
    let scheme: String
    /// The parameters by lower-case name. If a parameter occurs more than once, its first value counts.
    var parameters: [String: String] = [:]
    /// The token that replaces parameters in schemes such as Negotiate. `nil` if there is none.
    var token: String?
  }

  private(set) var challenges: [Challenge] = []

  /// The maximum number of parsed challenges, which limits the work that a hostile server can cause.
  private static let limit = 16

  /// Parses the field's values. A syntax error ends the parsing of its line.
  ///
  /// - Parameter values: the value of each field line.
  init(_ values: [String]) {
    for value in values {
      var scanner = Scanner(rest: Substring(value))
      while challenges.count < Self.limit, let item = scanner.next() { take(item) }
    }
  }

  private mutating func take(_ item: Scanner.Item) {
    switch item {
    case .scheme(let name): challenges.append(Challenge(scheme: name.lowercased()))
    case .parameter(let name, let value):
      guard let last = challenges.indices.last, challenges[last].parameters[name.lowercased()] == nil else { return }
      challenges[last].parameters[name.lowercased()] = value
    case .token(let token): if let last = challenges.indices.last { challenges[last].token = token }
    }
  }

  private struct Scanner {
    enum Item {
      case scheme(String)
      case parameter(String, String)
      case token(String)
    }

    var rest: Substring

    private static func isTokenCharacter(_ character: Character) -> Bool {
      guard let code = character.asciiValue else { return false }
      return 33...126 ~= code && !"()<>@,;:\\\"/[]?={}".contains(character)
    }

    private mutating func skip(_ blanks: String) { rest = rest.drop { blanks.contains($0) } }

    mutating func next() -> Item? {
      skip(" \t,")
      let word = rest.prefix { Self.isTokenCharacter($0) || $0 == "/" }
      guard !word.isEmpty else { return nil }
      var behind = rest.dropFirst(word.count)
      let equals = behind.drop { " \t".contains($0) }
      guard equals.first == "=" else {
        rest = behind
        return .scheme(String(word))
      }
      behind = equals.dropFirst()
      let value = behind.drop { " \t".contains($0) }
      if value.first == "\"" {
        rest = value
        return quoted().map { .parameter(String(word), $0) }
      }
      let plain = value.prefix(while: Self.isTokenCharacter)
      rest = value.dropFirst(plain.count)
      // A trailing `=` is base64 padding and belongs to a token.
      if plain.isEmpty {
        rest = rest.drop { $0 == "=" }
        return .token(String(word))
      }
      return .parameter(String(word), String(plain))
    }

    private mutating func quoted() -> String? {
      var text = ""
      var place = rest.index(after: rest.startIndex)
      while place < rest.endIndex {
        switch rest[place] {
        case "\"":
          rest = rest[rest.index(after: place)...]
          return text
        case "\\":
          place = rest.index(after: place)
          if place < rest.endIndex { text.append(rest[place]) }
        default: text.append(rest[place])
        }
        if place < rest.endIndex { place = rest.index(after: place) }
      }
      return nil
    }
  }
}
