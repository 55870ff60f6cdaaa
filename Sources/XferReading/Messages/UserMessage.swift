import XferReport

/// A message for people, of one or several lines.
///
/// Only what the program itself says breaks lines. In a value, such as the name of a file or a text of a log, control characters are shown as
/// their escapes, so that no value begins a line of its own.
package struct UserMessage: Sendable, Equatable, CustomStringConvertible, ExpressibleByStringInterpolation {
  /// The lines, separated by line feeds.
  package private(set) var description: String

  package init(stringLiteral text: String) { description = text }
  package init(stringInterpolation interpolation: StringInterpolation) { description = interpolation.text }

  /// Creates a message of one line.
  package init(_ line: String) { description = TerminalText.escaped(line) }

  /// Creates a message from the lines of a text.
  package init(linesOf text: String) {
    description = text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.escaped(String($0)) }
      .joined(separator: "\n")
  }

  /// Creates a message of several lines.
  package init(lines: [String]) { description = lines.map(TerminalText.escaped).joined(separator: "\n") }

  /// Creates a message of several others, one below the other.
  package init(_ messages: [UserMessage]) { description = messages.map(\.description).joined(separator: "\n") }

  package var isEmpty: Bool { description.isEmpty }

  /// The first line, which names the place and the problem, without its full stop.
  package var problem: String {
    let line = description.prefix { $0 != "\n" }
    return String(line.hasSuffix(".") ? line.dropLast() : line)
  }

  package static func + (left: UserMessage, right: UserMessage) -> UserMessage {
    var message = left
    message.description += right.description
    return message
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 32 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    // Most values are texts, for which the casts below are searches of the conformances of all types.
    package mutating func appendInterpolation(_ value: String) { text += TerminalText.escaped(value) }

    package mutating func appendInterpolation<Value>(_ value: Value) {
      switch value {
      case let message as UserMessage: text += message.description
      case let error as any DescribedError: text += error.message.description
      default: text += TerminalText.escaped(String(describing: value))
      }
    }
  }
}

/// An error with a message of several lines.
package protocol DescribedError: Error {
  var message: UserMessage { get }
}
