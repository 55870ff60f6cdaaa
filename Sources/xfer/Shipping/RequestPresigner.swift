import Foundation
import HTTPTypes
import XferCrypto
import XferEngine

/// Signs requests in their URLs (AWS Signature Version 4), so that a process without the secret key can send them later.
struct RequestPresigner: Sendable {
  let credentials: ShipCredentials

  /// The time for which S3 accepts such a request, in seconds. The maximum that S3 permits. Temporary credentials may expire before.
  static let lifetime = 7 * 24 * 3600

  /// Returns a request with a signed URL. The signature covers the host and the header fields that begin with `x-amz-`, but not the body.
  ///
  /// - Parameters:
  ///   - request: A request whose path is percent-encoded and has no query.
  ///   - date: The time of the signature.
  func presigned(_ request: HTTPRequest, at date: Date) -> HTTPRequest {
    let signing = credentials.signing
    let time = date.formatted(Self.format)
    let scope = "\(time.prefix(8))/\(signing.region)/\(signing.service)/aws4_request"
    let fields = Self.signedFields(of: request)
    let names = fields.map(\.name).joined(separator: ";")
    var parameters = [
      ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(signing.accessKeyID)/\(scope)"), ("X-Amz-Date", time),
      ("X-Amz-Expires", "\(Self.lifetime)"),
    ]
    if let token = credentials.sessionToken { parameters.append(("X-Amz-Security-Token", token)) }
    parameters.append(("X-Amz-SignedHeaders", names))
    // The parameters are in alphabetical order, which the signature requires.
    let query = parameters.map { "\($0)=\(ShipDestination.encoded($1))" }.joined(separator: "&")
    let path = request.path ?? "/"
    let canonical = [
      request.method.rawValue, path, query, fields.map { "\($0.name):\($0.value)\n" }.joined(), names, "UNSIGNED-PAYLOAD",
    ].joined(separator: "\n")
    let text = [Self.algorithm, time, scope, SHA256.hash(data: Array(canonical.utf8)).hexadecimal].joined(separator: "\n")
    var key = Array("AWS4\(signing.secretAccessKey)".utf8)
    for part in scope.split(separator: "/") { key = HMACSHA256.code(for: part.utf8, key: key) }
    var presigned = request
    presigned.path = "\(path)?\(query)&X-Amz-Signature=\(HMACSHA256.code(for: text.utf8, key: key).hexadecimal)"
    return presigned
  }

  private static let algorithm = "AWS4-HMAC-SHA256"
  private static let format = Date.ISO8601FormatStyle(
    dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZone: .gmt)

  private static func signedFields(of request: HTTPRequest) -> [(name: String, value: String)] {
    let own = request.headerFields.map(\.name.canonicalName).filter { $0.hasPrefix("x-amz-") }
    let fields = Set(own).sorted().map { name in
      let values = request.headerFields.filter { $0.name.canonicalName == name }.map(\.value)
      return (name: name, value: values.map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: ","))
    }
    return [(name: "host", value: host(of: request))] + fields
  }

  /// Returns the value of the field `Host`, in which libcurl omits the default port.
  private static func host(of request: HTTPRequest) -> String {
    let authority = request.authority ?? ""
    let port = request.scheme == "http" ? ":80" : ":443"
    return authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
  }
}
