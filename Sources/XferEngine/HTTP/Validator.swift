internal import CCurl
internal import HTTPTypes

/// What tells one version of a resource from another, byte for byte (RFC 9110 §8.8.1).
enum Validator: Sendable, Equatable {
  case entityTag(String)
  /// `Last-Modified`, as the server wrote it.
  case date(String)

  /// Seconds that a date must be older than its response: within one second a resource may change twice.
  private static let age = 60

  /// - Returns: `nil` when the server sends none that is strong. A weak tag says that versions are alike, not that they are the same.
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

  /// As `If-Range` has it.
  var text: String {
    switch self {
    case .entityTag(let text), .date(let text): text
    }
  }

  /// Whether a response is of this version; `nil` when it does not say.
  func matches(_ fields: HTTPFields) -> Bool? {
    switch self {
    case .entityTag(let tag): fields[.eTag].map { $0 == tag }
    case .date(let date):
      fields[.lastModified].map { $0 == date || HTTPDate.seconds($0) == HTTPDate.seconds(date) }
    }
  }
}
