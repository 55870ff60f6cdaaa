#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A line of a text file. Its bytes are valid until the source reads the next line.
package struct TextLine {
  /// The number of the line, from 1.
  package let number: UInt64
  /// The offset of the line's first byte in the file.
  package let offset: UInt64
  /// The bytes without the end of the line. Not necessarily UTF-8.
  package let bytes: UnsafeRawBufferPointer
  /// Whether `LineSource.padding` bytes behind the line can be read. Their values have no meaning.
  var isPadded = false
}

/// The lines of a text file, read in pieces.
///
/// Memory is bounded: the part of a line that exceeds `LineSource.longest` is skipped and counted. A NUL byte ends a line without a new
/// line number, because some tools join entries with it. A byte order mark at the beginning and a carriage return at the end of a line
/// are removed.
package final class LineSource {
  /// The maximum number of bytes of a line that are kept.
  package static let longest = 1 << 20

  /// The number of bytes behind each line that can be read.
  static let padding = LineLayout.padding

  private let descriptor: Int32
  @exclusivity(unchecked) private var buffer: UnsafeMutableRawBufferPointer
  /// The bytes in the buffer that were read and not yet handed out.
  @exclusivity(unchecked) private var unread = 0..<0
  private var isAtEnd = false
  @exclusivity(unchecked) private var number: UInt64 = 1
  /// The offset in the file of the first byte in the buffer.
  @exclusivity(unchecked) private var origin: UInt64 = 0

  /// The number of lines of which only the beginning was kept.
  package private(set) var cutLines = 0
  /// The number of lines that were handed out or skipped, whatever they contain.
  package var lineCount: UInt64 { number - (endsInLine ? 0 : 1) }
  /// Whether the file ends without a newline. Known when its last line has been read.
  @exclusivity(unchecked) package private(set) var endsInLine = false
  /// Whether a NUL byte may be among the unread bytes; `nil` if they were not searched for one.
  @exclusivity(unchecked) private var hasZeros: Bool?
  /// Called before the bytes of earlier lines are moved or overwritten.
  package var willMove: (() -> Void)?
  /// The errno of a failed read; `nil` if the file was read without a failure so far.
  package private(set) var failure: Int32?

  /// - Parameters:
  ///   - offset: the offset of the first byte to read.
  ///   - line: the number of the line that begins there.
  /// - Returns: `nil` if the file cannot be opened.
  package init?(path: String, offset: UInt64 = 0, line: UInt64 = 1) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    buffer = Self.allocate(Self.piece * 2)
    if offset > 0 {
      lseek(descriptor, off_t(clamping: offset), SEEK_SET)
      (origin, number) = (offset, line)
    }
  }

  /// The number of bytes that are read at once.
  private static let piece = 1 << 17

  /// Allocates a buffer with initialized padding behind it.
  private static func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count + padding, alignment: 16)
    let padding = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
    _ = padding.initializeMemory(as: UInt8.self, repeating: 0)
    return UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// Returns the next line; `nil` at the end of the file.
  @inline(__always)
  package func next() -> TextLine? {
    if !unread.isEmpty, !mayHaveZeros(), let base = buffer.baseAddress,
      let newline = memchr(base + unread.lowerBound, 0x0A, min(unread.count, Self.longest))
    {
      return line(to: base.distance(to: UnsafeMutableRawPointer(newline)))
    }
    return nextAfterReading()
  }

  /// Whether a NUL byte may be among the unread bytes.
  @inline(__always)
  private func mayHaveZeros() -> Bool {
    if let hasZeros { return hasZeros }
    let found = buffer.baseAddress.map { memchr($0 + unread.lowerBound, 0, unread.count) != nil } ?? false
    hasZeros = found
    return found
  }

  /// Returns the next line if its length is known without a search for its end; else `nil`, and `next` returns the line.
  ///
  /// - Parameter length: returns the number of bytes of the line with which the bytes begin; 0 if it is not known, or if a NUL byte is
  ///   among them.
  @inline(__always)
  func next(ofLength length: (UnsafeRawBufferPointer) -> Int) -> TextLine? {
    if unread.isEmpty { return nil }
    let count = length(UnsafeRawBufferPointer(rebasing: buffer[unread]))
    guard count > 0, count < min(unread.count, Self.longest), buffer[unread.lowerBound + count] == 0x0A else { return nil }
    return line(to: unread.lowerBound + count)
  }

  @inline(never)
  private func nextAfterReading() -> TextLine? {
    var searched = 0
    while true {
      if searched == 0 { skipZeros() }
      if let end = end(after: searched) { return line(to: end) }
      searched = unread.count
      if searched >= Self.longest { return cutLine() }
      if !fill() { return lastLine() }
    }
  }

  /// Skips NUL bytes that follow the end of an entry. A file with holes may have any number of them.
  private func skipZeros() {
    var place = unread.lowerBound
    while place < unread.upperBound, buffer[place] == 0 { place += 1 }
    if place > unread.lowerBound { endsInLine = true }
    unread = place..<unread.upperBound
  }

  /// Returns the index in the buffer of the byte that ends the line; `nil` if the end of the line was not read yet.
  private func end(after searched: Int) -> Int? {
    guard let base = buffer.baseAddress, unread.count > searched else { return nil }
    let start = base + unread.lowerBound + searched
    let count = unread.count - searched
    let newline = memchr(start, 0x0A, count)
    let room = newline.map { start.distance(to: UnsafeMutableRawPointer($0)) } ?? count
    let zero = memchr(start, 0, room)
    return (zero ?? newline).map { base.distance(to: UnsafeMutableRawPointer($0)) }
  }

  private func line(to end: Int) -> TextLine {
    let line = text(unread.lowerBound..<end)
    if buffer[end] == 0x0A {
      number += 1
      endsInLine = false
    } else {
      endsInLine = true
    }
    unread = end + 1..<unread.upperBound
    return line
  }

  private func text(_ range: Range<Int>) -> TextLine {
    var range = range
    let offset = origin + UInt64(range.lowerBound)
    if offset == 0, range.count >= 3, buffer[range.lowerBound] == 0xEF, buffer[range.lowerBound + 1] == 0xBB,
      buffer[range.lowerBound + 2] == 0xBF
    {
      range = range.lowerBound + 3..<range.upperBound
    }
    if let last = range.last, buffer[last] == 0x0D { range = range.lowerBound..<last }
    return TextLine(number: number, offset: offset, bytes: UnsafeRawBufferPointer(rebasing: buffer[range]), isPadded: true)
  }

  /// Returns the kept part of a line that is too long, and skips the rest of it.
  private func cutLine() -> TextLine {
    cutLines += 1
    // The kept bytes stay in place, and the rest is read behind them.
    willMove?()
    let kept = unread.lowerBound..<unread.lowerBound + Self.longest
    let line = text(kept)
    let tail = kept.upperBound
    var rest = tail..<unread.upperBound
    while true {
      if let base = buffer.baseAddress, !rest.isEmpty, let newline = memchr(base + rest.lowerBound, 0x0A, rest.count) {
        let end = base.distance(to: UnsafeMutableRawPointer(newline))
        number += 1
        endsInLine = false
        unread = end + 1..<rest.upperBound
        return line
      }
      let got = readBytes(into: tail)
      origin += UInt64(rest.count)
      if got <= 0 {
        unread = tail..<tail
        endsInLine = true
        return line
      }
      rest = tail..<tail + got
      hasZeros = true
    }
  }

  private func lastLine() -> TextLine? {
    if unread.isEmpty { return nil }
    defer {
      unread = unread.upperBound..<unread.upperBound
      endsInLine = true
    }
    return text(unread)
  }

  /// Reads more bytes behind the unread ones.
  ///
  /// - Returns: whether there were any.
  private func fill() -> Bool {
    if isAtEnd { return false }
    willMove?()
    if unread.lowerBound > 0, let base = buffer.baseAddress {
      memmove(base, base + unread.lowerBound, unread.count)
      origin += UInt64(unread.lowerBound)
      unread = 0..<unread.count
    }
    if buffer.count - unread.count < Self.piece { grow() }
    let got = readBytes(into: unread.upperBound)
    guard got > 0 else {
      isAtEnd = true
      return false
    }
    unread = unread.lowerBound..<unread.upperBound + got
    hasZeros = nil
    return true
  }

  /// Makes room for a line that is longer than the buffer.
  private func grow() {
    let larger = Self.allocate(min(2 * buffer.count, Self.longest) + 2 * Self.piece)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[unread]))
    buffer.deallocate()
    (buffer, unread) = (larger, 0..<unread.count)
  }

  private func readBytes(into place: Int) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    while true {
      let got = read(descriptor, base + place, buffer.count - place)
      if got < 0, errno == EINTR { continue }
      if got < 0 { failure = errno }
      return got
    }
  }
}
