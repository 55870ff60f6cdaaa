import XferEvents
import XferPredicate
import XferQuery

extension ResultValue {
  /// The value in readable form for a table.
  func shown(_ type: ValueType, zone: ZoneRule?) -> String {
    switch (self, type) {
    case (.null, _): "-"
    case (.text(let text), _): text
    case (.uid(let uid), _): "\(uid)"
    case (.decimal(let number), _): Self.rounded(number)
    case (.number(let number), .bytes): ByteCount(number).description
    case (.number(let number), .duration): Duration.nanoseconds(number).short
    case (.number(let number), .flag): number == 0 ? "no" : "yes"
    case (.number(let number), .time): WallTime(nanoseconds: number).description(in: zone)
    case (.number(let number), _): type.text(of: .number(number))
    }
  }

  /// The exact value for a cell of CSV.
  func cell(_ type: ValueType) -> String {
    switch (self, type) {
    case (.null, _): ""
    case (.text(let text), _): text
    case (.uid(let uid), _): "\(uid)"
    case (.decimal(let number), _): "\(number)"
    case (.number(let number), .bytes), (.number(let number), .duration): "\(number)"
    case (.number(let number), .time): WallTime(nanoseconds: number).description
    case (.number(let number), _): type.text(of: .number(number))
    }
  }

  func write(_ type: ValueType, to json: inout JSONText) {
    switch (self, type) {
    case (.null, _): json.null()
    case (.text(let text), _): json.string(text)
    case (.uid(let uid), _): json.string("\(uid)")
    case (.decimal(let number), _): json.number(number)
    case (.number(let number), .flag): json.boolean(number != 0)
    case (.number(let number), .time): json.string(WallTime(nanoseconds: number).description)
    case (.number(let number), .level), (.number(let number), .rank): json.string(type.text(of: .number(number)))
    case (.number(let number), _): json.integer(number)
    }
  }

  /// Returns a number with two digits after the point.
  private static func rounded(_ number: Double) -> String {
    guard number.magnitude < 1e15 else { return "\(number)" }
    let hundredths = Int64((number.magnitude * 100).rounded())
    let digits = hundredths % 100
    return "\(number < 0 ? "-" : "")\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)"
  }
}

extension ValueType {
  /// Whether values are quantities, which tables align to the right.
  var isQuantity: Bool {
    switch self {
    case .bytes, .count, .duration: true
    default: false
    }
  }

  /// The unit of numbers in documents; `nil` if there is none.
  var unit: String? {
    switch self {
    case .bytes: "bytes"
    case .duration: "nanoseconds"
    default: nil
    }
  }
}
