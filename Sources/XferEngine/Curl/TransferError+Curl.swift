internal import CCurl
internal import CCurlShims

extension TransferError {
  /// Translates a libcurl error. The meaning of a code may depend on the stage that the transaction had reached.
  init(curl result: CURLcode, osError: Int?, stage: Stage, message: String) {
    let system = osError == 0 ? nil : osError
    let problem = message.isEmpty ? String(cString: curl_easy_strerror(result)) : message
    self.init(
      Self.code(of: result, stage: stage), number: Self.number(of: result), osError: system,
      stage: Self.stage(of: result) ?? stage, problem: problem)
  }

  /// Returns libcurl's error number, with 43 replaced by 8.
  ///
  /// libcurl 7 reports some malformed responses as `CURLE_BAD_FUNCTION_ARGUMENT` (43), newer versions as
  /// `CURLE_WEIRD_SERVER_REPLY` (8).
  private static func number(of result: CURLcode) -> Int {
    Int((result == CURLE_BAD_FUNCTION_ARGUMENT ? CURLE_WEIRD_SERVER_REPLY : result).rawValue)
  }

  private static func code(of result: CURLcode, stage: Stage) -> Code {
    switch result {
    // libcurl reports a response in HTTP/0.9 or with an unknown version as an unsupported protocol.
    case CURLE_UNSUPPORTED_PROTOCOL: stage == .creation ? .unsupportedURL : .badServerResponse
    case CURLE_URL_MALFORMAT: .badURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnectToHost
    // libcurl reports `CURLE_BAD_FUNCTION_ARGUMENT` for a head that begins with a folded line and a trailer with a zero byte.
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_FUNCTION_ARGUMENT: .badServerResponse
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR: .networkConnectionLost
    case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3: .networkConnectionLost
    case CURLE_WRITE_ERROR: .cannotWriteToFile
    case CURLE_OUT_OF_MEMORY: .insufficientResources
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_ABORTED_BY_CALLBACK: .cancelled
    case CURLE_TOO_MANY_REDIRECTS: .httpTooManyRedirects
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_SHUTDOWN_FAILED: .secureConnectionFailed
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .serverCertificateUntrusted
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT: .clientCertificateRejected
    case CURLE_BAD_CONTENT_ENCODING: .cannotDecodeContentData
    case CURLE_FILESIZE_EXCEEDED: .dataLengthExceedsMaximum
    default: .unknown
    }
  }

  private static func stage(of result: CURLcode) -> Stage? {
    switch result {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameLookup
    case CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION: .connection
    case CURLE_PARTIAL_FILE, CURLE_BAD_CONTENT_ENCODING: .body
    default: nil
    }
  }

  static func badURL(_ problem: String) -> TransferError {
    TransferError(.badURL, number: Int(CURLE_URL_MALFORMAT.rawValue), stage: .creation, problem: problem)
  }

  static func unsupportedScheme(_ scheme: String) -> TransferError {
    TransferError(
      .unsupportedURL, number: Int(CURLE_UNSUPPORTED_PROTOCOL.rawValue), stage: .creation,
      problem: "unsupported URL scheme \"\(scheme)\" (supported: http, https)")
  }

  static func badResponse(_ problem: String) -> TransferError {
    TransferError(
      .badServerResponse, number: Int(CURLE_WEIRD_SERVER_REPLY.rawValue), stage: .response, problem: problem)
  }

  static func badTransferCoding(_ problem: String) -> TransferError {
    TransferError(
      .cannotDecodeContentData, number: Int(CURLE_BAD_CONTENT_ENCODING.rawValue), stage: .response, problem: problem)
  }

  static func cancelled(_ stage: Stage) -> TransferError {
    TransferError(
      .cancelled, number: Int(CURLE_ABORTED_BY_CALLBACK.rawValue), stage: stage, problem: "the task was cancelled")
  }

  static func timedOut(_ stage: Stage, _ problem: String) -> TransferError {
    TransferError(.timedOut, number: Int(CURLE_OPERATION_TIMEDOUT.rawValue), stage: stage, problem: problem)
  }

  static func tooLarge(limit: Int64) -> TransferError {
    TransferError(
      .dataLengthExceedsMaximum, number: Int(CURLE_FILESIZE_EXCEEDED.rawValue), stage: .body,
      problem: "the body is larger than \(limit) bytes")
  }

  static let ambiguousLength = TransferError(
    .badServerResponse, number: Int(CURLE_WEIRD_SERVER_REPLY.rawValue), stage: .response,
    problem: "the Content-Length of the response is invalid or ambiguous")

  static func growsTooMuch(_ ratio: Int64) -> TransferError {
    TransferError(
      .dataLengthExceedsMaximum, number: Int(CURLE_FILESIZE_EXCEEDED.rawValue), stage: .body,
      problem: "the decoded body is more than \(ratio) times as large as the encoded one")
  }

  /// A response head that exceeds the limit on its size or on its number of fields.
  ///
  /// The numbers are libcurl's: 56 for a head that is too large, as in libcurl 7, and 100 for too many fields.
  static func headersTooLarge(_ problem: String, tooMany: Bool) -> TransferError {
    TransferError(
      .responseHeadersTooLarge, number: tooMany ? Int(CC_TOO_LARGE) : Int(CURLE_RECV_ERROR.rawValue), stage: .response,
      problem: problem)
  }
}
