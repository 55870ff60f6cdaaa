import Foundation
import HTTPTypes
import XferEngine
import XferEvents

/// The requests to a destination, by the engine: with its retries, and without a log of their own, which would grow with each ship.
final class ObjectStore: Sendable {
  private let destination: ShipDestination
  private let credentials: ShipCredentials?
  private let fields: HTTPFields
  private let session: TransferSession
  /// The file with the certificates of authorities; `nil` means those of the system.
  let authorities: String?

  private static let digestField = HTTPField.Name("x-amz-meta-xferlog-sha256")!
  private static let payloadField = HTTPField.Name("x-amz-content-sha256")!
  private static let tokenField = HTTPField.Name("x-amz-security-token")!
  /// The digest of an empty body.
  private static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  /// - Parameters:
  ///   - fields: The header fields of all requests.
  ///   - retries: The maximum number of retries of a request.
  ///   - authorities: The file with the certificates of authorities; `nil` means those of the system.
  init(
    _ destination: ShipDestination, credentials: ShipCredentials?, fields: HTTPFields, retries: Int, authorities: String?
  ) {
    (self.destination, self.fields, self.credentials, self.authorities) = (destination, fields, credentials, authorities)
    var configuration = TransferSession.Configuration.ephemeral
    configuration.name = "ship"
    configuration.requestSigning = credentials?.signing
    configuration.retryPolicy = TransferSession.RetryPolicy(maximumRetries: retries)
    configuration.retryPolicy.maximumDelay = .seconds(30)
    configuration.retryPolicy.maximumRetryAfter = .seconds(120)
    // A redirect leads to another region or server, which the user must name.
    configuration.redirectLimit = 0
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.maximumBodyBytes = 1 << 20
    configuration.serverTrust.authoritiesFile = authorities
    session = TransferSession(configuration: configuration, sink: NullSink())
  }

  deinit { session.invalidateAndCancel() }

  private func unsigned(_ method: HTTPRequest.Method, _ key: String) -> HTTPRequest {
    HTTPRequest(
      method: method, scheme: destination.scheme, authority: destination.authority, path: destination.target(key),
      headerFields: fields)
  }

  private func request(_ method: HTTPRequest.Method, _ key: String, payload: String) -> HTTPRequest {
    var request = unsigned(method, key)
    if destination.isSigned {
      request.headerFields[Self.payloadField] = payload
      request.headerFields[Self.tokenField] = credentials?.sessionToken
    }
    return request
  }

  /// Stores a file as an object, and returns when the server has confirmed it.
  ///
  /// - Parameter digest: The SHA-256 digest of the file, in hexadecimal.
  func put(_ path: String, as key: String, digest: String) async throws {
    var request = request(.put, key, payload: digest)
    request.headerFields[.contentType] = "application/octet-stream"
    if destination.isSigned { request.headerFields[Self.digestField] = digest }
    let (body, response) = try await session.upload(for: request, fromFile: URL(fileURLWithPath: path))
    guard 200..<300 ~= response.statusCode else {
      throw StorageRefusal(key: key, status: response.statusCode, body: body, isSigned: destination.isSigned)
    }
  }

  /// Returns the request that stores an object, with which another process can do so later, without the secret key.
  func presigned(_ key: String, digest: String, at date: Date) -> HTTPRequest {
    var request = unsigned(.put, key)
    request.headerFields[.contentType] = "application/octet-stream"
    guard let credentials else { return request }
    request.headerFields[Self.digestField] = digest
    return RequestPresigner(credentials: credentials).presigned(request, at: date)
  }

  /// Returns whether the server has an object with this digest. Only S3 keeps the digest, so other servers have none.
  func has(_ key: String, digest: String) async throws -> Bool {
    guard destination.isSigned else { return false }
    let (_, response) = try await session.data(for: request(.head, key, payload: Self.emptyDigest))
    return response.statusCode == 200 && response.headerFields[Self.digestField] == digest
  }
}

/// A server's refusal of an object.
struct StorageRefusal: Error, CustomStringConvertible {
  let key: String
  let status: Int
  /// The code and the message of S3; `nil` if the answer has none.
  let code: String?
  private let message: String?
  private let isSigned: Bool

  init(key: String, status: Int, body: Data, isSigned: Bool) {
    (self.key, self.status, self.isSigned) = (key, status, isSigned)
    let text = String(decoding: body.prefix(4096), as: UTF8.self)
    (code, message) = (Self.element("Code", in: text), Self.element("Message", in: text))
  }

  private static func element(_ name: String, in text: String) -> String? {
    guard let start = text.range(of: "<\(name)>"), let end = text.range(of: "</\(name)>", range: start.upperBound..<text.endIndex)
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound].prefix(200))
  }

  var description: String {
    let reason = code.map { ", \($0)\(message.map { " (\($0))" } ?? "")" } ?? ""
    return "the server refused \(key): status \(status)\(reason).\n\(advice)"
  }

  private var advice: String {
    switch (code, status) {
    case ("SignatureDoesNotMatch", _): "Check AWS_SECRET_ACCESS_KEY."
    case ("InvalidAccessKeyId", _): "Check AWS_ACCESS_KEY_ID."
    case ("ExpiredToken", _), ("InvalidToken", _): "Check AWS_SESSION_TOKEN, which may have expired."
    case ("RequestTimeTooSkewed", _): "Set the clock of this machine."
    case ("AuthorizationHeaderMalformed", _), ("PermanentRedirect", _): "Check AWS_REGION and --endpoint."
    case ("NoSuchBucket", _): "Create the bucket, or check its name."
    case (_, 300..<400): isSigned ? "Check AWS_REGION and --endpoint." : "Name the URL that the server redirects to."
    case (_, 401), (_, 403):
      isSigned ? "The access key lacks permission to store objects there. Check its policy." : "Pass credentials with --header."
    case (_, 404), (_, 405): "The server stores no objects at this URL."
    case (_, 500...): "The server failed, also after retries. Run the command again later."
    default: "Check the destination."
    }
  }
}
