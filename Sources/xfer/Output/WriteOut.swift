import Foundation
import HTTPTypes
import XferEngine

/// A format of `-w`, as in curl: text with `%{name}` placeholders.
struct WriteOut {
  private let format: String

  enum Place: Equatable {
    case standardOutput
    case standardError
    case file(String, appends: Bool)
  }

  struct Piece: Equatable {
    var place: Place
    var text: String
  }

  init(_ format: String) { self.format = format }

  /// Returns the expanded text in pieces, each with the output to which it is written.
  func pieces(for result: TransferResult) -> [Piece] {
    let values = WriteOutValues(result)
    var pieces = [Piece(place: .standardOutput, text: "")]
    var rest = format[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\":
        guard let escaped = rest.popFirst() else { break }
        pieces[pieces.count - 1].text += ["n": "\n", "r": "\r", "t": "\t"][escaped] ?? "\\\(escaped)"
      case "%": Self.expand(&rest, &pieces, values, result)
      default: pieces[pieces.count - 1].text.append(character)
      }
    }
    return pieces.filter { !$0.text.isEmpty || $0.place != .standardOutput }
  }

  /// - Parameter rest: The format's text after the percent sign. The expanded placeholder is removed from it.
  private static func expand(
    _ rest: inout Substring, _ pieces: inout [Piece], _ values: WriteOutValues, _ result: TransferResult
  ) {
    if rest.first == "%" {
      rest = rest.dropFirst()
      pieces[pieces.count - 1].text += "%"
    } else if let argument = argument("output", &rest) {
      let appends = argument.hasPrefix(">>")
      pieces.append(Piece(place: .file(String(appends ? argument.dropFirst(2) : argument), appends: appends), text: ""))
    } else if let argument = argument("header", &rest) {
      pieces[pieces.count - 1].text += values.field(argument)
    } else if let name = argument("", &rest) {
      switch name {
      case "stdout": pieces.append(Piece(place: .standardOutput, text: ""))
      case "stderr": pieces.append(Piece(place: .standardError, text: ""))
      case "onerror": if result.problem == nil { rest = "" }
      default: pieces[pieces.count - 1].text += values.text(String(name)) ?? ""
      }
    } else {
      pieces[pieces.count - 1].text += "%"
    }
  }

  /// Removes and returns the text in braces after a name, or returns `nil` when the name has no braces.
  private static func argument(_ name: String, _ rest: inout Substring) -> Substring? {
    guard rest.hasPrefix("\(name){"), let end = rest.firstIndex(of: "}") else { return nil }
    defer { rest = rest[rest.index(after: end)...] }
    return rest[rest.index(rest.startIndex, offsetBy: name.count + 1)..<end]
  }
}
