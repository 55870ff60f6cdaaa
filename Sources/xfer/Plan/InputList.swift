/// A list of URLs in aria2's format: one URL per line, options on indented lines below it, and comments starting with `#`.
struct InputList: Equatable {
  var entries: [Entry] = []

  struct Entry: Equatable {
    var url: String
    /// The output file name, from the option `out=NAME`.
    var name: String?
    /// The output directory, from the option `dir=DIRECTORY`.
    var directory: String?
    /// The expected checksum, from the option `checksum=TYPE=HEX`.
    var checksum: String?
    /// The line number, from 1.
    let line: Int
  }

  struct Problem: Error, Equatable {
    let line: Int
    let text: String
  }

  init(_ text: String) throws(Problem) {
    var number = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let content = Substring(line).trimmingBlanks
      if content.isEmpty || content.utf8.first == UInt8(ascii: "#") { continue }
      if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
        try option(content, number)
      } else if content.utf8.contains(UInt8(ascii: "\t")) {
        throw Problem(line: number, text: "several URLs for one file are not supported; write one URL per line")
      } else {
        entries.append(Entry(url: String(content), line: number))
      }
    }
  }

  private mutating func option(_ text: Substring, _ line: Int) throws(Problem) {
    guard let last = entries.indices.last else { throw Problem(line: line, text: "an option appears before the first URL") }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    switch parts.first {
    case "out" where parts.count == 2: entries[last].name = String(parts[1])
    case "dir" where parts.count == 2: entries[last].directory = String(parts[1])
    case "checksum" where parts.count == 2: entries[last].checksum = String(parts[1])
    default: throw Problem(line: line, text: "unknown option '\(text)'; expected out=NAME, dir=DIRECTORY or checksum=TYPE=HEX")
    }
  }
}

extension Substring {
  /// The text without blanks and carriage returns at its ends.
  fileprivate var trimmingBlanks: Substring {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") }
    let rest = utf8.drop(while: isBlank)
    guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return "" }
    return Substring(rest[...last])
  }
}
