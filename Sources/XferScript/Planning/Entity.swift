internal import NIOCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A source of body bytes with random access.
enum Entity {
  case bytes(ByteBuffer)
  case generated(GeneratedBytes)
  case file(OpenFile)

  /// Creates the source for a body. Returns `nil` when the body's file cannot be opened.
  init?(_ body: ScriptBody, path: Substring, scriptSeed: UInt64) {
    switch body {
    case .bytes(let bytes): self = .bytes(ByteBuffer(bytes: bytes))
    case .file(let path):
      guard let file = OpenFile(path) else { return nil }
      self = .file(file)
    case .generated(let size, let seed):
      let value =
        switch seed {
        case .script: scriptSeed
        case .path: ScriptBody.seed(forPath: String(path), script: scriptSeed)
        case .value(let value): value
        }
      self = .generated(GeneratedBytes(seed: value, count: size))
    }
  }

  var count: Int {
    switch self {
    case .bytes(let bytes): bytes.readableBytes
    case .generated(let bytes): bytes.count
    case .file(let file): file.count
    }
  }

  /// Calls `body` with the bytes of a range, in order. Only a file's bytes are copied.
  ///
  /// A file that was truncated after it was opened yields fewer bytes than the range asks for.
  func forEachRun(in range: Range<Int>, _ body: (ByteBuffer) -> Void) {
    guard !range.isEmpty else { return }
    switch self {
    case .bytes(let bytes): body(bytes.getSlice(at: bytes.readerIndex + range.lowerBound, length: range.count)!)
    case .generated(let bytes): bytes.forEachRun(in: range, body)
    case .file(let file): body(file.read(range))
    }
  }
}

/// A file that stays open while it is served.
final class OpenFile {
  private let descriptor: CInt
  let count: Int

  init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    count = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func read(_ range: Range<Int>) -> ByteBuffer {
    var buffer = ByteBuffer()
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { bytes in
      var count = 0
      while count < range.count {
        let got = pread(descriptor, bytes.baseAddress! + count, range.count - count, off_t(range.lowerBound + count))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { break }
        count += got
      }
      return count
    }
    return buffer
  }
}
