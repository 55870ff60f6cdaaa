import HTTPTypes

/// The header fields given with `-H`, in curl's notation.
struct FieldLines: Equatable {
  var fields = HTTPFields()
  /// The lowercase names of fields to leave out.
  var omitted: Set<String> = []
  /// The value of a given Content-Length field, used for a body of unknown size.
  var contentLength: Int64?
  /// Whether to send the body in chunks.
  var isChunked = false

  /// - Parameter lines: The values of `-H`, with the lines of files in place of `@FILE`.
  init(_ lines: [String]) throws(OptionProblem) {
    for line in lines { try take(line[...]) }
  }

  /// Returns the values of `-H` with the lines of each `@FILE` in its place. Blank lines are left out.
  ///
  /// - Parameter read: Reads a file.
  static func expanded(
    _ values: [String], read: (String) throws(OptionProblem) -> [UInt8]
  ) throws(OptionProblem) -> [String] {
    var lines: [String] = []
    for value in values {
      guard value.hasPrefix("@") else {
        lines.append(value)
        continue
      }
      let text = String(decoding: try read(String(value.dropFirst())), as: UTF8.self)
      lines += text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
    }
    return lines
  }

  private mutating func take(_ line: Substring) throws(OptionProblem) {
    guard let end = line.firstIndex(where: { $0 == ":" || $0 == ";" }) else {
      if TypographicQuote.begins(line) { return }
      throw OptionProblem("the header field '\(line)' has neither the form 'Name: value' nor 'Name;'")
    }
    let value = line[line.index(after: end)...].drop { $0 == " " || $0 == "\t" }
    let blanks = { (character: Character) in character == " " || character == "\t" }
    var label = line[..<end].drop(while: blanks)
    while label.last.map(blanks) ?? false { label.removeLast() }
    guard let name = HTTPField.Name(String(label)) else {
      // The option scanner has warned about the quotation mark. The rest of the line is in other arguments.
      if TypographicQuote.begins(line) { return }
      throw OptionProblem("'\(label)' is not a valid field name")
    }
    if line[end] == ";" {
      guard value.isEmpty else { throw OptionProblem("the header field '\(line)' has text after its semicolon") }
      return fields.append(HTTPField(name: name, value: ""))
    }
    guard !value.isEmpty else {
      omitted.insert(name.canonicalName)
      return
    }
    switch name {
    case .contentLength: contentLength = Int64(value)
    case .transferEncoding: isChunked = value.lowercased() == "chunked"
    default: fields.append(HTTPField(name: name, value: String(value)))
    }
  }

  /// Returns the lowercase names of fields left out by lines like `Name:`, and User-Agent when the given user agent is empty.
  static func omittedNames(_ lines: [String], userAgent: String?) -> Set<String> {
    let names = (try? FieldLines(lines))?.omitted ?? []
    return userAgent == "" ? names.union([HTTPField.Name.userAgent.canonicalName]) : names
  }

  /// Adds a field unless the lines already contain it or leave it out.
  mutating func add(_ name: HTTPField.Name, _ value: String) {
    if !fields.contains(name), !omitted.contains(name.canonicalName) { fields[name] = value }
  }
}
