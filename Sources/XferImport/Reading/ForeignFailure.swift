package import XferEvents

/// How a request of a foreign log failed.
package struct ForeignFailure: Hashable, Sendable {
  /// `nil` if the log does not tell why the attempt ended.
  package var end: AttemptEnd?
  package var domain: ErrorDomain
  /// The number in its domain; -1 if the log has only a name.
  package var code: Int
  package var name: String?
  package var message: String?
  package var osError: Int?

  package init(
    _ end: AttemptEnd?, domain: ErrorDomain = .other, code: Int = -1, name: String?, message: String? = nil, osError: Int? = nil
  ) {
    (self.end, self.domain, self.code, self.name, self.message, self.osError) = (end, domain, code, name, message, osError)
  }

  /// A failure by the number of curl's exit code.
  package init(curl code: Int, message: String? = nil) {
    let end: AttemptEnd =
      switch code {
      case 22: .finished
      case 28: .timeout
      case 23, 26, 37: .file
      // curl itself refused a response: without the wanted range, or longer than --max-filesize allows.
      case 33, 63: .refused
      case 42: .cancelled
      case 47: .redirectRefused
      default: .transport
      }
    self.init(end, domain: .curl, code: code, name: Self.curlNames[code], message: message)
  }

  /// A failure by the number of NSURLErrorDomain.
  package init(url code: Int) {
    let end: AttemptEnd =
      switch code {
      case -999: .cancelled
      case -1001: .timeout
      case -1007: .redirectRefused
      case -3007 ... -3000, -1102 ... -1100: .file
      default: .transport
      }
    self.init(end, domain: .url, code: code, name: Self.urlNames[code])
  }

  private static let urlNames: [Int: String] = [
    -1: "unknown", -999: "cancelled", -1000: "badURL", -1001: "timedOut", -1002: "unsupportedURL", -1003: "cannotFindHost",
    -1004: "cannotConnectToHost", -1005: "networkConnectionLost", -1006: "dnsLookupFailed", -1007: "httpTooManyRedirects",
    -1009: "notConnectedToInternet", -1011: "badServerResponse", -1020: "dataNotAllowed", -1200: "secureConnectionFailed",
    -1202: "serverCertificateUntrusted",
  ]

  /// A failure by its name in Chromium, such as `net::ERR_CONNECTION_RESET`.
  package init(chromium name: some StringProtocol, message: String? = nil) {
    let (name, rest) = Self.parts(of: String(name))
    let short = name.hasPrefix("net::") ? String(name.dropFirst(5)) : name
    let code = Self.chromiumCodes.first { "ERR_\($0.key)" == short }?.value ?? -1
    self.init(Self.end(chromium: short), code: code, name: short, message: message ?? rest)
  }

  /// A failure by its number in Chromium, which is negative.
  package init(chromium code: Int) {
    let name = Self.chromiumCodes.first { $0.value == code }.map { "ERR_\($0.key)" }
    self.init(Self.end(chromium: name ?? ""), code: code, name: name ?? "net error \(code)")
  }

  private static func end(chromium name: String) -> AttemptEnd {
    if name.hasSuffix("TIMED_OUT") { return .timeout }
    if name.hasPrefix("ERR_FILE_") || name == "ERR_ACCESS_DENIED" || name == "ERR_UPLOAD_FILE_CHANGED" { return .file }
    if name == "ERR_TOO_MANY_REDIRECTS" || name == "ERR_UNSAFE_REDIRECT" { return .redirectRefused }
    if name == "ERR_HTTP_RESPONSE_CODE_FAILURE" { return .finished }
    // Chromium's ERR_ABORTED is the end of a request that its page or the user no longer wanted.
    if name == "ERR_ABORTED" { return .cancelled }
    // An extension, a policy of the page or an administrator refused the request.
    if name.hasPrefix("ERR_BLOCKED_BY") { return .refused }
    return .transport
  }

  /// A failure by the class of an exception or by another name, with a message.
  package init(exception name: String, message: String? = nil) {
    let (short, rest) = Self.parts(of: name)
    let text = "\(name) \(message ?? "")".lowercased()
    let end: AttemptEnd?
    if text.contains("timeout") || text.contains("timed out") || text.contains("timed_out") || text.contains("deadline") {
      end = .timeout
    } else if text.contains("cancel") || Self.cancellations.contains(where: { text.contains($0) }) {
      end = .cancelled
    } else if text.contains("abort"), !["connection abort", "econnaborted", "handshake"].contains(where: { text.contains($0) }) {
      // Node.js says "aborted" when the peer closed the connection, and other programs when the user did.
      end = nil
    } else if text.contains("enospc") || text.contains("no space left") || text.contains("filenotfound") {
      end = .file
    } else if text.contains("cleartext") {
      // Android's network security policy refused the request before anything was sent.
      end = nil
    } else {
      end = .transport
    }
    self.init(end, name: short, message: message ?? rest)
  }

  /// The texts by which programs say that they cancelled a request, in lower case.
  private static let cancellations = [
    "aborterror", "abortexception", "operation was aborted", "request aborted", "request was aborted", "user abort",
    "aborted by", "signal is aborted", "ns_binding_aborted",
  ]

  /// The number of bytes of the longest text that counts as a name.
  private static let longestName = 200

  /// Returns the name in a description of a failure, which is public, and the whole description if it has more than a name. Other words may
  /// be private.
  private static func parts(of text: String) -> (name: String, rest: String?) {
    let name = text.prefix { $0.isLetter || $0.isNumber || "_.:$-".contains($0) }
    let isShort = name.utf8.count <= longestName
    if isShort, name.endIndex == text.endIndex { return (text, nil) }
    let isName = isShort && ["Exception", "Error", "ERR_"].contains { name.contains($0) }
    return (isName ? String(name.hasSuffix(":") ? name.dropLast() : name) : "failed", text)
  }

  package var isCancellation: Bool { end == .cancelled }

  /// The phase in which the attempt ended; `nil` if the failure alone does not tell.
  var phase: AttemptPhase? {
    switch domain {
    case .curl: Self.phase(curl: code)
    case .url: Self.phase(url: code)
    case .other: name.flatMap(Self.phase(named:))
    default: nil
    }
  }

  private static func phase(curl code: Int) -> AttemptPhase? {
    switch code {
    case 5, 6: .resolving
    case 7: .connecting
    case 35, 51, 58, 60, 66, 77, 83, 91: .securing
    case 52: .waiting
    case 18, 61, 63: .receiving
    default: nil
    }
  }

  /// The phase in which an attempt ended with a code of NSURLErrorDomain; `nil` if the code does not tell.
  static func phase(url code: Int) -> AttemptPhase? {
    switch code {
    case -1003, -1006: .resolving
    case -1004: .connecting
    case -1206 ... -1200: .securing
    default: nil
    }
  }

  /// - Parameter name: a name of Chromium, or the class of a Java exception.
  private static func phase(named name: String) -> AttemptPhase? {
    let short = name.split(separator: ".").last.map(String.init) ?? name
    switch short {
    case "UnknownHostException", "ERR_NAME_NOT_RESOLVED", "ERR_NAME_RESOLUTION_FAILED": return .resolving
    case "ConnectException", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_FAILED", "ERR_CONNECTION_TIMED_OUT",
      "ERR_ADDRESS_UNREACHABLE":
      return .connecting
    case "SSLHandshakeException", "SSLPeerUnverifiedException", "CertPathValidatorException", "ERR_SSL_PROTOCOL_ERROR":
      return .securing
    case "ERR_EMPTY_RESPONSE": return .waiting
    case "ERR_CONTENT_LENGTH_MISMATCH", "ERR_INCOMPLETE_CHUNKED_ENCODING": return .receiving
    default: return short.hasPrefix("ERR_DNS_") ? .resolving : short.hasPrefix("ERR_CERT_") ? .securing : nil
    }
  }

  static let curlNames: [Int: String] = [
    1: "unsupportedProtocol", 3: "badURL", 5: "couldntResolveProxy", 6: "couldntResolveHost", 7: "couldntConnect",
    8: "weirdServerReply", 16: "http2", 18: "partialFile", 22: "httpReturnedError", 23: "writeError", 26: "readError",
    27: "outOfMemory", 28: "operationTimedOut", 33: "rangeError", 35: "sslConnectError", 37: "fileCouldntReadFile",
    42: "abortedByCallback", 47: "tooManyRedirects", 51: "peerFailedVerification", 52: "gotNothing", 55: "sendError",
    56: "receiveError", 58: "sslCertificateProblem", 60: "peerFailedVerification", 61: "badContentEncoding",
    63: "fileSizeExceeded",
    67: "loginDenied", 78: "remoteFileNotFound", 92: "http2Stream", 95: "http3", 96: "quicConnectError",
  ]

  /// Names without the prefix `ERR_` (net/base/net_error_list.h).
  static let chromiumCodes: [String: Int] = [
    "IO_PENDING": -1, "FAILED": -2, "ABORTED": -3, "INVALID_ARGUMENT": -4, "INVALID_HANDLE": -5, "FILE_NOT_FOUND": -6,
    "TIMED_OUT": -7, "FILE_TOO_BIG": -8, "UNEXPECTED": -9, "ACCESS_DENIED": -10, "NOT_IMPLEMENTED": -11,
    "INSUFFICIENT_RESOURCES": -12, "OUT_OF_MEMORY": -13, "UPLOAD_FILE_CHANGED": -14, "SOCKET_NOT_CONNECTED": -15,
    "FILE_EXISTS": -16, "FILE_NO_SPACE": -18, "BLOCKED_BY_CLIENT": -20, "NETWORK_CHANGED": -21,
    "BLOCKED_BY_ADMINISTRATOR": -22, "SOCKET_IS_CONNECTED": -23, "UPLOAD_STREAM_REWIND_NOT_SUPPORTED": -25,
    "CONTEXT_SHUT_DOWN": -26, "BLOCKED_BY_RESPONSE": -27, "CLEARTEXT_NOT_PERMITTED": -29, "BLOCKED_BY_CSP": -30,
    "NETWORK_ACCESS_REVOKED": -33, "CONNECTION_CLOSED": -100, "CONNECTION_RESET": -101, "CONNECTION_REFUSED": -102,
    "CONNECTION_ABORTED": -103, "CONNECTION_FAILED": -104, "NAME_NOT_RESOLVED": -105, "INTERNET_DISCONNECTED": -106,
    "SSL_PROTOCOL_ERROR": -107, "ADDRESS_INVALID": -108, "ADDRESS_UNREACHABLE": -109, "SSL_CLIENT_AUTH_CERT_NEEDED": -110,
    "TUNNEL_CONNECTION_FAILED": -111, "SSL_VERSION_OR_CIPHER_MISMATCH": -113, "SSL_RENEGOTIATION_REQUESTED": -114,
    "CERT_ERROR_IN_SSL_RENEGOTIATION": -116, "BAD_SSL_CLIENT_AUTH_CERT": -117, "CONNECTION_TIMED_OUT": -118,
    "HOST_RESOLVER_QUEUE_TOO_LARGE": -119, "SOCKS_CONNECTION_FAILED": -120, "SSL_BAD_RECORD_MAC_ALERT": -126,
    "PROXY_AUTH_REQUESTED": -127, "PROXY_CONNECTION_FAILED": -130, "NETWORK_IO_SUSPENDED": -331, "WINSOCK_UNEXPECTED": -9,
    "ADDRESS_IN_USE": -147, "SSL_UNRECOGNIZED_NAME_ALERT": -159, "SOCKET_SEND_BUFFER_FULL": -160,
    "CERT_COMMON_NAME_INVALID": -200, "CERT_DATE_INVALID": -201, "CERT_AUTHORITY_INVALID": -202, "CERT_REVOKED": -206,
    "CERT_INVALID": -207, "CERT_WEAK_SIGNATURE_ALGORITHM": -208, "INVALID_URL": -300, "DISALLOWED_URL_SCHEME": -301,
    "UNKNOWN_URL_SCHEME": -302, "INVALID_REDIRECT": -303, "TOO_MANY_REDIRECTS": -310, "UNSAFE_REDIRECT": -311,
    "UNSAFE_PORT": -312, "INVALID_RESPONSE": -320, "INVALID_CHUNKED_ENCODING": -321, "METHOD_NOT_SUPPORTED": -322,
    "EMPTY_RESPONSE": -324, "RESPONSE_HEADERS_TOO_BIG": -325, "CONTENT_DECODING_FAILED": -330, "HTTP2_PROTOCOL_ERROR": -337,
    "INVALID_AUTH_CREDENTIALS": -338, "CONTENT_LENGTH_MISMATCH": -354, "INCOMPLETE_CHUNKED_ENCODING": -355,
    "QUIC_PROTOCOL_ERROR": -356, "RESPONSE_HEADERS_TRUNCATED": -357, "QUIC_HANDSHAKE_FAILED": -358,
    "HTTP2_INADEQUATE_TRANSPORT_SECURITY": -360, "HTTP2_FLOW_CONTROL_ERROR": -361, "HTTP2_PING_FAILED": -352,
    "HTTP2_SERVER_REFUSED_STREAM": -351, "HTTP2_STREAM_CLOSED": -376, "HTTP2_RST_STREAM_NO_ERROR_RECEIVED": -372,
    "HTTP_1_1_REQUIRED": -365, "HTTP_RESPONSE_CODE_FAILURE": -379, "CACHE_MISS": -400, "CACHE_READ_FAILURE": -401,
    "NAME_RESOLUTION_FAILED": -137,
    "DNS_TIMED_OUT": -803, "DNS_SERVER_FAILED": -802, "DNS_MALFORMED_RESPONSE": -800,
  ]
}
