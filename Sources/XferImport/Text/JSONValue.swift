/// A JSON value that was read completely.
package indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Sendable {
    package let key: String
    package let value: JSONValue
  }

  /// The value of a member; `nil` if this is no object, or if the member is missing or null.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self, let member = members.first(where: { $0.key == key }) else { return nil }
    if case .null = member.value { return nil }
    return member.value
  }

  /// The value behind several members, one within the other.
  package subscript(path: [String]) -> JSONValue? {
    var value: JSONValue? = self
    for key in path { value = value?[key] }
    return value
  }

  package var members: [Member] { if case .object(let members) = self { members } else { [] } }
  package var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
  package var isObject: Bool { if case .object = self { true } else { false } }

  /// The text; `nil` if the value is no string, or empty.
  package var text: String? {
    guard case .string(let text) = self, !text.isEmpty else { return nil }
    return text
  }

  package var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }

  /// The integer. A string of digits counts, because several formats write large numbers as strings.
  package var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number.rounded(.towardZero))
    case .string(let text): Int64(text)
    default: nil
    }
  }

  /// The number; `nil` if the value is no number or not finite.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number.isFinite ? number : nil
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    default: nil
    }
  }

  /// A scalar value as text, for identifiers that are numbers in some logs and strings in others.
  package var scalarText: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .bool(let flag): String(flag)
    case .null, .array, .object: nil
    }
  }

  package var int: Int? { integer.map { Int(clamping: $0) } }
}
