package import XferEvents

/// A place in a log as the user names it: an event or a time.
package enum PlaceExpression: Sendable {
  /// The place after this number of events.
  case number(Int)
  case reference(EventReference)
  /// The place after the first event with one of these names about a matching task.
  case event(names: [String], of: TaskSelector)
  case time(WallTime)

  /// A text that cannot be read as a place.
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package let text: String
    package let problem: String

    package var description: String { "'\(text)' is neither an event nor a time: \(problem)" }
  }

  private static let forms = """
    An event is #12, a reference as `show -o verbose` prints it, 1/2/19, or task:SESSION/NUMBER.EVENT, as task:img/7.resumed; a \
    time is as --since takes it.
    """

  package init(_ text: String, time: TimeExpression) throws(Problem) {
    if text.hasPrefix("#") {
      guard let number = Int(text.dropFirst()), number >= 0, !text.hasPrefix("#+") else {
        throw Problem(text: text, problem: "behind # an event's number is expected, counted from 1.")
      }
      self = .number(number)
    } else if text.hasPrefix("task:") {
      self = try Self.event(of: text)
    } else if let reference = Self.reference(text) {
      self = .reference(reference)
    } else {
      do throws(TimeExpression.Problem) {
        self = .time(try time.time(text))
      } catch {
        throw Problem(text: text, problem: "\(error.problem).\n\(Self.forms)")
      }
    }
  }

  /// Reads a reference such as `1/2/19`.
  private static func reference(_ text: String) -> EventReference? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      let segment = UInt32(parts[0]), let lane = UInt32(parts[1]), let sequence = UInt64(parts[2])
    else { return nil }
    return .record(segment: segment, lane: lane, sequence: sequence)
  }

  /// Reads a task and an event, such as `task:img/7.resumed` or `task:0a1b2c3d.resumed`.
  private static func event(of text: String) throws(Problem) -> PlaceExpression {
    let rest = text.dropFirst(5)
    let start = rest.lastIndex(of: "/") ?? rest.startIndex
    guard let dot = rest[start...].firstIndex(of: "."), dot > rest.startIndex, rest.index(after: dot) < rest.endIndex else {
      throw Problem(text: text, problem: "behind the task an event is expected, as in task:img/7.resumed.")
    }
    let name = String(rest[rest.index(after: dot)...])
    let names = EventNames.named(name)
    guard !names.isEmpty else { throw Problem(text: text, problem: EventNames.advice(name)) }
    return .event(names: names, of: TaskSelector(String(rest[..<dot])))
  }
}
