import NIOCore

/// A request, up to the part of its body that the server waited for.
struct CaseRequest: Sendable, Equatable {
  /// The number of the connection, from 1.
  var connection = 0
  /// The request line, the fields and the empty line after them.
  let head: String
  /// The raw body, including any chunk framing.
  var body: [UInt8] = []

  init(head: String) { self.head = head }

  var method: Substring { head.prefix { $0 != " " && !$0.isNewline } }

  var target: Substring { head.dropFirst(method.count).drop { $0 == " " }.prefix { !$0.isWhitespace } }

  /// Returns the value of the first field with a name. `nil` without such a field.
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

/// Splits a connection's bytes into requests.
///
/// Invalid requests are accepted, because some cases send them on purpose.
struct CaseRequestReader {
  private enum State {
    case head
    case counted(CaseRequest, remaining: Int)
    case chunked(CaseRequest)
  }

  let orders: ServerOrders
  private var state = State.head
  /// The number of bytes that may still arrive for the previous request's body, which the server did not wait for.
  private var remainingOfLast = 0

  init(orders: ServerOrders) { self.orders = orders }

  /// Removes and returns the next request. `nil` when more bytes are needed.
  mutating func next(_ unread: inout ByteBuffer) -> CaseRequest? {
    while true {
      switch state {
      case .head:
        let dropped = min(remainingOfLast, unread.readableBytes)
        unread.moveReaderIndex(forwardBy: dropped)
        remainingOfLast -= dropped
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
    // Transfer-Encoding takes precedence over Content-Length.
    if request["Transfer-Encoding"]?.lowercased().contains("chunked") == true, !isUnwanted {
      state = .chunked(request)
    } else {
      let length = max(0, Int(request["Content-Length"] ?? "") ?? 0)
      remainingOfLast = isUnwanted ? length : min(length, orders.skippedBodyBytes)
      state = .counted(request, remaining: length - remainingOfLast)
    }
  }

  /// Returns the length of a chunked body, including its trailers. `nil` when the body is incomplete.
  private static func endOfChunks(_ bytes: ByteBufferView) -> Int? {
    var rest = bytes[...]
    while let lineEnd = rest.firstRange(of: Array("\r\n".utf8)) {
      let size = Int(String(decoding: rest[..<lineEnd.lowerBound].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self), radix: 16)
      guard let size, size > 0 else {
        // The last chunk is followed by optional trailers and an empty line.
        let end = rest[lineEnd.lowerBound...].firstRange(of: emptyLine)?.upperBound
        return end.map { $0 - bytes.startIndex }
      }
      guard rest.endIndex - lineEnd.upperBound >= size + 2 else { return nil }
      rest = rest[(lineEnd.upperBound + size + 2)...]
    }
    return nil
  }
}
