#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lines from a descriptor, each as soon as it has come; of very long ones the beginning.
struct InputLines {
  struct Line {
    /// From 1.
    let number: Int
    /// Without the line feed; at most `limit` bytes of it.
    let bytes: [UInt8]
    /// Of the whole line.
    let length: Int
    var isCut: Bool { length > bytes.count }
  }

  /// No event could hold more.
  static let limit = 1 << 20

  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var ready: Range<Int> = 0..<0
  private var isOver = false
  private var count = 0

  init(descriptor: Int32 = STDIN_FILENO) { self.descriptor = descriptor }

  /// - Returns: `nil` at the end.
  mutating func next() throws -> Line? {
    var line: [UInt8] = []
    var length = 0
    func note(_ part: ArraySlice<UInt8>) {
      line += part.prefix(Self.limit - line.count)
      length += part.count
    }
    while true {
      if let end = buffer[ready].firstIndex(of: UInt8(ascii: "\n")) {
        note(buffer[ready.lowerBound..<end])
        ready = end + 1..<ready.upperBound
        break
      }
      note(buffer[ready])
      ready = 0..<0
      if try isOver || !fill() {
        // What does not end in a line feed is a line, too.
        if length == 0 { return nil }
        break
      }
    }
    count += 1
    return Line(number: count, bytes: line, length: length)
  }

  private mutating func fill() throws -> Bool {
    while true {
      try Interruption.check()
      // A signal that comes right before `read` would be noticed only with the next line.
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 500) <= 0 { continue }
      let got = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if got > 0 {
        ready = 0..<got
        return true
      }
      if got == 0 {
        isOver = true
        return false
      }
      if errno != EINTR, errno != EAGAIN {
        throw CommandExit(.failed, "standard input cannot be read: \(String(cString: strerror(errno)))")
      }
    }
  }
}
