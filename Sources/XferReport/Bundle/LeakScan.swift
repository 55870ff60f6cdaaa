/// A search through bytes for private values: for the values that were masked, and for texts that look like secrets.
package struct LeakScan {
  /// The places found, up to a limit for each kind and place.
  package private(set) var leaks: Set<Leak> = []
  /// The number of bytes that were searched.
  package private(set) var bytes = 0
  private let shapes = SecretShapes()
  /// The byte sequences to search for, by their first eight bytes.
  private var needles: [UInt64: [[UInt8]]] = [:]
  /// Whether a byte sequence begins with a word that has this digest.
  private var begins = [Bool](repeating: false, count: 1 << 18)
  private var counts: [String: Int] = [:]

  /// The maximum number of places of one kind in one part of a file.
  private static let most = 20

  package init(_ values: MaskedValues) {
    for needle in values.needles() {
      let word = needle.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
      needles[word, default: []].append(needle)
      begins[Self.digest(word)] = true
    }
  }

  @inline(__always)
  private static func digest(_ word: UInt64) -> Int { Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 46) }

  /// Searches bytes.
  ///
  /// - Parameters:
  ///   - place: the file and the part of it, for messages.
  ///   - start: the offset of the bytes in the place.
  package mutating func search(_ text: UnsafeRawBufferPointer, at place: String, from start: Int = 0) {
    bytes += text.count
    if !needles.isEmpty { searchValues(text, place, start) }
    shapes.search(text) { kind, offset in note(kind, place, start + offset) }
  }

  package mutating func search(_ text: [UInt8], at place: String, from start: Int = 0) {
    text.withUnsafeBytes { search($0, at: place, from: start) }
  }

  private mutating func searchValues(_ text: UnsafeRawBufferPointer, _ place: String, _ start: Int) {
    guard text.count >= MaskedValues.shortest else { return }
    for offset in 0...text.count - MaskedValues.shortest {
      let word = text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard begins[Self.digest(word)], let candidates = needles[word] else { continue }
      if candidates.contains(where: { text[offset...].starts(with: $0) }) { note(.maskedValue, place, start + offset) }
    }
  }

  private mutating func note(_ kind: LeakKind, _ place: String, _ offset: Int) {
    let key = "\(kind.rawValue) \(place)"
    counts[key, default: 0] += 1
    if counts[key, default: 0] <= Self.most { leaks.insert(Leak(kind: kind, place: place, offset: offset)) }
  }
}
