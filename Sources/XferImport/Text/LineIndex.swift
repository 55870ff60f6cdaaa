/// The offsets of some lines of a text file, from which any other line is found quickly.
package struct LineIndex {
  private var offsets: [UInt64] = [0]
  private var last: UInt64 = 1
  private let cursor = LineCursor()

  /// The number of lines between two offsets.
  private static let step: UInt64 = 4096

  package init() {}

  /// Notes where a line begins. Lines must be noted in their order.
  ///
  /// - Returns: the offset of the line if the index keeps it.
  @discardableResult
  package mutating func note(_ line: TextLine) -> UInt64? {
    guard line.number != last else { return nil }
    last = line.number
    guard (line.number - 1) % Self.step == 0 else { return nil }
    // A line number may be skipped only if the file changes while it is read.
    let place = Int(clamping: (line.number - 1) / Self.step)
    guard place == offsets.count else { return nil }
    offsets.append(line.offset)
    return line.offset
  }

  /// Adds the next offset that another index keeps.
  mutating func append(_ offset: UInt64) { offsets.append(offset) }

  /// Returns the line with a number, or the part of it before the first NUL byte that `isWanted` accepts; `nil` if it cannot be read.
  ///
  /// Lines that are asked for in their order are read once.
  package func text(ofLine number: UInt64, path: String, where isWanted: (UnsafeRawBufferPointer) -> Bool) -> [UInt8]? {
    guard number >= 1 else { return nil }
    let place = min(Int(clamping: (number - 1) / Self.step), offsets.count - 1)
    let start = UInt64(place) * Self.step + 1
    let parts = cursor.parts(ofLine: number, path: path, from: (offset: offsets[place], line: start))
    return parts.first { $0.withUnsafeBytes(isWanted) } ?? parts.first
  }
}

/// A place in a text file that moves forward to the lines that are asked for.
private final class LineCursor {
  private var path: String?
  private var source: LineSource?
  /// A line behind the wanted one, which was read to see that the wanted one has no more parts.
  private var next: (number: UInt64, bytes: [UInt8])?
  /// The last lines, or their parts between NUL bytes, in their order.
  private var recent: [(number: UInt64, bytes: [UInt8])] = []
  private var size = 0

  /// The limits of the lines that are kept.
  private static let (keptLines, keptBytes) = (512, 1 << 20)

  /// - Parameter start: a line at or before the wanted one, from which the file can be read.
  func parts(ofLine number: UInt64, path: String, from start: (offset: UInt64, line: UInt64)) -> [[UInt8]] {
    if path != self.path || !isAhead(number, of: start.line) {
      if path == self.path, let first = recent.first, first.number < number, let last = recent.last,
        number <= last.number
      {
        return recent.filter { $0.number == number }.map(\.bytes)
      }
      (self.path, next, recent, size) = (path, nil, [], 0)
      source = LineSource(path: path, offset: start.offset, line: start.line)
    }
    advance(to: number)
    return recent.filter { $0.number == number }.map(\.bytes)
  }

  /// Whether a line is found sooner from this place than from the start that is offered.
  private func isAhead(_ number: UInt64, of start: UInt64) -> Bool {
    guard source != nil, let place = next?.number else { return false }
    return place <= number && place >= start
  }

  private func advance(to number: UInt64) {
    if let next, next.number > number { return }
    if let next { keep(next) }
    next = nil
    while let line = source?.next() {
      if line.number > number {
        next = (line.number, Array(line.bytes))
        return
      }
      // Lines before the wanted one are passed over without a copy, except for those that may be asked for next.
      if number - line.number < UInt64(Self.keptLines) { keep((line.number, Array(line.bytes))) }
    }
    source = nil
  }

  private func keep(_ line: (number: UInt64, bytes: [UInt8])) {
    recent.append(line)
    size += line.bytes.count
    guard recent.count > 2 * Self.keptLines || size > 2 * Self.keptBytes else { return }
    var removed = 0
    while recent.count - removed > Self.keptLines || size > Self.keptBytes, removed + 1 < recent.count {
      size -= recent[removed].bytes.count
      removed += 1
    }
    recent.removeFirst(removed)
  }
}
