#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A sequence of a pattern's tokens in memory without reference counts, so that matching costs neither counting nor allocations.
// The memory behind the pointers is written in the initialiser only.
final class ShapeProgram: @unchecked Sendable {
  struct Step {
    enum Kind: UInt8 { case literal, any, word, integer, optionalInteger, number, hexadecimal, uuid, end }

    let kind: Kind
    /// The number of the name under which the text is captured; `unnamed` if it is not captured.
    let name: UInt8
    let literal: UnsafeRawBufferPointer
  }

  /// The number of texts that are not captured.
  static let unnamed: UInt8 = 0xFF

  let steps: UnsafeBufferPointer<Step>

  /// - Parameter number: returns the number of a name; `nil` if texts with the name are not captured.
  init(_ tokens: [ShapePattern.Token], number: (String) -> UInt8?) {
    let memory = UnsafeMutableBufferPointer<Step>.allocate(capacity: tokens.count)
    for (place, token) in tokens.enumerated() { memory.initializeElement(at: place, to: Step(token, number)) }
    steps = UnsafeBufferPointer(memory)
  }

  deinit {
    for step in steps { step.literal.deallocate() }
    UnsafeMutableBufferPointer(mutating: steps).deallocate()
  }

  /// The literal with which the sequence begins; empty if it begins with another token.
  var literal: UnsafeRawBufferPointer { steps.first?.literal ?? UnsafeRawBufferPointer(start: nil, count: 0) }
}

extension ShapeProgram.Step {
  fileprivate init(_ token: ShapePattern.Token, _ number: (String) -> UInt8?) {
    func capture(_ kind: Kind, _ name: String) -> Self {
      .init(
        kind: kind, name: name.isEmpty ? ShapeProgram.unnamed : number(name) ?? ShapeProgram.unnamed,
        literal: .init(start: nil, count: 0))
    }
    switch token {
    case .literal(let bytes):
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
      memory.copyBytes(from: bytes)
      self.init(kind: .literal, name: ShapeProgram.unnamed, literal: UnsafeRawBufferPointer(memory))
    case .any(let name): self = capture(.any, name)
    case .word(let name): self = capture(.word, name)
    case .integer(let name, let isOptional): self = capture(isOptional ? .optionalInteger : .integer, name)
    case .number(let name): self = capture(.number, name)
    case .hexadecimal(let name): self = capture(.hexadecimal, name)
    case .uuid(let name): self = capture(.uuid, name)
    case .end: self = capture(.end, "")
    }
  }
}

/// The places of the texts that a pattern captures, at most eight. Places are less than 65,536.
package struct ShapeCaptures: Sendable {
  private(set) var count = 0
  private var names = SIMD8<UInt8>.zero
  private var starts = SIMD8<UInt16>.zero
  private var ends = SIMD8<UInt16>.zero

  /// The largest place.
  static let limit = Int(UInt16.max)

  mutating func append(_ name: UInt8, _ range: Range<Int>) {
    guard count < 8 else { return }
    (names[count], starts[count], ends[count]) = (name, UInt16(clamping: range.lowerBound), UInt16(clamping: range.upperBound))
    count += 1
  }

  mutating func removeLast(_ removed: Int) { count = max(0, count - removed) }

  /// The name and the place of a capture.
  subscript(place: Int) -> (name: UInt8, range: Range<Int>) {
    (names[place], Int(starts[place])..<max(Int(starts[place]), Int(ends[place])))
  }

  /// Returns the place of the first text with a name; `nil` if there is none.
  func range(_ name: UInt8) -> Range<Int>? {
    for place in 0..<count where names[place] == name { return self[place].range }
    return nil
  }
}

/// One attempt to match a program.
struct ShapeMatch {
  private let bytes: UnsafeRawBufferPointer
  private let steps: UnsafeBufferPointer<ShapeProgram.Step>
  private(set) var captures = ShapeCaptures()
  /// The number of further steps that the search for the places of `{name}` may take.
  private var budget = 4096

  /// - Parameter steps: the steps of a program that outlives the match.
  init(_ steps: UnsafeBufferPointer<ShapeProgram.Step>, _ bytes: UnsafeRawBufferPointer) {
    (self.bytes, self.steps) = (bytes, steps)
  }

  /// - Returns: whether the program matches from `place` on.
  mutating func matches(at place: Int) -> Bool { matches(0, at: place) }

  private mutating func matches(_ index: Int, at place: Int) -> Bool {
    var (index, place) = (index, place)
    // Literals are matched in this loop, so that only the places of text are recursive.
    while index < steps.count, steps[index].kind == .literal {
      guard bytes.has(steps[index].literal, at: place) else { return false }
      place += steps[index].literal.count
      index += 1
    }
    guard index < steps.count else { return true }
    let name = steps[index].name
    switch steps[index].kind {
    case .end: return place == bytes.count
    // The loop above has passed all literals.
    case .literal: return false
    case .integer, .optionalInteger:
      let end = bytes.endOfInteger(from: place)
      if end == place, steps[index].kind == .integer { return false }
      return capture(name, place..<end, then: index)
    case .number:
      var end = place
      while end < bytes.count, bytes[end].isDigit || bytes[end] == 0x2E { end += 1 }
      return end > place && capture(name, place..<end, then: index)
    case .hexadecimal:
      var end = place
      while end < bytes.count, bytes[end].hexadecimalValue != nil { end += 1 }
      return end > place && capture(name, place..<end, then: index)
    case .uuid:
      var scanner = ByteScanner(bytes)
      scanner.move(to: place)
      return scanner.takeUUID() != nil && capture(name, place..<scanner.place, then: index)
    case .any: return search(name, from: place, then: index, isWord: false)
    case .word: return search(name, from: place, then: index, isWord: true)
    }
  }

  private mutating func capture(_ name: UInt8, _ range: Range<Int>, then index: Int) -> Bool {
    let count = captures.count
    if name != ShapeProgram.unnamed { captures.append(name, range) }
    if matches(index + 1, at: range.upperBound) { return true }
    captures.removeLast(captures.count - count)
    return false
  }

  /// Matches text up to the first place at which the rest of the program matches.
  private mutating func search(_ name: UInt8, from place: Int, then index: Int, isWord: Bool) -> Bool {
    let end = isWord ? bytes.endOfWord(from: place) : bytes.count
    if isWord, end == place { return false }
    guard index + 1 < steps.count else { return capture(name, place..<end, then: index) }
    guard steps[index + 1].kind == .literal else {
      var stop = isWord ? place + 1 : place
      while stop <= end, budget > 0 {
        budget -= 1
        if capture(name, place..<stop, then: index) { return true }
        stop += 1
      }
      return false
    }
    var from = isWord ? place + 1 : place
    while budget > 0, let found = bytes.first(steps[index + 1].literal, from: from), found <= end {
      budget -= 1
      if capture(name, place..<found, then: index) { return true }
      from = found + 1
    }
    return false
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a literal is at a place.
  @inline(__always)
  func has(_ literal: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard place >= 0, place + literal.count <= count else { return false }
    guard let base = baseAddress, let start = literal.baseAddress, !literal.isEmpty else { return literal.isEmpty }
    // Most literals that begin alike end with another byte.
    return self[place + literal.count - 1] == literal[literal.count - 1] && memcmp(base + place, start, literal.count) == 0
  }

  /// Returns the end of the integer at a place: an optional minus sign and digits of a number that fits in 64 bits, which may be a negative
  /// number that was printed as an unsigned one; `place` if there is none.
  fileprivate func endOfInteger(from place: Int) -> Int {
    var end = place
    if end < count, self[end] == 0x2D { end += 1 }
    let digits = end
    while end < count, self[end].isDigit { end += 1 }
    if end == digits { return place }
    var scanner = ByteScanner(self)
    scanner.move(to: place)
    if end - digits < 19 {
      // The first digits may be those of an unsigned number with commas.
      guard end - digits == 2, end < count, self[end] == 0x2C, scanner.takeWrappedInteger() != nil else { return end }
      return scanner.place
    }
    return scanner.takeInteger() == nil && scanner.takeWrappedInteger() == nil ? place : scanner.place
  }

  fileprivate func endOfWord(from place: Int) -> Int {
    var end = place
    while end < count, self[end] > 0x20 { end += 1 }
    return end
  }
}
