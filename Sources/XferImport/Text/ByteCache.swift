/// Remembers what was made from the texts that recur in a log, such as names.
///
/// A text takes the place of another one with the same hash, so the size is bounded. Texts are compared without reference counting.
final class ByteCache<Value> {
  /// The maximum number of bytes of a text that is remembered.
  static var longest: Int { 1024 }

  private struct Entry {
    /// A copy of the text, which belongs to the cache.
    let text: UnsafeRawBufferPointer
    let value: Value
  }

  private let entries: UnsafeMutableBufferPointer<Entry?>

  /// - Parameter places: the maximum number of texts, a power of two.
  init(places: Int) {
    entries = .allocate(capacity: places)
    entries.initialize(repeating: nil)
  }

  deinit {
    for entry in entries { entry?.text.deallocate() }
    entries.deinitialize()
    entries.deallocate()
  }

  /// Returns what `make` returned for a text, which is not empty.
  @inline(__always)
  func value(for text: UnsafeRawBufferPointer, _ make: (UnsafeRawBufferPointer) -> Value) -> Value {
    let place = place(of: text)
    if let entry = entries[place], entry.text.hasSameBytes(as: text) { return entry.value }
    return remember(text, make(text), at: place)
  }

  /// The texts of one log often begin alike, so the last bytes choose the place.
  @inline(__always)
  private func place(of text: UnsafeRawBufferPointer) -> Int {
    var word = UInt64(truncatingIfNeeded: text.count)
    if text.count >= 8 {
      word ^= text.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)
    } else {
      for byte in text { word = word << 8 ^ UInt64(byte) }
    }
    return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 32) & (entries.count - 1)
  }

  @inline(never)
  private func remember(_ text: UnsafeRawBufferPointer, _ value: Value, at place: Int) -> Value {
    if text.count > Self.longest { return value }
    entries[place]?.text.deallocate()
    entries[place] = Entry(text: text.copied, value: value)
    return value
  }
}
