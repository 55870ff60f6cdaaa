/// The lines of one group, in memory.
struct LineGroup {
  private(set) var facts: [EventLineFacts] = []
  private var ranges: [Range<Int>] = []
  private var text: [UInt8] = []

  var count: Int { facts.count }
  /// The memory that the lines take, in bytes.
  var size: Int { text.count + count * Self.overhead }

  /// The memory that a line takes beyond its text, in bytes.
  static let overhead = MemoryLayout<EventLineFacts>.stride + MemoryLayout<Range<Int>>.stride

  mutating func append(_ line: some Collection<UInt8>, _ facts: EventLineFacts) {
    let start = text.count
    text += line
    self.facts.append(facts)
    ranges.append(start..<text.count)
  }

  /// The text of a line, without its line feed.
  func line(_ place: Int) -> ArraySlice<UInt8> { text[ranges[place]] }

  /// Whether the text of a line precedes another one's, byte by byte.
  func precedes(_ left: Int, _ right: Int) -> Bool { line(left).lexicographicallyPrecedes(line(right)) }

  func isSame(_ left: Int, _ right: Int) -> Bool { line(left) == line(right) }
}
