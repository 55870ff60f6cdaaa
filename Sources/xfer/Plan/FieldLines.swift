import HTTPTypes

/// The fields that `-H` asks for, in curl's way of writing them.
struct FieldLines: Equatable {
  var fields = HTTPFields()
  /// Fields that are to be left out, lower case.
  var omitted: Set<String> = []
  /// Of a body whose size is not known otherwise.
  var contentLength: Int64?
  /// Whether the body is to be sent in chunks.
  var isChunked = false

  /// - Parameters:
  ///   - lines: those of the command line.
  ///   - read: reads a file that `@` names.
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
      throw OptionProblem("the field '\(line)' is neither 'Name: value' nor 'Name;'")
    }
    let value = line[line.index(after: end)...].drop { $0 == " " || $0 == "\t" }
    guard let name = HTTPField.Name(String(line[..<end])) else { throw OptionProblem("'\(line[..<end])' is no name of a field") }
    if line[end] == ";" {
      guard value.isEmpty else { throw OptionProblem("the field '\(line)' has something behind its ;") }
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

  /// The names that lines like `Name:` leave out, lower case; with an empty user agent that one, too.
  static func omittedNames(_ lines: [String], userAgent: String?) -> Set<String> {
    let names = (try? FieldLines(lines.filter { !$0.hasPrefix("@") }) { _ in [] })?.omitted ?? []
    return userAgent == "" ? names.union([HTTPField.Name.userAgent.canonicalName]) : names
  }

  /// Adds a field that the lines neither have nor leave out.
  mutating func add(_ name: HTTPField.Name, _ value: String) {
    if !fields.contains(name), !omitted.contains(name.canonicalName) { fields[name] = value }
  }
}
