/// The offsets of some lines of a text file, from which any other line is found quickly.
package struct LineIndex {
  private var offsets: [UInt64] = [0]
  private var last: UInt64 = 1

  /// The number of lines between two offsets.
  private static let step: UInt64 = 4096

  package init() {}

  /// Notes where a line begins. Lines must be noted in their order.
  package mutating func note(_ line: TextLine) {
    guard line.number != last else { return }
    last = line.number
    guard (line.number - 1) % Self.step == 0 else { return }
    // A line number may be skipped only if the file changes while it is read.
    let place = Int(clamping: (line.number - 1) / Self.step)
    if place == offsets.count { offsets.append(line.offset) }
  }

  /// Returns the line with a number, or the part of it before the first NUL byte that `isWanted` accepts; `nil` if it cannot be read.
  package func text(ofLine number: UInt64, path: String, where isWanted: (UnsafeRawBufferPointer) -> Bool) -> [UInt8]? {
    guard number >= 1 else { return nil }
    let place = min(Int(clamping: (number - 1) / Self.step), offsets.count - 1)
    guard let source = LineSource(path: path, offset: offsets[place], line: UInt64(place) * Self.step + 1) else { return nil }
    var first: [UInt8]?
    while let line = source.next(), line.number <= number {
      guard line.number == number else { continue }
      if isWanted(line.bytes) { return Array(line.bytes) }
      first = first ?? Array(line.bytes)
    }
    return first
  }
}
