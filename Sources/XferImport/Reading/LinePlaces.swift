/// The offsets of some lines of a text file, from which any line can be found again.
package struct LinePlaces {
  private let path: String
  private var places: [(line: UInt64, offset: UInt64)] = []

  /// The number of lines between two noted ones.
  private static let distance: UInt64 = 512
  /// The maximum number of bytes of a line that are quoted.
  private static let quoted = 2000

  package init(path: String) { self.path = path }

  /// Notes a line. Lines must be noted in their order.
  package mutating func note(_ line: TextLine) {
    if let last = places.last, line.number < last.line + Self.distance { return }
    places.append((line.number, line.offset))
  }

  /// Returns the text of a line; `nil` if it cannot be read.
  package func text(ofLine line: UInt64) -> String? {
    guard let place = places.last(where: { $0.line <= line }) else { return nil }
    var (offset, missing) = (place.offset, line - place.line)
    var text: [UInt8] = []
    while let bytes = LineSource.bytes(at: offset, count: 1 << 16, path: path) {
      var start = 0
      while missing > 0 {
        guard let end = bytes[start...].firstIndex(of: 0x0A) else { break }
        start = end + 1
        missing -= 1
      }
      if missing == 0 {
        let rest = bytes[start...]
        let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
        text += rest[..<end].prefix(Self.quoted - text.count)
        if end < rest.endIndex || text.count >= Self.quoted { break }
      }
      offset += UInt64(bytes.count)
    }
    if text.last == 0x0D { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }
}
