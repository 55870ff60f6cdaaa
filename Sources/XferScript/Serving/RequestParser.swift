internal import NIOCore

/// An incremental parser that splits a connection's bytes into request heads, body parts and ends.
struct RequestParser {
  enum Part: Equatable {
    case head(RequestHead)
    case body(ByteBuffer)
    case end
    /// The request is invalid. Nothing after it is read.
    case refused(RequestRefusal)
  }

  private enum State {
    case head
    case body(remaining: Int)
    case chunkSize
    case chunk(remaining: Int)
    case chunkEnd
    case trailers
    case refused
  }

  let headLimit: Int
  private var state = State.head

  init(headLimit: Int) { self.headLimit = headLimit }

  /// Returns the next part, or `nil` when more bytes are needed.
  mutating func next(_ unread: inout ByteBuffer) -> Part? {
    do throws(RequestRefusal) {
      return try step(&unread)
    } catch {
      state = .refused
      return .refused(error)
    }
  }

  private mutating func step(_ unread: inout ByteBuffer) throws(RequestRefusal) -> Part? {
    while true {
      switch state {
      case .refused: return nil
      case .head: return try readHead(&unread)
      case .body(0):
        state = .head
        return .end
      case .body(let remaining):
        guard let bytes = unread.take(atMost: remaining) else { return nil }
        state = .body(remaining: remaining - bytes.readableBytes)
        return .body(bytes)
      case .chunkSize:
        guard let line = try readLine(&unread) else { return nil }
        guard let size = Int(line.prefix { $0 != ";" }, radix: 16), size >= 0 else {
          throw RequestRefusal(status: 400, problem: "`\(line)` is not a valid chunk size")
        }
        state = size == 0 ? .trailers : .chunk(remaining: size)
      case .chunk(0): state = .chunkEnd
      case .chunk(let remaining):
        guard let bytes = unread.take(atMost: remaining) else { return nil }
        state = .chunk(remaining: remaining - bytes.readableBytes)
        return .body(bytes)
      case .chunkEnd:
        guard let line = try readLine(&unread) else { return nil }
        guard line.isEmpty else { throw RequestRefusal(status: 400, problem: "a chunk is longer than its announced size") }
        state = .chunkSize
      case .trailers:
        guard let line = try readLine(&unread) else { return nil }
        guard line.isEmpty else { continue }
        state = .head
        return .end
      }
    }
  }

  private mutating func readHead(_ unread: inout ByteBuffer) throws(RequestRefusal) -> Part? {
    while unread.readableBytesView.starts(with: [13, 10]) { unread.moveReaderIndex(forwardBy: 2) }
    guard let first = unread.readableBytesView.first, unread.readableBytes > 1 || first != 13 else { return nil }
    guard RequestHead.isTokenByte(first) else {
      throw RequestRefusal(status: 400, problem: "the first byte \(first) cannot begin an HTTP request")
    }
    guard let length = unread.headLength else {
      guard unread.readableBytes <= headLimit else { throw tooLong }
      return nil
    }
    guard length <= headLimit else { throw tooLong }
    let text = unread.readString(length: length)!
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    lines.removeLast(2)
    let head = try RequestHead(lines: lines)
    switch head.framing {
    case .length(let length): state = .body(remaining: length)
    case .chunked: state = .chunkSize
    }
    return .head(head)
  }

  /// Returns a line without its line end, or `nil` when the line is incomplete.
  private func readLine(_ unread: inout ByteBuffer) throws(RequestRefusal) -> String? {
    guard let end = unread.readableBytesView.firstIndex(of: 10) else {
      guard unread.readableBytes <= headLimit else { throw tooLong }
      return nil
    }
    var line = unread.readString(length: end + 1 - unread.readerIndex)!
    guard line.hasSuffix("\r\n") else { throw RequestRefusal(status: 400, problem: "a line does not end in CRLF") }
    line.removeLast()
    return line
  }

  private var tooLong: RequestRefusal {
    RequestRefusal(status: 431, problem: "the request head is longer than \(headLimit) bytes")
  }
}

extension ByteBuffer {
  /// The length of a request head including its final empty line. `nil` when the head is incomplete.
  fileprivate var headLength: Int? {
    withUnsafeReadableBytes { bytes in
      var index = 3
      while index < bytes.count {
        switch bytes[index] {
        case 10 where bytes[index - 1] == 13 && bytes[index - 2] == 10 && bytes[index - 3] == 13: return index + 1
        // A CR or LF may belong to the final CR LF CR LF, which then ends at most three bytes later, so the search advances by
        // one byte. Any other byte rules out these positions.
        case 10, 13: index += 1
        default: index += 4
        }
      }
      return nil
    }
  }

  /// Removes and returns at least one byte and at most `count` bytes, or `nil` when no byte is readable.
  fileprivate mutating func take(atMost count: Int) -> ByteBuffer? {
    readableBytes == 0 ? nil : readSlice(length: min(count, readableBytes))
  }
}
