import CXferPlatform
import XferLogStore
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The lines of a descriptor, each available as soon as it is complete. Very long lines are truncated.
struct InputLines {
  struct Line {
    /// The line's number, counted from 1.
    let number: Int
    /// The line without its line feed, at most `limit` bytes.
    let bytes: [UInt8]
    /// The number of bytes of the whole line.
    let length: Int
    var isCut: Bool { length > bytes.count }
  }

  /// The maximum number of bytes of a line that are kept, which is the maximum size of a record.
  static let limit = 1 << 20

  private let descriptor: Int32
  private let name: String
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var ready: Range<Int> = 0..<0
  private var isOver = false
  private var count = 0

  init(descriptor: Int32 = STDIN_FILENO) { self.init(descriptor, "standard input") }

  private init(_ descriptor: Int32, _ name: String) { (self.descriptor, self.name) = (descriptor, name) }

  /// - Parameters:
  ///   - file: a path; `-` for standard input. The file stays open until the program ends.
  ///   - standardInput: the descriptor of standard input.
  ///   - absence: the result of the command if the file does not exist.
  init(file: String, standardInput: Int32 = STDIN_FILENO, absence: ExitStatus = .failed) throws {
    if file == "-" {
      self.init(descriptor: standardInput)
      return
    }
    let descriptor = xp_open(file, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else {
      throw CommandExit(errno == ENOENT ? absence : .failed, "\(file) cannot be opened: \(systemText(errno))")
    }
    self.init(descriptor, file)
  }

  /// - Returns: the next line; `nil` at the end of the input.
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
        // The last line may lack its line feed.
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
      // A signal right before `read` would go unnoticed until the next line arrives, so the wait is bounded.
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
        throw CommandExit(.failed, "\(name) cannot be read: \(String(cString: strerror(errno)))")
      }
    }
  }
}
