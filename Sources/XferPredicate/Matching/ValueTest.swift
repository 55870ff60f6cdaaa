/// A comparison without its field, ready to be asked about values.
package struct ValueTest: Sendable {
  private let numbers: NumberTest?
  private let texts: TextTest?
  /// The text that a value must equal, or must not equal; `nil` if the test is another one. It is compared without a copy of `texts`.
  private let exact: String?
  /// The texts with which a value is compared as a whole, for values that are masked.
  private let wholes: Set<String>?
  /// Whether the comparison holds if the check does not.
  private let isNegated: Bool
  private let acceptsMissing: Bool

  private enum NumberTest: Sendable {
    case none
    case range(ClosedRange<Int64>)
    case set(Set<Int64>)

    func holds(_ number: Int64) -> Bool {
      switch self {
      case .none: false
      case .range(let range): range.contains(number)
      case .set(let set): set.contains(number)
      }
    }
  }

  package init(_ comparison: Comparison) {
    let test = comparison.test
    switch test {
    case .notEqual, .findsNot: isNegated = true
    default: isNegated = false
    }
    if case .equalOrMissing = test { acceptsMissing = true } else { acceptsMissing = false }
    numbers = comparison.field.type.isNumber ? Self.numbers(test) : nil
    texts = comparison.field.type.isNumber ? nil : TextTest(test, comparison.options)
    switch test {
    case .equal(.text(let text)), .notEqual(.text(let text)), .equalOrMissing(.text(let text)):
      wholes = [text]
      exact = texts != nil && comparison.options.isEmpty ? text : nil
    case .isIn(let values):
      wholes = Set(values.compactMap { if case .text(let text) = $0 { text } else { nil } })
      exact = nil
    default: (wholes, exact) = (nil, nil)
    }
  }

  private static func numbers(_ test: Comparison.Test) -> NumberTest {
    switch test {
    case .equal(.number(let value)), .notEqual(.number(let value)), .equalOrMissing(.number(let value)): .range(value...value)
    case .less(.number(let value)): value == .min ? .none : .range(.min...value - 1)
    case .lessOrEqual(.number(let value)): .range(.min...value)
    case .greater(.number(let value)): value == .max ? .none : .range(value + 1 ... .max)
    case .greaterOrEqual(.number(let value)): .range(value ... .max)
    case .between(.number(let low), .number(let high)): low <= high ? .range(low...high) : .none
    case .isIn(let values): .set(Set(values.compactMap { if case .number(let number) = $0 { number } else { nil } }))
    default: .none
    }
  }

  /// The levels that pass the test, if they are a range.
  var levels: ClosedRange<UInt8>? {
    guard !isNegated, case .range(let range) = numbers else { return nil }
    let clamped = range.clamped(to: 0...255)
    return clamped.isEmpty || !range.overlaps(0...255) ? nil : UInt8(clamped.lowerBound)...UInt8(clamped.upperBound)
  }

  package func truth(of reading: FieldReading) -> Truth {
    switch reading {
    case .missing: return acceptsMissing ? .yes : .no
    case .unreadable: return .unknown
    case .number(let number): return Truth((numbers?.holds(number) ?? false) != isNegated)
    case .text(let text): return Truth((exact.map { $0 == text } ?? texts?.holds(text) ?? false) != isNegated)
    case .cut(let beginning):
      guard let holds = texts?.holds(beginningOfCut: beginning) else { return .unknown }
      return Truth(holds != isNegated)
    case .masked(let mask):
      // Equal values have equal hashes, but a value that is not stored at all equals nothing that is known.
      guard let wholes, mask.hasPrefix(Self.hashPrefix) else { return .unknown }
      if wholes.contains(mask) { return Truth(!isNegated) }
      return wholes.allSatisfy { $0.hasPrefix(Self.hashPrefix) } ? Truth(isNegated) : .unknown
    case .numbers(let values): return many(values) { numbers?.holds($0) ?? false }
    case .texts(let values): return many(values) { texts?.holds($0) ?? false }
    }
  }

  /// The beginning of the text that stands for a hashed value.
  private static let hashPrefix = "<mask.hash: "

  /// A comparison with several values holds if it holds for one of them; a negative one, if the positive one holds for none.
  private func many<Value>(_ values: [Value], _ holds: (Value) -> Bool) -> Truth {
    if values.isEmpty { return acceptsMissing ? .yes : .no }
    return Truth(values.contains(where: holds) != isNegated)
  }
}
