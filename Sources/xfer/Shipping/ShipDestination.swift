import Foundation
import XferEngine

/// The place that logs are shipped to: a bucket of S3-compatible storage, or a URL below which objects are stored by PUT.
struct ShipDestination: Equatable, Sendable {
  /// The text that identifies the destination in messages and journals. Has neither credentials nor a query.
  let name: String
  let scheme: String
  let authority: String
  /// The path of the objects, percent-encoded, with a slash at its end.
  let path: String
  /// The query of every request, with its question mark. May be a secret. Empty if there is none.
  let query: String
  /// Whether requests are signed as S3 requires.
  let isSigned: Bool

  /// - Parameters:
  ///   - text: `s3://BUCKET[/PREFIX]`, or an `https:` or `http:` URL.
  ///   - endpoint: The URL of S3-compatible storage. `nil` means that of AWS.
  ///   - region: The region, which is part of the host name at AWS.
  init(_ text: String, endpoint: String?, region: String) throws(CommandExit) {
    guard text.hasPrefix("s3://") else {
      if endpoint != nil { throw CommandExit(2, "--endpoint works only with an s3:// destination; write s3://BUCKET/PREFIX") }
      let parts = try Self.parts(of: text, example: "https://logs.example.com/devices")
      (scheme, authority, query, isSigned) = (parts.scheme, parts.authority, parts.query, false)
      path = parts.path.hasSuffix("/") ? parts.path : parts.path + "/"
      name = "\(scheme)://\(authority)\(path)"
      return
    }
    let rest = text.dropFirst("s3://".count)
    let bucket = String(rest.prefix { $0 != "/" })
    let prefix = rest.dropFirst(bucket.count).split(separator: "/").map { "\(Self.encoded($0))/" }.joined()
    guard !bucket.isEmpty, bucket.utf8.allSatisfy(Self.isUnreserved) else {
      throw CommandExit(2, "'\(text)' has no valid name of a bucket; write s3://BUCKET/PREFIX")
    }
    (query, isSigned, name) = ("", true, "s3://\(bucket)/\(prefix)")
    guard let endpoint else {
      // A certificate for the hosts of all buckets does not cover a name with dots.
      let isHost = !bucket.contains(".") && !bucket.contains("_")
      let service = "s3.\(region).amazonaws.com"
      scheme = "https"
      authority = isHost ? "\(bucket).\(service)" : service
      path = isHost ? "/\(prefix)" : "/\(bucket)/\(prefix)"
      return
    }
    let parts = try Self.parts(of: endpoint, example: "https://storage.example.com")
    guard parts.query.isEmpty else { throw CommandExit(2, "the endpoint \(endpoint) must not have a query") }
    (scheme, authority) = (parts.scheme, parts.authority)
    path = (parts.path.hasSuffix("/") ? parts.path : parts.path + "/") + "\(bucket)/\(prefix)"
  }

  private static func parts(
    of text: String, example: String
  ) throws(CommandExit) -> (scheme: String, authority: String, path: String, query: String) {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    let rest = text.dropFirst(scheme.count)
    guard ["http", "https"].contains(scheme), rest.hasPrefix("://"), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
      !text.contains("#")
    else {
      // The text may contain a secret.
      throw CommandExit(2, "the destination is not a URL that logs can be shipped to; write s3://BUCKET/PREFIX or \(example)")
    }
    let authority = String(rest.dropFirst(3).prefix { $0 != "/" && $0 != "?" })
    if authority.contains("@") {
      throw CommandExit(
        2, "the URL contains a user or a password; pass credentials with --header, or by the environment for s3://")
    }
    if authority.isEmpty { throw CommandExit(2, "the destination has no host; write \(example)") }
    let target = rest.dropFirst(3 + authority.count)
    let path = String(target.prefix { $0 != "?" })
    return (scheme, authority, path.isEmpty ? "/" : path, String(target.dropFirst(path.count)))
  }

  /// Returns the target of requests for an object.
  ///
  /// - Parameter key: The object's name below the destination. Percent-encoded, because S3 signs paths in this form.
  func target(_ key: String) -> String {
    path + key.split(separator: "/").map(Self.encoded).joined(separator: "/") + query
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Percent-encodes all bytes but those that RFC 3986 calls unreserved.
  static func encoded(_ text: some StringProtocol) -> String {
    text.utf8.map { byte in
      if isUnreserved(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }
}

/// The credentials of S3 in the environment.
struct ShipCredentials: Sendable {
  let signing: TransferSession.RequestSigning
  let sessionToken: String?

  static func region(_ environment: [String: String]) -> String {
    environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"] ?? "us-east-1"
  }

  /// - Parameter environment: Without empty variables.
  init(_ environment: [String: String]) throws(CommandExit) {
    guard let key = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"] else {
      throw CommandExit(
        2, "s3:// needs credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN, if any)")
    }
    signing = TransferSession.RequestSigning(
      accessKeyID: key, secretAccessKey: secret, region: Self.region(environment), service: "s3")
    sessionToken = environment["AWS_SESSION_TOKEN"]
  }
}
