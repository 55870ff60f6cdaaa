/// A parsed case file, which consists of sections with named parts.
struct CaseDocument {
  /// A part's name, attributes and bytes.
  struct Part {
    let name: String
    let attributes: [String: String]
    /// The bytes after the part's attributes were applied.
    let contents: [UInt8]
    /// Whether the part includes a file that does not exist.
    let isIncomplete: Bool
  }

  /// The parts in order, by section: info, reply, client, verify.
  private(set) var sections: [String: [Part]] = [:]

  /// - Parameter source: the case file after macro expansion.
  init(_ source: [UInt8]) throws(CaseProblem) {
    var section: String?
    var open: (tag: Tag, bytes: [UInt8])?
    for line in source.lines {
      let tag = Tag(line)
      if let (opening, bytes) = open {
        if tag?.isClosing == true, tag?.name == opening.name {
          sections[section!, default: []].append(Part(opening, bytes))
          open = nil
        } else {
          open?.bytes += line
        }
      } else if let tag, tag.name != "testcase" {
        if tag.isClosing {
          guard tag.name == section else { throw CaseProblem("</\(tag.name)> has no opening tag") }
          section = nil
        } else if section == nil {
          section = tag.name
        } else {
          open = (tag, [])
        }
      }
    }
    if let open { throw CaseProblem("<\(open.tag.name)> has no closing tag") }
    if let section { throw CaseProblem("<\(section)> has no closing tag") }
  }

  func part(_ section: String, _ name: String) -> Part? { parts(section, name).first }

  /// Returns all parts with a name, also those whose name is followed by digits.
  func parts(_ section: String, _ name: String) -> [Part] {
    sections[section, default: []].filter { part in
      part.name.hasPrefix(name) && part.name.dropFirst(name.count).allSatisfy { $0.isASCII && $0.isNumber }
    }
  }

  func text(_ section: String, _ name: String) -> String? {
    part(section, name).map { String(decoding: $0.contents, as: UTF8.self) }
  }

  /// Returns the lines of a part, without empty lines and comments.
  func list(_ section: String, _ name: String) -> [String] {
    (text(section, name) ?? "").split(separator: "\n").map { $0.trimmingSpaces }.filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }
}

extension CaseDocument {
  /// A tag alone on its line: `<name key="value">` or `</name>`.
  fileprivate struct Tag {
    let name: String
    let isClosing: Bool
    let attributes: [String: String]

    init?(_ line: ArraySlice<UInt8>) {
      let line = line.drop { $0 == UInt8(ascii: " ") }
      guard line.first == UInt8(ascii: "<") else { return nil }
      let text = String(decoding: line, as: UTF8.self).trimmingSpaces
      guard text.hasSuffix(">"), let tag = text.wholeMatch(of: /<(\/?)([A-Za-z0-9]+)(\s[^>]*)?>+/) else { return nil }
      name = String(tag.2)
      isClosing = !tag.1.isEmpty
      attributes = Dictionary(
        (tag.3 ?? "").matches(of: /([A-Za-z0-9_-]+)="([^"]*)"/).map { (String($0.1), String($0.2)) }, uniquingKeysWith: { $1 })
    }
  }
}

extension CaseDocument.Part {
  fileprivate init(_ tag: CaseDocument.Tag, _ bytes: [UInt8]) {
    var contents = bytes
    if tag.attributes["hex"] == "yes" {
      contents = bytes.filter { !" \t\r\n".utf8.contains($0) }.pairs.flatMap { [UInt8(ascii: "%")] + $0 }.percentDecoded
    }
    switch tag.attributes["crlf"] {
    case "headers": contents = HeaderNewlines.apply(to: contents)
    case "yes": contents = contents.lines.flatMap(HeaderNewlines.enforced)
    default: break
    }
    if tag.attributes["nonewline"] == "yes", contents.last == UInt8(ascii: "\n") {
      contents.removeLast()
      if contents.last == UInt8(ascii: "\r") { contents.removeLast() }
    }
    self.init(
      name: tag.name, attributes: tag.attributes, contents: contents,
      isIncomplete: bytes.firstRange(of: CaseMacros.missingInclude) != nil)
  }
}

extension [UInt8] {
  fileprivate var pairs: [ArraySlice<UInt8>] { stride(from: 0, to: count, by: 2).map { self[$0..<Swift.min($0 + 2, count)] } }
}

extension StringProtocol {
  var trimmingSpaces: String {
    var text = Substring(self).drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
