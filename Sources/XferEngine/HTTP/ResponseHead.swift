internal import HTTPTypes
internal import XferEvents

/// Puts a response's head together from the lines that libcurl hands over, within limits.
struct ResponseHead: Sendable {
  private(set) var status = 0
  private(set) var reason = ""
  /// `http/1.1`.
  private(set) var protocolName = "http/1.1"
  private(set) var fields = HTTPFields()
  private(set) var isComplete = false
  private var bytes = 0
  private var count = 0
  private let byteLimit: Int
  private let countLimit: Int

  init(byteLimit: Int, countLimit: Int) {
    self.byteLimit = byteLimit
    self.countLimit = countLimit
  }

  enum Step: Equatable {
    /// More lines are to come.
    case more
    /// The end of an interim response: another head follows.
    case interim
    case complete
    /// A trailer field after the body.
    case trailer
  }

  /// - Parameter line: with its line end.
  mutating func take(_ line: UnsafeRawBufferPointer) throws(TransferError) -> Step {
    bytes += line.count
    guard bytes <= byteLimit else { throw .headersTooLarge("the header is larger than \(byteLimit) bytes", tooMany: false) }
    if isComplete { return .trailer }
    var text = line[...]
    while let last = text.last, last == 10 || last == 13 { text.removeLast() }
    guard !text.contains(13) else { throw .badResponse("a field has a carriage return in it") }
    if text.isEmpty { return try finishHead() }
    if text.starts(with: "HTTP/".utf8), count == 0 || status == 0 {
      readStatus(String(decoding: text, as: UTF8.self))
      return .more
    }
    count += 1
    guard count <= countLimit else { throw .headersTooLarge("the header has more than \(countLimit) fields", tooMany: true) }
    readField(text)
    return .more
  }

  private mutating func finishHead() throws(TransferError) -> Step {
    // No request asks for another protocol; libcurl takes whatever follows for a body.
    if status == 101 { throw .badResponse("the server switches protocols (101), and the request did not ask for that") }
    if (100..<200).contains(status) {
      // An interim response; the limits go on counting, or a server could send these for ever.
      (status, reason, fields) = (0, "", HTTPFields())
      return .interim
    }
    isComplete = true
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
    else { return }  // A name that is no name cannot be looked up by anyone.
    let value = String(decoding: text[(colon + 1)...], as: UTF8.self)
    fields.append(HTTPField(name: name, value: value.trimmingBlanks))
  }
}

extension ResponseHead {
  /// What the field says, when it is a number of bytes.
  var contentLength: Int64? { if case .clear(let length) = length { length } else { nil } }

  /// Whether the fields say one length or none: with two nobody can tell where the body ends (RFC 9112 §6.3).
  var hasClearLength: Bool { length != .unclear }

  private enum Length: Equatable {
    case none
    case clear(Int64)
    case unclear
  }

  private var length: Length {
    var length = Length.none
    for field in fields where field.name == .contentLength {
      for text in field.value.split(separator: ",", omittingEmptySubsequences: false) {
        let text = String(text).trimmingBlanks
        guard text.utf8.allSatisfy({ 48...57 ~= $0 }), let said = Int64(text), length == .none || length == .clear(said) else {
          return .unclear
        }
        length = .clear(said)
      }
    }
    return length
  }

  var mediaType: String? { fields[.contentType].flatMap { LoggedText.mediaType($0) } }

  var isChunked: Bool { fields[.transferEncoding]?.lowercased().contains("chunked") ?? false }

  /// Other than `identity`.
  var contentEncoding: String? {
    fields[.contentEncoding].flatMap { $0.isEmpty || $0.lowercased() == "identity" ? nil : $0 }
  }

  var contentRange: ContentRange? { fields[.contentRange].flatMap { ContentRange($0) } }

  /// `Retry-After` as a time from now: seconds, or a date that is held against the response's own, as clocks differ. Of several the
  /// longest.
  ///
  /// - Parameter clock: seconds since 1970, for a response without a date; asked only then.
  func retryAfter(clock: () -> Int) -> Duration? {
    fields[values: .retryAfter].compactMap { text -> Int? in
      if !text.isEmpty, text.utf8.allSatisfy({ 48...57 ~= $0 }) { return Int(text) ?? .max }
      return HTTPDate.seconds(text).map { time in
        let now = fields[.date].flatMap(HTTPDate.seconds) ?? clock()
        return Int(max(0, Int64(time).subtractingClamped(Int64(now))))
      }
    }.max().map { .seconds(min($0, Self.longestWait)) }
  }

  /// Seconds; some centuries, which still can be counted in nanoseconds.
  private static let longestWait = 9_000_000_000

  /// A response to HEAD, and these statuses, have no body whatever the fields say (RFC 9112 §6.3).
  func hasBody(for method: HTTPRequest.Method) -> Bool {
    method != .head && status != 204 && status != 304
  }

  /// Whether nothing but the end of the connection ends the body.
  var endsWithConnection: Bool {
    protocolName.hasPrefix("http/") && !isChunked && contentLength == nil
  }

  /// Refuses what two readers could take for two things.
  ///
  /// - Parameter takesTransferCodings: whether others than `chunked` were asked for, or are left as they are.
  func check(takesTransferCodings: Bool) throws(TransferError) {
    guard Set(fields[values: .location]).count <= 1 else {
      throw .badResponse("the response has more than one address to go on to")
    }
    let codings = (fields[.transferEncoding] ?? "").lowercased().split(separator: ",").map {
      $0.filter { $0 != " " && $0 != "\t" }
    }
    guard codings.drop(while: { $0 != "chunked" }).allSatisfy({ $0 == "chunked" }) else {
      throw .badTransferCoding("chunked is not the last of the transfer codings")
    }
    if takesTransferCodings { return }
    if let coding = codings.first(where: { !["chunked", "identity", ""].contains($0) }) {
      throw .badTransferCoding("the transfer coding \(coding) was not asked for")
    }
  }

  /// Bytes of the body that the server has promised.
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
