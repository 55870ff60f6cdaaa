package import HTTPTypes
public import XferEvents

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The error of a failed transfer: the cause, the stage, the error number, and advice.
public struct TransferError: Error, Sendable, Equatable {
  /// The kind of error. Its raw value is also the event field `errorName`, and can be a metric label.
  public let code: Code
  /// The domain that `number` belongs to.
  public let domain: ErrorDomain
  /// The error number: libcurl's `CURLcode` in the domain `curl`, an errno in the domain `posix`, and the engine's own number in
  /// the domain `xfer`.
  public let number: Int
  /// The errno. `nil` if the system did not report one.
  public let osError: Int?
  /// The stage of the transfer at which the error occurred.
  public let stage: Stage
  /// A description of the cause. May contain private names and paths.
  public let problem: String
  /// The data for `downloadTask(withResumeData:)` of a failed or cancelled download. `nil` if it cannot be resumed.
  public internal(set) var downloadTaskResumeData: Data?
  /// The reason why the session may not use the network path, for the code `notConnectedToInternet`. `nil` if there is no path.
  public internal(set) var networkUnavailableReason: NetworkUnavailableReason?
  /// The reason why the system cancelled a background task, for the code `cancelled`. `nil` if the app cancelled the task.
  public package(set) var cancelReason: CancelReason?

  /// The kind of error, named as in URLSession where it has an equivalent.
  public enum Code: String, Sendable, CaseIterable {
    case badURL, unsupportedURL, cannotFindHost, cannotConnectToHost, networkConnectionLost, badServerResponse
    case secureConnectionFailed, serverCertificateUntrusted, clientCertificateRejected, userCancelledAuthentication
    case timedOut, cancelled, httpTooManyRedirects, redirectRefused
    case cannotDecodeContentData, dataLengthExceedsMaximum, responseHeadersTooLarge
    case cannotCreateFile, cannotWriteToFile, cannotMoveFile, cannotOpenFile, cannotReadBody
    case sessionInvalidated, insufficientResources, cannotResume, unknown
    case notConnectedToInternet, resourceUnavailable
    case unsupportedInBackground, backgroundSessionInUse, backgroundSessionWasDisconnected
    case requestNotRepeatable
  }

  /// The stage of a transfer.
  public enum Stage: String, Sendable {
    case creation, nameLookup, connection, request, response, body, redirect, file
  }

  package init(
    _ code: Code, domain: ErrorDomain = .curl, number: Int, osError: Int? = nil, stage: Stage, problem: String
  ) {
    self.code = code
    self.domain = domain
    self.number = number
    self.osError = osError
    self.stage = stage
    self.problem = problem
  }
}

extension TransferError {
  /// The exit status of the `curl` command for this error. 23 (write error) if the domain is not `curl`.
  public var curlExitCode: Int { domain == .curl ? number : 23 }

  /// libcurl's code for an unreadable file of certificate authorities, `CURLE_SSL_CACERT_BADFILE`.
  private static let badAuthoritiesFile = 77
  /// libcurl's code for an upload that cannot be sent, `CURLE_UPLOAD_FAILED`.
  private static let uploadFailed = 25

  /// Advice on how to avoid or fix the error.
  public var advice: String {
    switch code {
    case _ where domain == .curl && number == Self.uploadFailed && problem.contains("HTTP 1.0"):
      "HTTP/1.0 needs the length of the body: upload a file instead of a stream, or use HTTP/1.1."
    case .badURL: "Write the URL as scheme://host/path and percent-encode the characters that a URL must not contain."
    case .unsupportedURL: "Use an http or https URL."
    case .cannotFindHost: "Check the host name and the DNS resolver."
    case .cannotConnectToHost: "Check that the server listens on this port and that no firewall blocks the connection."
    case .networkConnectionLost: "Retry. If the connection breaks at the same byte again, check the server and any proxies."
    case .badServerResponse: "Check the server's response: it violates HTTP."
    // OpenSSL and GnuTLS report these messages when the server's answer is not TLS.
    case .secureConnectionFailed where problem.contains("wrong version number") || problem.contains("unexpected TLS packet"):
      "The server does not seem to speak TLS on this port: use an http URL, or check the port."
    case .secureConnectionFailed: "Compare the TLS versions and ciphers of the client and the server."
    case .serverCertificateUntrusted where domain == .curl && number == Self.badAuthoritiesFile:
      "Check that the file with the certificate authorities exists, is readable and has certificates in PEM form."
    case .serverCertificateUntrusted: "Install the server's certificate authority, or make the server send its full chain."
    case .clientCertificateRejected: "Use a client certificate that the server accepts."
    case .userCancelledAuthentication: "Provide a credential that the server accepts."
    case .timedOut: "Increase the timeout, or find out why the server does not respond."
    case .cancelled: "No action is needed: the task was cancelled."
    case .httpTooManyRedirects: "Check the server's redirects for a loop."
    case .redirectRefused: "If you trust the redirect's target, request it directly."
    case .cannotDecodeContentData: "Request the identity encoding, or fix the server's content encoding."
    case .dataLengthExceedsMaximum: "Raise the limit, or download to a file."
    case .responseHeadersTooLarge: "Reduce the size of the server's header fields, or raise the limit."
    case .cannotCreateFile, .cannotWriteToFile: "Check free space, permissions and the temporary directory."
    case .cannotMoveFile: "Move the file during the callback, to an existing directory with write permission."
    case .cannotOpenFile: "Check that the file exists and is readable. Open a downloaded file during the callback."
    case .cannotReadBody: "Check the bytes and errors of the app's body stream."
    case .sessionInvalidated: "Create a new session."
    case .cannotResume: "Start the download from its beginning."
    case .insufficientResources: "Close sessions or raise the process limits."
    case .notConnectedToInternet: "Connect to a network that the session may use, or set waitsForConnectivity."
    case .resourceUnavailable: "Use a cache policy that allows network loads, or fill the cache first."
    case .unsupportedInBackground: "Use a download or file upload with a delegate, or use a default session."
    case .backgroundSessionInUse: "Create only one session object per identifier."
    case .backgroundSessionWasDisconnected: "Check that xferd is running and has the same version as this program."
    case .requestNotRepeatable:
      "Ask the server whether it carried out the request. To allow repetition, send an Idempotency-Key, or set allowsRepetition."
    case .unknown: "Look up the number in libcurl's list of error codes."
    }
  }
}

extension TransferError {
  /// A request that the server may have carried out and that must not be sent again.
  package static func notRepeatable(_ method: HTTPRequest.Method, _ event: String) -> TransferError {
    TransferError(
      .requestNotRepeatable, domain: .xfer, number: 17, stage: .response,
      problem: "\(event); the \(method.rawValue) request is not sent again because the server may have carried it out")
  }
}

extension TransferError: CustomStringConvertible {
  /// A text such as `timedOut (curl 28), stage response: … Increase the timeout, …`.
  public var description: String {
    let system = osError.map { ", errno \($0)" } ?? ""
    return "\(code.rawValue) (\(domain) \(number)\(system)), stage \(stage.rawValue): \(problem). \(advice)"
  }
}
