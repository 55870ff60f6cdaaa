internal import CCurl
internal import CCurlShims

extension TransferError {
  /// What libcurl's code means; the same code means another thing before and after the request was sent.
  init(curl result: CURLcode, osError: Int?, stage: Stage, message: String) {
    let system = osError == 0 ? nil : osError
    let problem = message.isEmpty ? String(cString: curl_easy_strerror(result)) : message
    self.init(
      Self.code(of: result, stage: stage), number: Self.number(of: result), osError: system,
      stage: Self.stage(of: result) ?? stage, problem: problem)
  }

  /// libcurl's own, but for what it finds in a response and calls by the name of something else: newer ones say 8 of it, too.
  private static func number(of result: CURLcode) -> Int {
    Int((result == CURLE_BAD_FUNCTION_ARGUMENT ? CURLE_WEIRD_SERVER_REPLY : result).rawValue)
  }

  private static func code(of result: CURLcode, stage: Stage) -> Code {
    switch result {
    // HTTP/0.9 and the like arrive as an unsupported protocol.
    case CURLE_UNSUPPORTED_PROTOCOL: stage == .creation ? .unsupportedURL : .badServerResponse
    case CURLE_URL_MALFORMAT: .badURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
    case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnectToHost
    // The last is what libcurl says of a head that begins with a folded line, and of a trailer with a zero byte.
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
      problem: "the scheme \(scheme) is not carried")
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

  static let unclearLength = TransferError(
    .badServerResponse, number: Int(CURLE_WEIRD_SERVER_REPLY.rawValue), stage: .response,
    problem: "the head declares several lengths, or one that is no number of bytes")

  static func growsTooMuch(_ ratio: Int64) -> TransferError {
    TransferError(
      .dataLengthExceedsMaximum, number: Int(CURLE_FILESIZE_EXCEEDED.rawValue), stage: .body,
      problem: "decoded, the body is more than \(ratio) times as large as it came")
  }

  /// libcurl 7 has 56 for a header that is too large; newer ones have 100 for too many.
  static func headersTooLarge(_ problem: String, tooMany: Bool) -> TransferError {
    TransferError(
      .responseHeadersTooLarge, number: tooMany ? Int(CC_TOO_LARGE) : Int(CURLE_RECV_ERROR.rawValue), stage: .response,
      problem: problem)
  }
}
