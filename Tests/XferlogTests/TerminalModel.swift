/// The lines that a terminal shows after a program has written to it. Colors are left out.
struct TerminalModel {
  private(set) var lines: [[Character]] = [[]]
  private(set) var isAlternate = false
  private(set) var isCursorHidden = false
  private var row = 0
  private var column = 0
  private var main: [[Character]] = []

  init(_ bytes: [UInt8]) {
    var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1b}": escape(&rest)
      case "\r": column = 0
      case "\n":
        row += 1
        // The programs write lines that end with a line feed alone.
        column = 0
        grow()
      default: put(Character(scalar))
      }
    }
  }

  /// The shown lines without spaces at their ends, up to the last line that is not empty.
  var text: [String] {
    var text = lines.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return String(line)
    }
    while text.last == "" { text.removeLast() }
    return text
  }

  private mutating func grow() { while lines.count <= row { lines.append([]) } }

  private mutating func put(_ character: Character) {
    grow()
    while lines[row].count < column { lines[row].append(" ") }
    if column < lines[row].count { lines[row][column] = character } else { lines[row].append(character) }
    column += 1
  }

  private mutating func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
    guard rest.popFirst() == "[" else { return }
    var parameters = ""
    while let scalar = rest.popFirst() {
      guard scalar.properties.isAlphabetic else {
        parameters.unicodeScalars.append(scalar)
        continue
      }
      return perform(scalar, parameters)
    }
  }

  private mutating func perform(_ command: Unicode.Scalar, _ parameters: String) {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 1 }
    switch (command, parameters) {
    case ("h", "?1049"), ("l", "?1049"):
      isAlternate = command == "h"
      if isAlternate { main = lines }
      lines = isAlternate ? [[]] : main
      (row, column) = (isAlternate ? 0 : max(0, lines.count - 1), 0)
    case ("h", "?25"): isCursorHidden = false
    case ("l", "?25"): isCursorHidden = true
    case ("H", _):
      (row, column) = ((numbers.first ?? 1) - 1, numbers.count > 1 ? numbers[1] - 1 : 0)
      grow()
    case ("K", _):
      grow()
      lines[row] = Array(lines[row].prefix(column))
    case ("J", _):
      grow()
      lines[row] = Array(lines[row].prefix(column))
      lines = Array(lines.prefix(row + 1))
    default: break
    }
  }
}
