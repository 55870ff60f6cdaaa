package import XferEvents
package import XferReading

/// A place in a log as the user names it: an event or a time.
package enum PlaceExpression: Sendable {
  /// The place after this number of events.
  case number(Int)
  case reference(EventReference)
  /// The place after the first event with one of these names about a matching task.
  case event(names: [String], of: TaskSelector)
  case time(WallTime)

  /// The error for a text that names neither an event nor a time.
  package struct Problem: DescribedError, Equatable, CustomStringConvertible {
    package let text: String
    package let problem: UserMessage

    package var description: String { message.description }

    package var message: UserMessage { "'\(text)' is neither an event nor a time: \(problem)" }
  }

  private static let forms: UserMessage = """
    An event is written as #12, as a reference such as 1/2/19 or FILE:LINE (printed by `show -o verbose`), or as \
    task:SESSION/NUMBER.EVENT, for example task:img/7.resumed. A time is written as for `show --since`.
    """

  /// A file that an importer reads line by line.
  package struct LineFile: Hashable, Sendable {
    /// The number of the file in references.
    package let number: UInt32
    package let name: String

    package init(number: UInt32, name: String) {
      self.number = number
      self.name = name
    }
  }

  /// - Parameter files: the files whose lines a text may name as `FILE:LINE`.
  package init(_ text: String, time: TimeExpression, files: [LineFile] = []) throws(Problem) {
    if text.hasPrefix("#") {
      guard let number = Int(text.dropFirst()), number >= 0, !text.hasPrefix("#+") else {
        throw Problem(text: text, problem: "# must be followed by the number of an event, counted from 1.")
      }
      self = .number(number)
    } else if text.hasPrefix("task:") {
      self = try Self.event(of: text)
    } else if let reference = Self.reference(text) ?? Self.line(text, files) {
      self = .reference(reference)
    } else {
      do throws(TimeExpression.Problem) {
        self = .time(try time.time(text))
      } catch {
        throw Problem(text: text, problem: "\(error.problem).\n\(Self.forms)")
      }
    }
  }

  /// Reads a reference such as `1/2/19`, or `2:1/2/19` for a record of the second log.
  private static func reference(_ text: String) -> EventReference? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let first = parts[0].split(separator: ":", omittingEmptySubsequences: false)
    guard first.count <= 2, (first + parts[1...]).allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let log = first.count == 2 ? UInt16(first[0]) : 1, log > 0,
      let segment = UInt32(first[first.count - 1]), let lane = UInt32(parts[1]), let sequence = UInt64(parts[2])
    else { return nil }
    return .record(segment: segment, lane: lane, sequence: sequence, log: log - 1)
  }

  /// Reads a line of a file such as `1:19` or `curl.trace:19`.
  ///
  /// A text such as `1:19` is also a time of day. It means a line when there is a file of that number.
  private static func line(_ text: String, _ files: [LineFile]) -> EventReference? {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let (name, digits) = (text[..<colon], text[text.index(after: colon)...])
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let line = UInt64(digits) else { return nil }
    if let number = UInt32(name), files.contains(where: { $0.number == number }) || digits.count != 2 {
      return .line(file: number, line: line)
    }
    let named = files.filter { $0.name == name || $0.name.hasSuffix("/" + name) }
    return named.count == 1 ? .line(file: named[0].number, line: line) : nil
  }

  /// Reads a task and an event, such as `task:img/7.resumed` or `task:0a1b2c3d.resumed`.
  private static func event(of text: String) throws(Problem) -> PlaceExpression {
    let rest = text.dropFirst(5)
    let start = rest.lastIndex(of: "/") ?? rest.startIndex
    guard let dot = rest[start...].firstIndex(of: "."), dot > rest.startIndex, rest.index(after: dot) < rest.endIndex else {
      throw Problem(text: text, problem: "the task must be followed by an event, as in task:img/7.resumed.")
    }
    let name = String(rest[rest.index(after: dot)...])
    let names = EventNames.named(name)
    guard !names.isEmpty else { throw Problem(text: text, problem: UserMessage(EventNames.advice(name))) }
    return .event(names: names, of: TaskSelector(String(rest[..<dot])))
  }
}
