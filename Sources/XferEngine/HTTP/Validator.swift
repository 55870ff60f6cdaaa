internal import CCurl
internal import HTTPTypes

/// A strong validator, which identifies one version of a resource byte for byte (RFC 9110 §8.8.1).
enum Validator: Sendable, Equatable {
  case entityTag(String)
  /// The unchanged value of `Last-Modified`.
  case date(String)

  /// The minimum age of a `Last-Modified` date at the time of its response, in seconds.
  ///
  /// A younger date is a weak validator, because a resource may change twice within one second.
  private static let age = 60

  /// Reads the validator from response fields. `nil` if they have no strong validator.
  ///
  /// A weak entity tag does not qualify, because it denotes equivalent rather than identical versions.
  init?(_ fields: HTTPFields) {
    if let tag = fields[.eTag] {
      guard tag.count >= 2, tag.first == "\"", tag.last == "\"" else { return nil }
      self = .entityTag(tag)
    } else {
      guard let modified = fields[.lastModified], let time = HTTPDate.seconds(modified),
        let now = fields[.date].flatMap(HTTPDate.seconds), now - time >= Self.age
      else { return nil }
      self = .date(modified)
    }
  }

  /// The value for an `If-Range` field.
  var text: String {
    switch self {
    case .entityTag(let text), .date(let text): text
    }
  }

  /// Whether response fields denote this version. `nil` when the fields have no validator of this kind.
  func matches(_ fields: HTTPFields) -> Bool? {
    switch self {
    case .entityTag(let tag): fields[.eTag].map { $0 == tag }
    case .date(let date):
      fields[.lastModified].map { $0 == date || HTTPDate.seconds($0) == HTTPDate.seconds(date) }
    }
  }
}
