internal import HTTPTypes

/// The version of a resource that a partial file belongs to.
struct Entity: Sendable, Equatable {
  let validator: Validator
  /// The size of the resource, in bytes. `nil` if the server did not declare it.
  var total: Int64?
  /// The value of `Last-Modified`, also if the validator is an entity tag. `nil` if the server did not send it.
  var lastModified: String?
  /// The value of `Content-Encoding`, or `nil` without an encoding. Bytes of different encodings cannot be combined.
  let contentEncoding: String?

  /// Returns `nil` if the response has no strong validator: a strong entity tag, or a modification date that is old enough.
  init?(_ head: ResponseHead, total: Int64?) {
    guard let validator = Validator(head.fields) else { return nil }
    self.init(
      validator: validator, total: total, lastModified: head.fields[.lastModified], contentEncoding: head.contentEncoding)
  }

  init(validator: Validator, total: Int64?, lastModified: String? = nil, contentEncoding: String?) {
    self.validator = validator
    self.total = total
    self.lastModified = lastModified
    self.contentEncoding = contentEncoding
  }

  /// Creates the entity that stored fields describe. `nil` without a validator.
  init?(entityTag: String?, lastModified: String?, total: Int64?, contentEncoding: String?) {
    guard let validator = entityTag.map(Validator.entityTag) ?? lastModified.map(Validator.date) else { return nil }
    self.init(validator: validator, total: total, lastModified: lastModified, contentEncoding: contentEncoding)
  }

  /// The entity tag to store. `nil` if the validator is a date.
  var entityTag: String? {
    if case .entityTag(let tag) = validator { tag } else { nil }
  }

  /// Whether response fields denote this version. `nil` when the fields have nothing to compare.
  ///
  /// A server that ignores `If-Range` may send another version without its entity tag. The date then shows the difference.
  func matches(_ fields: HTTPFields) -> Bool? {
    if let isSame = validator.matches(fields) { return isSame }
    // An equal date proves nothing, because the resource may change twice within one second.
    return lastModified.map(Validator.date)?.matches(fields) == false ? false : nil
  }
}

/// The interpretation of the response to a range request for the remaining bytes of a resource.
///
/// Bytes are appended to the partial file only if the server confirms that they belong to the same version and states their
/// position. In all other cases the download restarts from the beginning, so that a file never mixes two versions.
enum RangeAnswer: Equatable {
  /// The body continues the partial file, after `skip` bytes that the file already has. `end` is the position in the resource
  /// after the body's last byte. `total` is the size of the resource, or `nil` if unknown.
  case continues(skip: Int64, end: Int64, total: Int64?)
  /// The body is the whole resource, which replaces the partial file.
  case startsOver(Reason)
  /// The body is unusable, so the whole resource must be requested again.
  case asksAgain(Reason)
  /// The response is not about the resource's bytes, such as a redirect or a server error.
  case other

  enum Reason: String {
    case entityChanged = "the resource has changed"
    case rangeIgnored = "the server ignored the range request"
    case rangeWrong = "the server sent a different range than requested"
    case rangeRefused = "the server rejected the requested range"
    case encodingChanged = "the content encoding has changed"
  }

  /// - Parameters:
  ///   - head: The head of the response.
  ///   - entity: The version that the partial file belongs to.
  ///   - offset: The position of the first requested byte.
  init(_ head: ResponseHead, to entity: Entity, from offset: Int64) {
    let isSame = entity.matches(head.fields)
    switch head.status {
    case 206: self = Self.part(head, entity, offset, isSame)
    case 200:
      let length = head.contentLength
      // A body of another length than the whole resource is a part that was sent with the wrong status.
      let isSlice = isSame == true && length != nil && entity.total != nil && length != entity.total
      self = isSlice ? .asksAgain(.rangeWrong) : .startsOver(isSame == true ? .rangeIgnored : .entityChanged)
    case 416: self = .asksAgain(isSame == false ? .entityChanged : .rangeRefused)
    default: self = .other
    }
  }

  private static func part(_ head: ResponseHead, _ entity: Entity, _ offset: Int64, _ isSame: Bool?) -> RangeAnswer {
    // A server that honours If-Range may omit the validator (RFC 9110 §15.3.7), but must not send a different one.
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
