/// A byte range from a request's `Range` field.
enum RangeRequest: Equatable {
  case from(Int)
  case between(Int, Int)
  case last(Int)

  /// Creates a range from a field value. Returns `nil` for several ranges, units other than bytes, and malformed text, all of
  /// which HTTP allows a server to ignore.
  init?(_ text: String) {
    guard text.lowercased().hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return nil }
    switch (Int(ends[0]), Int(ends[1])) {
    case (let first?, let last?) where first <= last: self = .between(first, last)
    case (let first?, nil) where ends[1].isEmpty: self = .from(first)
    case (nil, let count?) where ends[0].isEmpty: self = .last(count)
    default: return nil
    }
  }

  /// Returns the range's offsets in a body of the given size, or `nil` when the body has no byte in the range.
  func offsets(in size: Int) -> Range<Int>? {
    switch self {
    case .from(let first), .between(let first, _):
      guard first < size else { return nil }
      if case .between(_, let last) = self, last < size { return first..<(last + 1) }
      return first..<size
    case .last(let count):
      return count == 0 || size == 0 ? nil : max(0, size - count)..<size
    }
  }
}

/// A response's treatment of the byte range that a request asks for.
enum RangeAnswer: Equatable {
  case whole
  case unsatisfiable
  /// Part of the body. A `nil` value for `contentRange` leaves the `Content-Range` field out.
  case slice(Range<Int>, status: Int, contentRange: String?)

  init(_ response: ScriptedResponse, to head: RequestHead, size: Int) {
    self = .whole
    guard response.ranges != .ignore, response.status == 200, let field = head.headers["Range"],
      let asked = RangeRequest(field)
    else { return }
    if response.ifRange == .honour, let condition = head.headers["If-Range"], !Self.matches(condition, response.headers) {
      return
    }
    guard response.ranges != .refuse, let offsets = asked.offsets(in: size) else {
      self = .unsatisfiable
      return
    }
    self = Self.slice(of: offsets, response.ranges, size: size)
  }

  private static func slice(of asked: Range<Int>, _ policy: ScriptedResponse.RangePolicy, size: Int) -> RangeAnswer {
    var sent = asked
    switch policy {
    case .earlyStart: sent = (asked.lowerBound / 4096 * 4096)..<asked.upperBound
    case .wrongStart, .lyingStart: sent = min(asked.lowerBound + 1, asked.upperBound)..<asked.upperBound
    case .shortSlice: sent = asked.lowerBound..<(asked.lowerBound + (asked.count + 1) / 2)
    default: break
    }
    let claimed = policy == .lyingStart ? asked : sent
    let total = policy == .wrongTotal ? size + 1 : size
    let contentRange = "bytes \(claimed.lowerBound)-\(claimed.upperBound - 1)/\(total)"
    switch policy {
    case .sliceAs200: return .slice(sent, status: 200, contentRange: nil)
    case .noContentRange: return .slice(sent, status: 206, contentRange: nil)
    default: return .slice(sent, status: 206, contentRange: contentRange)
    }
  }

  /// Returns whether an `If-Range` value equals the response's strong validator byte for byte (RFC 9110 §13.1.5).
  private static func matches(_ condition: String, _ headers: ScriptHeaders) -> Bool {
    condition == headers["ETag"] ? !condition.hasPrefix("W/") : condition == headers["Last-Modified"]
  }
}
