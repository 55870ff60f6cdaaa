/// Finds out which of several literals occur in a text, in less than one step per byte (after Wu and Manber, "A fast algorithm for
/// multi-pattern searching").
///
/// The text is examined at every place at which the last four bytes of the literals' common length may lie. Most groups of four bytes of
/// a text are in no literal, so the search moves forward by nearly that length. A short literal would shorten all moves. If it has an
/// underscore, which is rare in texts, it is searched for by its underscore instead.
// The memory behind the pointers is written in the initialiser only.
final class LiteralFinder: @unchecked Sendable {
  /// The numbers of literals, as a set of bits.
  struct Found: Sendable {
    fileprivate var bits = SIMD4<UInt64>.zero

    /// The largest number of literals.
    static let limit = 256

    var isEmpty: Bool { bits == .zero }
    func contains(_ number: Int) -> Bool { bits[(number >> 6) & 3] >> UInt64(number & 63) & 1 == 1 }
    fileprivate mutating func insert(_ number: Int) { bits[(number >> 6) & 3] |= 1 << UInt64(number & 63) }
  }

  private struct Literal {
    let bytes: UnsafeRawBufferPointer
    let number: Int
    /// The index of the next literal with the same group of bytes at the end of the common length; -1 if there is none.
    let next: Int
  }

  /// The number of bytes of each literal that are searched.
  private let length: Int
  /// The number of bytes that are looked up together: four, or fewer if a literal has fewer.
  private let group: Int
  private let literals: UnsafeMutableBufferPointer<Literal>
  /// The number of bytes by which the search moves if a group of bytes is not the last of a literal.
  private let shifts: UnsafeMutablePointer<UInt8>
  /// The index of the first literal whose last group this is; -1 if there is none.
  private let heads: UnsafeMutablePointer<Int16>

  /// The short literals, with the place of their first underscore.
  private let short: UnsafeMutableBufferPointer<(bytes: UnsafeRawBufferPointer, number: Int, place: Int)>

  /// The size of `shifts` and `heads`.
  private static let slots = 1 << 13
  /// The number of bytes of the longest literal that counts as short.
  private static let shortest = 7
  private static let underscore = UInt8(ascii: "_")

  /// - Parameter literals: texts of at least two bytes with their numbers, which are less than `Found.limit`. The memory of the texts
  ///   must outlive the finder.
  init(_ all: [(bytes: UnsafeRawBufferPointer, number: Int)]) {
    func isShort(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.count <= Self.shortest && bytes.contains(Self.underscore) }
    let found = all.filter { isShort($0.bytes) }
    short = .allocate(capacity: found.count)
    _ = short.initialize(from: found.map { ($0.bytes, $0.number, $0.bytes.firstIndex(of: Self.underscore) ?? 0) })
    let wanted = all.filter { !isShort($0.bytes) }
    length = min(16, wanted.map(\.bytes.count).min() ?? 2)
    literals = .allocate(capacity: wanted.count)
    group = min(4, length)
    (shifts, heads) = (.allocate(capacity: Self.slots), .allocate(capacity: Self.slots))
    shifts.initialize(repeating: UInt8(clamping: max(1, length - group + 1)), count: Self.slots)
    heads.initialize(repeating: -1, count: Self.slots)
    for (index, literal) in wanted.enumerated() {
      var last = 0
      for place in 0...max(0, min(length, literal.bytes.count) - group) {
        last = slot(of: literal.bytes, place)
        shifts[last] = min(shifts[last], UInt8(clamping: length - group - place))
      }
      literals.initializeElement(at: index, to: Literal(bytes: literal.bytes, number: literal.number, next: Int(heads[last])))
      heads[last] = Int16(clamping: index)
    }
  }

  deinit {
    short.deallocate()
    literals.deallocate()
    shifts.deallocate()
    heads.deallocate()
  }

  /// Returns the index in `shifts` and `heads` of the group of bytes at a place.
  @inline(__always)
  private func slot(of text: UnsafeRawBufferPointer, _ place: Int) -> Int {
    var word: UInt32 = 0
    if group == 4 {
      word = text.loadUnaligned(fromByteOffset: place, as: UInt32.self)
    } else {
      for offset in 0..<group { word = word << 8 | UInt32(text[place + offset]) }
    }
    return Int((word &* 0x9E37_79B1) >> 19)
  }

  /// Returns the numbers of the literals that occur in a text.
  func find(in text: UnsafeRawBufferPointer) -> Found {
    var numbers = Found()
    if short.count > 0 { findShort(in: text, &numbers) }
    guard literals.count > 0, length >= 2 else { return numbers }
    var place = length - group
    let end = text.count - group
    while place <= end {
      let slot = self.slot(of: text, place)
      let shift = Int(shifts[slot])
      if shift > 0 {
        place += shift
        continue
      }
      var index = Int(heads[slot])
      while index >= 0 {
        let literal = literals[index]
        if text.has(literal.bytes, at: place - (length - group)) { numbers.insert(literal.number) }
        index = literal.next
      }
      place += 1
    }
    return numbers
  }

  private func findShort(in text: UnsafeRawBufferPointer, _ found: inout Found) {
    var from = 0
    while let place = text.first(Self.underscore, from: from) {
      for literal in short where text.has(literal.bytes, at: place - literal.place) { found.insert(literal.number) }
      from = place + 1
    }
  }
}
