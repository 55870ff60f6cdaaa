import NIOCore

/// A request as far as the server waited for it.
struct CaseRequest: Sendable, Equatable {
  /// Of the server's connections, from 1.
  var connection = 0
  /// The first line and the fields, and the empty line below them.
  let head: String
  /// As it came: with the lines of its chunks where it has any.
  var body: [UInt8] = []

  init(head: String) { self.head = head }

  var method: Substring { head.prefix { $0 != " " && !$0.isNewline } }

  var target: Substring { head.dropFirst(method.count).drop { $0 == " " }.prefix { !$0.isWhitespace } }

  /// The first field of a name.
  subscript(field: String) -> String? {
    for line in head.split(whereSeparator: \.isNewline).dropFirst() {
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == field.lowercased() else { continue }
      return line[line.index(after: colon)...].trimmingSpaces
    }
    return nil
  }

  func authorizes(by scheme: String) -> Bool {
    self["Authorization"]?.lowercased().hasPrefix(scheme.lowercased()) == true
  }
}

/// Takes requests out of a connection's bytes, and asks no more of them than where they end.
///
/// Cases send what no server should accept, so nothing is refused.
struct CaseRequestReader {
  private enum State {
    case head
    case counted(CaseRequest, remaining: Int)
    case chunked(CaseRequest)
  }

  let orders: ServerOrders
  private var state = State.head
  /// Of a body that was not waited for, what may still come and is no request.
  private var ownedByLast = 0

  init(orders: ServerOrders) { self.orders = orders }

  /// The next request, or `nil` when more bytes are needed.
  mutating func next(_ unread: inout ByteBuffer) -> CaseRequest? {
    while true {
      switch state {
      case .head:
        let dropped = min(ownedByLast, unread.readableBytes)
        unread.moveReaderIndex(forwardBy: dropped)
        ownedByLast -= dropped
        guard let end = unread.readableBytesView.firstRange(of: Self.emptyLine)?.upperBound else { return nil }
        begin(CaseRequest(head: unread.readString(length: end - unread.readerIndex)!))
      case .counted(var request, let remaining):
        let bytes = unread.readBytes(length: min(remaining, unread.readableBytes)) ?? []
        request.body += bytes
        state = bytes.count < remaining ? .counted(request, remaining: remaining - bytes.count) : .head
        return bytes.count < remaining ? nil : request
      case .chunked(var request):
        guard let end = Self.endOfChunks(unread.readableBytesView) else { return nil }
        request.body = unread.readBytes(length: end) ?? []
        state = .head
        return request
      }
    }
  }

  private static let emptyLine = Array("\r\n\r\n".utf8)

  private mutating func begin(_ request: CaseRequest) {
    let isUnwanted =
      orders.requiresAuthorization && request["Authorization"] == nil || orders.ignoresExpectedBody && request["Expect"] != nil
    // A coding comes before a length, wherever both are given.
    if request["Transfer-Encoding"]?.lowercased().contains("chunked") == true, !isUnwanted {
      state = .chunked(request)
    } else {
      let length = max(0, Int(request["Content-Length"] ?? "") ?? 0)
      ownedByLast = isUnwanted ? length : min(length, orders.skippedBodyBytes)
      state = .counted(request, remaining: length - ownedByLast)
    }
  }

  /// How many bytes the chunks take with the last one and the trailers; `nil` when they are not all there.
  private static func endOfChunks(_ bytes: ByteBufferView) -> Int? {
    var rest = bytes[...]
    while let lineEnd = rest.firstRange(of: Array("\r\n".utf8)) {
      let size = Int(String(decoding: rest[..<lineEnd.lowerBound].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self), radix: 16)
      guard let size, size > 0 else {
        // The empty line after the last chunk, with or without trailers between them.
        let end = rest[lineEnd.lowerBound...].firstRange(of: emptyLine)?.upperBound
        return end.map { $0 - bytes.startIndex }
      }
      guard rest.endIndex - lineEnd.upperBound >= size + 2 else { return nil }
      rest = rest[(lineEnd.upperBound + size + 2)...]
    }
    return nil
  }
}
