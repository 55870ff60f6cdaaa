internal import HTTPTypes
internal import XferEvents

/// A response head, assembled from the lines that libcurl delivers, within size limits.
struct ResponseHead: Sendable {
  private(set) var status = 0
  private(set) var reason = ""
  /// The protocol's ALPN name, such as `http/1.1` or `h2`.
  private(set) var protocolName = "http/1.1"
  private(set) var fields = HTTPFields()
  private(set) var isComplete = false
  /// The length of the body that the fields declare. Known when the head is complete.
  private var length = Length.none
  private var bytes = 0
  private var count = 0
  private let byteLimit: Int
  private let countLimit: Int

  init(byteLimit: Int, countLimit: Int) {
    self.byteLimit = byteLimit
    self.countLimit = countLimit
  }

  enum Step: Equatable {
    /// The head is incomplete.
    case more
    /// The end of an interim (1xx) response; another head follows.
    case interim
    case complete
    /// A trailer field that follows the body.
    case trailer
  }

  /// Processes one header line.
  ///
  /// - Parameter line: the line with its line terminator.
  mutating func take(_ line: UnsafeRawBufferPointer) throws(TransferError) -> Step {
    bytes += line.count
    guard bytes <= byteLimit else {
      throw .headersTooLarge("the response head is larger than \(byteLimit) bytes", tooMany: false)
    }
    if isComplete { return .trailer }
    var text = line[...]
    while let last = text.last, last == 10 || last == 13 { text.removeLast() }
    guard !text.contains(13) else { throw .badResponse("a header field contains a carriage return") }
    if text.isEmpty { return try finishHead() }
    if text.starts(with: "HTTP/".utf8), count == 0 || status == 0 {
      readStatus(String(decoding: text, as: UTF8.self))
      return .more
    }
    count += 1
    guard count <= countLimit else {
      throw .headersTooLarge("the response head has more than \(countLimit) fields", tooMany: true)
    }
    readField(text)
    return .more
  }

  private mutating func finishHead() throws(TransferError) -> Step {
    // The engine never requests a protocol upgrade, and libcurl would treat the bytes that follow as a body.
    if status == 101 { throw .badResponse("the server sent 101 Switching Protocols to a request without an upgrade") }
    if (100..<200).contains(status) {
      // The size limits keep counting across interim responses, so that a server cannot send them forever.
      (status, reason, fields) = (0, "", HTTPFields())
      return .interim
    }
    isComplete = true
    length = Self.length(fields)
    return .complete
  }

  private mutating func readStatus(_ line: String) {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    let version = parts[0].lowercased()
    protocolName = version == "http/2" ? "h2" : version
    status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    reason = parts.count > 2 ? String(parts[2]) : ""
  }

  private mutating func readField(_ text: Slice<UnsafeRawBufferPointer>) {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
      let name = HTTPField.Name(String(decoding: text[..<colon], as: UTF8.self))
    else { return }  // A field with an invalid name is ignored.
    let value = String(decoding: text[(colon + 1)...], as: UTF8.self)
    fields.append(HTTPField(name: name, value: value.trimmingBlanks))
  }
}

extension ResponseHead {
  /// The declared `Content-Length`, in bytes. `nil` when it is missing, invalid or beyond 64 bits.
  var contentLength: Int64? { if case .clear(let length) = length { length } else { nil } }

  /// Whether `Content-Length` is missing or unambiguous. Conflicting values leave the body's end undefined (RFC 9112 §6.3).
  ///
  /// - Parameter acceptsAnySize: whether a number beyond 64 bits counts as unambiguous, although no body has this size.
  func hasUnambiguousLength(acceptingAnySize acceptsAnySize: Bool) -> Bool {
    switch length {
    case .none, .clear: true
    case .beyond: acceptsAnySize
    case .unclear: false
    }
  }

  /// Whether the declared size of the body does not fit into 64 bits.
  func announcesTooMuch(for method: HTTPRequest.Method) -> Bool { hasBody(for: method) && !isChunked && length == .beyond }

  private enum Length: Equatable {
    case none
    case clear(Int64)
    /// A number that does not fit into 64 bits, always the same one.
    case beyond
    case unclear
  }

  private static func length(_ fields: HTTPFields) -> Length {
    var (length, digits) = (Length.none, "")
    for field in fields where field.name == .contentLength {
      for text in field.value.split(separator: ",", omittingEmptySubsequences: false) {
        let text = String(text).trimmingBlanks
        guard !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return .unclear }
        let said = Int64(text).map(Length.clear) ?? .beyond
        guard length == .none || length == said && (said != .beyond || digits == text) else { return .unclear }
        (length, digits) = (said, text)
      }
    }
    return length
  }

  var mediaType: String? { fields[.contentType].flatMap { LoggedText.mediaType($0) } }

  var isChunked: Bool { fields[.transferEncoding]?.lowercased().contains("chunked") ?? false }

  /// The value of `Content-Encoding`. `nil` when it is missing, empty or `identity`.
  var contentEncoding: String? {
    fields[.contentEncoding].flatMap { $0.isEmpty || $0.lowercased() == "identity" ? nil : $0 }
  }

  var contentRange: ContentRange? { fields[.contentRange].flatMap { ContentRange($0) } }

  /// Returns the delay that `Retry-After` asks for, or the longest delay of several such fields. `nil` without the field.
  ///
  /// A date is compared with the response's own `Date`, because the server's clock may differ.
  ///
  /// - Parameter clock: the current time in seconds since 1970; called only for a response without `Date`.
  func retryAfter(clock: () -> Int) -> Duration? {
    fields[values: .retryAfter].compactMap { text -> Int? in
      if !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) { return Int(text) ?? .max }
      return HTTPDate.seconds(text).map { time in
        let now = fields[.date].flatMap(HTTPDate.seconds) ?? clock()
        return Int(max(0, Int64(time).subtractingClamped(Int64(now))))
      }
    }.max().map { .seconds(min($0, Self.longestWait)) }
  }

  /// The maximum delay, in seconds (about 285 years), which still fits into 64 bits of nanoseconds.
  private static let longestWait = 9_000_000_000

  /// Whether the response has a body. Responses to HEAD, 204 and 304 have none, whatever their fields say (RFC 9112 §6.3).
  func hasBody(for method: HTTPRequest.Method) -> Bool {
    method != .head && status != 204 && status != 304
  }

  /// Whether the body ends only when the connection closes.
  var endsWithConnection: Bool {
    protocolName.hasPrefix("http/") && !isChunked && contentLength == nil
  }

  /// Throws an error for a response that HTTP implementations may interpret differently, because such differences enable
  /// request smuggling.
  ///
  /// - Parameter takesTransferCodings: whether transfer codings other than `chunked` are accepted.
  func check(takesTransferCodings: Bool) throws(TransferError) {
    guard Set(fields[values: .location]).count <= 1 else {
      throw .badResponse("the response has conflicting Location fields")
    }
    let codings = (fields[.transferEncoding] ?? "").lowercased().split(separator: ",").map {
      $0.filter { $0 != " " && $0 != "\t" }
    }
    guard codings.drop(while: { $0 != "chunked" }).allSatisfy({ $0 == "chunked" }) else {
      throw .badTransferCoding("chunked is not the last transfer coding")
    }
    if takesTransferCodings { return }
    if let coding = codings.first(where: { !["chunked", "identity", ""].contains($0) }) {
      throw .badTransferCoding("the transfer coding \"\(coding)\" was not requested")
    }
  }

  /// The declared size of the body, in bytes. `nil` when there is no body or its size is not declared.
  func expectedBytes(for method: HTTPRequest.Method) -> Int64? {
    hasBody(for: method) && !isChunked ? contentLength : nil
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
    let head = utf8.drop(while: isBlank)
    guard let last = head.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(head[...last]) ?? ""
  }
}
