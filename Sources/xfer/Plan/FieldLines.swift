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

  /// - Parameters:
  ///   - lines: The values of `-H`.
  ///   - read: Reads a file given as `@FILE`.
  init(_ lines: [String], read: (String) throws(OptionProblem) -> [UInt8]) throws(OptionProblem) {
    for line in lines {
      guard line.hasPrefix("@") else {
        try take(line[...])
        continue
      }
      let text = String(decoding: try read(String(line.dropFirst())), as: UTF8.self)
      for line in text.split(whereSeparator: \.isNewline) { try take(line) }
    }
  }

  private mutating func take(_ line: Substring) throws(OptionProblem) {
    guard let end = line.firstIndex(where: { $0 == ":" || $0 == ";" }) else {
      throw OptionProblem("the header field '\(line)' has neither the form 'Name: value' nor 'Name;'")
    }
    let value = line[line.index(after: end)...].drop { $0 == " " || $0 == "\t" }
    guard let name = HTTPField.Name(String(line[..<end])) else {
      throw OptionProblem("'\(line[..<end])' is not a valid field name")
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
    let names = (try? FieldLines(lines.filter { !$0.hasPrefix("@") }) { _ in [] })?.omitted ?? []
    return userAgent == "" ? names.union([HTTPField.Name.userAgent.canonicalName]) : names
  }

  /// Adds a field unless the lines already contain it or leave it out.
  mutating func add(_ name: HTTPField.Name, _ value: String) {
    if !fields.contains(name), !omitted.contains(name.canonicalName) { fields[name] = value }
  }
}
