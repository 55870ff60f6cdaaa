public import XferEvents

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a transfer failed: what happened, where, whose number it has, and what to do.
public struct TransferError: Error, Sendable, Equatable {
  /// Short and fixed: also the event field `errorName` and fit for a metric's label.
  public let code: Code
  /// Whose number `number` is.
  public let domain: ErrorDomain
  /// libcurl's `CURLcode` where the engine acts as libcurl would; errno for files.
  public let number: Int
  /// errno; `nil` when the system gave none.
  public let osError: Int?
  public let stage: Stage
  /// In words, with names and paths: private.
  public let problem: String
  /// For `downloadTask(withResumeData:)`: what is there of a download that failed or was cancelled; `nil` when nothing can be gone
  /// on with.
  public internal(set) var downloadTaskResumeData: Data?
  /// Of `notConnectedToInternet`: why the path that is there may not be used; `nil` when there is none.
  public internal(set) var networkUnavailableReason: NetworkUnavailableReason?
  /// Of `cancelled`, in a background session: why the system ended the task; `nil` when the app did.
  public package(set) var cancelReason: CancelReason?

  /// URLSession's words where it has one.
  public enum Code: String, Sendable, CaseIterable {
    case badURL, unsupportedURL, cannotFindHost, cannotConnectToHost, networkConnectionLost, badServerResponse
    case secureConnectionFailed, serverCertificateUntrusted, clientCertificateRejected, userCancelledAuthentication
    case timedOut, cancelled, httpTooManyRedirects, redirectRefused
    case cannotDecodeContentData, dataLengthExceedsMaximum, responseHeadersTooLarge
    case cannotCreateFile, cannotWriteToFile, cannotMoveFile, cannotOpenFile, cannotReadBody
    case sessionInvalidated, insufficientResources, cannotResume, unknown
    case notConnectedToInternet, resourceUnavailable
    case unsupportedInBackground, backgroundSessionInUse, backgroundSessionWasDisconnected
  }

  /// How far the transfer had come.
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
  /// The exit status that the `curl` command has for it; 23 (write error) for files.
  public var curlExitCode: Int { domain == .curl ? number : 23 }

  /// What to do about it.
  public var advice: String {
    switch code {
    case .badURL: "Write the URL as scheme://host/path, with everything else percent-encoded."
    case .unsupportedURL: "Use http or https."
    case .cannotFindHost: "Check the host's name and the resolver."
    case .cannotConnectToHost: "Check that the server listens on this port and that nothing in between refuses it."
    case .networkConnectionLost: "Try again; if it recurs at the same byte, look at the server or a proxy in between."
    case .badServerResponse: "Look at what the server sends: it is not HTTP as this engine reads it."
    case .secureConnectionFailed: "Compare the TLS versions and ciphers of both ends."
    case .serverCertificateUntrusted: "Install the server's authority, or have the server send its whole chain."
    case .clientCertificateRejected: "Use a certificate that the server accepts."
    case .userCancelledAuthentication: "Give a credential that the server accepts."
    case .timedOut: "Raise the time limit, or find out why the other end is silent."
    case .cancelled: "Nothing: the task was cancelled."
    case .httpTooManyRedirects: "Look for a loop in the server's redirects."
    case .redirectRefused: "Request the new address yourself if it is to be trusted."
    case .cannotDecodeContentData: "Ask for the identity encoding, or repair the server's."
    case .dataLengthExceedsMaximum: "Raise the limit, or download to a file."
    case .responseHeadersTooLarge: "Have the server send smaller headers, or raise the limit."
    case .cannotCreateFile, .cannotWriteToFile: "Check free space, permissions and the temporary directory."
    case .cannotMoveFile: "Move the file within the callback, to a directory that exists and may be written."
    case .cannotOpenFile: "Check that the file is there and may be read; open a downloaded one within the callback."
    case .cannotReadBody: "Look at what the app's stream gives."
    case .sessionInvalidated: "Create a new session."
    case .cannotResume: "Start the download from its beginning."
    case .insufficientResources: "Close sessions or raise the process limits."
    case .notConnectedToInternet: "Connect to a network that the session may use, or let the session wait for one."
    case .resourceUnavailable: "Let the task ask the server, or fill the cache before."
    case .unsupportedInBackground: "Use a download or an upload from a file, with a delegate, or a default session."
    case .backgroundSessionInUse: "Keep one session object for each identifier."
    case .backgroundSessionWasDisconnected: "Check that xferd runs and is of the version of this program."
    case .unknown: "Look the number up in libcurl's list of errors."
    }
  }
}

extension TransferError: CustomStringConvertible {
  /// `timedOut (curl 28) while waiting for the response: … Raise …`
  public var description: String {
    let system = osError.map { ", errno \($0)" } ?? ""
    return "\(code.rawValue) (\(domain) \(number)\(system)), stage \(stage.rawValue): \(problem). \(advice)"
  }
}
