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
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let content = line.trimming(" \t")
      if content.isEmpty || content.first == "#" { continue }
      if line.first == " " || line.first == "\t" {
        try option(content, number)
      } else if content.contains("\t") {
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
  fileprivate func trimming(_ characters: String) -> Substring {
    var rest = drop { characters.contains($0) }
    while let last = rest.last, characters.contains(last) { rest.removeLast() }
    return rest
  }
}
