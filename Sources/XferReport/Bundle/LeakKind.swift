/// A kind of private value that a leak scan recognises.
package enum LeakKind: String, CaseIterable, Sendable, Comparable {
  /// A value that was masked, in plain text or in a common encoding.
  case maskedValue = "masked-value"
  case authorization
  case bearerToken = "bearer-token"
  case urlUserInfo = "url-user-info"
  case signedQuery = "signed-query"
  case cookie
  case jwt
  case accessKey = "access-key"
  case privateKey = "private-key"
  case emailAddress = "email-address"
  case homeDirectory = "home-directory"

  package static func < (left: Self, right: Self) -> Bool {
    allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
  }
}

/// A place in which a leak scan found a private value. The value itself is not kept.
package struct Leak: Hashable, Sendable, Comparable {
  package let kind: LeakKind
  /// The file, and the part of it, such as `log-1.xlog/000001.seg, block 3`.
  package let place: String
  /// The offset of the value in the place, in bytes.
  package let offset: Int

  package static func < (left: Self, right: Self) -> Bool {
    (left.kind, left.place, left.offset) < (right.kind, right.place, right.offset)
  }
}
