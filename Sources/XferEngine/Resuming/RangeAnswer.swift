internal import HTTPTypes

/// One version of a resource, of which some bytes are there.
struct Entity: Sendable, Equatable {
  let validator: Validator
  /// Its size in bytes; `nil` when the server did not say.
  var total: Int64?
  /// `Content-Encoding`; bytes of different encodings are not of one whole.
  let contentEncoding: String?

  /// - Returns: `nil` when a response gives nothing that another could be compared with.
  init?(_ head: ResponseHead, total: Int64?) {
    guard let validator = Validator(head.fields) else { return nil }
    self.init(validator: validator, total: total, contentEncoding: head.contentEncoding)
  }

  init(validator: Validator, total: Int64?, contentEncoding: String?) {
    self.validator = validator
    self.total = total
    self.contentEncoding = contentEncoding
  }
}

/// What the answer to a request for the rest of a resource is good for.
///
/// Bytes are put together only when the server itself says that they are of one version and where they belong. Everything else
/// costs a transfer from the beginning: never a file that is made of two.
enum RangeAnswer: Equatable {
  /// The body goes on where the bytes end, after `skip` bytes that are there already; it ends before `end`.
  case continues(skip: Int64, end: Int64, total: Int64?)
  /// The body is the whole resource.
  case startsOver(Reason)
  /// The body is of no use: the resource is asked for again, from its beginning.
  case asksAgain(Reason)
  /// The answer is not about the resource's bytes.
  case other

  enum Reason: String {
    case entityChanged = "the resource has changed"
    case rangeIgnored = "the server sends no parts"
    case rangeWrong = "the part is not the one that was asked for"
    case rangeRefused = "the server refuses to send this part"
    case encodingChanged = "the resource comes in another encoding"
  }

  /// - Parameter offset: the first byte that was asked for.
  init(_ head: ResponseHead, to entity: Entity, from offset: Int64) {
    let isSame = entity.validator.matches(head.fields)
    switch head.status {
    case 206: self = Self.part(head, entity, offset, isSame)
    case 200:
      let length = head.contentLength
      // A part that is passed off as the whole.
      let isSlice = isSame == true && length != nil && entity.total != nil && length != entity.total
      self = isSlice ? .asksAgain(.rangeWrong) : .startsOver(isSame == true ? .rangeIgnored : .entityChanged)
    case 416: self = .asksAgain(isSame == false ? .entityChanged : .rangeRefused)
    default: self = .other
    }
  }

  private static func part(_ head: ResponseHead, _ entity: Entity, _ offset: Int64, _ isSame: Bool?) -> RangeAnswer {
    // A server that keeps to If-Range need not repeat the validator (RFC 9110 §15.3.7), but does not send another.
    if isSame == false { return .asksAgain(.entityChanged) }
    if head.contentEncoding != entity.contentEncoding { return .asksAgain(.encodingChanged) }
    guard let part = head.contentRange, let range = part.range, range.lowerBound <= offset, range.upperBound > offset else {
      return .asksAgain(.rangeWrong)
    }
    if let length = head.contentLength, length != range.upperBound - range.lowerBound { return .asksAgain(.rangeWrong) }
    if let total = part.total, let known = entity.total, total != known { return .asksAgain(.entityChanged) }
    let total = part.total ?? entity.total
    if let total, range.upperBound > total { return .asksAgain(.rangeWrong) }
    return .continues(skip: offset - range.lowerBound, end: range.upperBound, total: total)
  }
}
