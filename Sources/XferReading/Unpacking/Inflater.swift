internal import CZlib

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Decompresses a part of a file into another file, a piece at a time.
struct Inflater {
  enum Format {
    /// gzip (RFC 1952), with one or several members.
    case gzip
    /// Raw deflate (RFC 1951), as zip archives contain it.
    case deflate
    /// A zlib stream (RFC 1950).
    case zlib

    fileprivate var windowBits: Int32 {
      switch self {
      case .gzip: 31
      case .deflate: -15
      case .zlib: 15
      }
    }
  }

  /// What happened to the data.
  struct Outcome {
    /// The offset behind the compressed data.
    var end: UInt64
    /// Why the data ends too early; `nil` if it is complete.
    var flaw: String?
  }

  let source: Int32
  let target: Int32
  var budget: UnpackingBudget

  /// - Parameters:
  ///   - start: the offset of the compressed data.
  ///   - end: the offset behind it, at most; `nil` for the end of the file.
  mutating func inflate(_ format: Format, from start: UInt64, to end: UInt64? = nil) throws -> Outcome {
    var stream = z_stream()
    guard inflateInit2_(&stream, format.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw CommandExit(.failed, "zlib cannot allocate memory")
    }
    defer { inflateEnd(&stream) }
    var (input, output) = ([UInt8](repeating: 0, count: 1 << 16), [UInt8](repeating: 0, count: 1 << 17))
    var (place, isAtEnd) = (start, false)
    while true {
      try Interruption.check()
      let wanted = min(UInt64(input.count), end.map { $0 > place ? $0 - place : 0 } ?? UInt64(input.count))
      let got =
        wanted == 0 ? 0 : input.withUnsafeMutableBytes { pread(source, $0.baseAddress, Int(wanted), off_t(clamping: place)) }
      if got <= 0 { return Outcome(end: place, flaw: isAtEnd ? nil : "the compressed data is truncated") }
      let step = try input.withUnsafeMutableBytes { input in
        try output.withUnsafeMutableBytes { output in
          try inflate(&stream, UnsafeMutableRawBufferPointer(rebasing: input[..<got]), output, format, &isAtEnd)
        }
      }
      place += UInt64(step.read)
      if step.isFinished || step.flaw != nil { return Outcome(end: place, flaw: step.flaw) }
    }
  }

  private mutating func inflate(
    _ stream: inout z_stream, _ input: UnsafeMutableRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ format: Format,
    _ isAtEnd: inout Bool
  ) throws -> (read: Int, isFinished: Bool, flaw: String?) {
    stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_in = UInt32(input.count)
    func read() -> Int { input.count - Int(stream.avail_in) }
    while true {
      if isAtEnd {
        // Another gzip member may follow. Anything else behind a member is padding.
        guard stream.avail_in > 0, stream.next_in?.pointee == 0x1F else { return (read(), stream.avail_in > 0, nil) }
        inflateReset(&stream)
        isAtEnd = false
      }
      stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.avail_out = UInt32(output.count)
      let result = CZlib.inflate(&stream, Z_NO_FLUSH)
      let count = output.count - Int(stream.avail_out)
      try budget.put(UnsafeRawBufferPointer(rebasing: output[..<count]), to: target)
      switch result {
      case Z_OK: break
      case Z_STREAM_END:
        isAtEnd = true
        if format != .gzip { return (read(), true, nil) }
      case Z_BUF_ERROR: return (read(), false, nil)
      default:
        let reason = stream.msg.map { String(cString: $0) } ?? "error \(result)"
        return (read(), true, "the compressed data is damaged (\(reason))")
      }
      if stream.avail_in == 0, stream.avail_out > 0 { return (read(), false, nil) }
    }
  }

  /// Copies data that is not compressed.
  mutating func copy(from start: UInt64, count: UInt64) throws -> Outcome {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var (place, rest) = (start, count)
    while rest > 0 {
      try Interruption.check()
      let got = buffer.withUnsafeMutableBytes {
        pread(source, $0.baseAddress, Int(min(rest, UInt64($0.count))), off_t(clamping: place))
      }
      if got <= 0 { return Outcome(end: place, flaw: "the data is truncated") }
      try buffer.withUnsafeBytes { try budget.put(UnsafeRawBufferPointer(rebasing: $0[..<got]), to: target) }
      (place, rest) = (place + UInt64(got), rest - UInt64(got))
    }
    return Outcome(end: place)
  }
}

/// How much an archive may unpack to. Some archives are made to fill disks.
struct UnpackingBudget {
  let name: String
  /// The size of the archive.
  let packed: UInt64
  private(set) var unpacked: UInt64 = 0

  init(name: String, packed: UInt64) { (self.name, self.packed) = (name, packed) }

  /// The maximum number of bytes that an archive may unpack to.
  private static let most: UInt64 = 16 << 30
  /// A log rarely shrinks to less than a hundredth. Below this size, the ratio does not matter.
  private static let (ratio, exempt): (UInt64, UInt64) = (400, 256 << 20)

  /// Writes unpacked bytes to a file.
  mutating func put(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    try spend(bytes.count)
    var offset = 0
    while offset < bytes.count {
      let put = write(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
      if put < 0, errno == EINTR { continue }
      if put < 0 {
        throw CommandExit(.failed, "\(name) cannot be unpacked into a temporary file: \(String(cString: strerror(errno)))")
      }
      offset += put
    }
  }

  private mutating func spend(_ count: Int) throws {
    unpacked += UInt64(count)
    if unpacked > Self.most { throw tooLarge("more than 16 GiB") }
    if unpacked > Self.exempt, unpacked / Self.ratio > packed { throw tooLarge("more than \(Self.ratio) times its size") }
  }

  private func tooLarge(_ what: String) -> CommandExit {
    CommandExit(
      .failed, "\(name) unpacks to \(what), as archives do that are made to fill disks; unpack it yourself and name the file")
  }
}
