/// A message digest that the package computes.
package enum DigestAlgorithm: Sendable {
  /// Only for old servers and published checksums; not secure.
  case md5
  /// Only for published checksums; not secure.
  case sha1
  case sha256
  case sha512
}
