/// A name with a part that looks as if it were made up anew each time: a UUID, a long number, a time.
struct GeneratedName: Hashable {
  /// The name with each such part as one mark: what names of one maker have in common.
  let template: String
  let isGenerated: Bool

  /// A version, a day or a user's number is shorter.
  private static let digitsLimit = 9
  /// Of hexadecimal digits with a letter and a digit among them, dashes left out: half a UUID.
  private static let hexadecimalLimit = 16

  init(_ name: String) {
    var (template, run, found) = ("", "", false)
    func take() {
      let digits = run.filter { $0 != "-" }
      let isNumber = digits.allSatisfy(\.isNumber) && digits.count >= Self.digitsLimit
      let isMixed = digits.contains(where: \.isNumber) && digits.contains(where: \.isLetter)
      if isNumber || (isMixed && digits.count >= Self.hexadecimalLimit) {
        template += "#"
        found = true
      } else {
        template += run
      }
      run = ""
    }
    for character in name {
      if character.isASCII, character.isHexDigit || (character == "-" && !run.isEmpty) {
        run.append(character)
      } else {
        take()
        template.append(character)
      }
    }
    take()
    self.template = template
    isGenerated = found
  }
}
