/// The path of a URL without the parts that differ between equal requests: numbers, UUIDs and hexadecimal identifiers.
enum PathTemplate {
  /// Returns the template of a path: `/tiles/12/7f3a9c01.png` has the template `/tiles/{n}/{id}.png`.
  static func of(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { template(ofSegment: $0) }.joined(separator: "/")
  }

  private static func template(ofSegment segment: Substring) -> String {
    var (result, rest) = ("", segment)
    while !rest.isEmpty {
      let word = rest.prefix(while: isWordCharacter)
      if word.isEmpty {
        result.append(rest.removeFirst())
      } else {
        result += isIdentifier(word) ? "{id}" : withoutNumbers(word)
        rest = rest[word.endIndex...]
      }
    }
    return result
  }

  /// Whether a character can be part of a word. Hyphens can, because a UUID has some.
  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "-")
  }

  /// Whether a word is a UUID, or has at least eight hexadecimal digits with a decimal digit among them.
  private static func isIdentifier(_ word: Substring) -> Bool {
    let digits = word.filter { $0 != "-" }
    guard digits.count >= 8, digits.allSatisfy(\.isHexDigit), digits.contains(where: \.isNumber) else { return false }
    let hyphens = word.count - digits.count
    return hyphens == 0 ? !digits.allSatisfy(\.isNumber) : hyphens == 4 && digits.count == 32
  }

  private static func withoutNumbers(_ word: Substring) -> String {
    var (result, isInNumber) = ("", false)
    for character in word {
      if character.isNumber {
        if !isInNumber { result += "{n}" }
      } else {
        result.append(character)
      }
      isInNumber = character.isNumber
    }
    return result
  }
}
