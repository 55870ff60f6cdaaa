internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The loggable parts of an error from URLSession.
struct ErrorFacts: Sendable {
  /// The error domain. `nil` for a domain that the log does not know.
  let domain: ErrorDomain?
  let number: Int
  /// The name of the URLSession error code, such as `timedOut`.
  let name: String
  /// The localized description. Private in the log.
  let message: String
  let osError: Int?
  /// The reason why the system cancelled a background task. `nil` when the system did not cancel it.
  let cancelReason: CancelReason?
  /// The reason why the network path could not be used. `nil` when the error does not describe the path.
  let unsatisfied: UnsatisfiedReason?

  init(_ error: any Error) {
    let error = error as NSError
    number = error.code
    switch error.domain {
    case NSURLErrorDomain: (domain, name) = (.url, URLErrorNames.name(of: error.code) ?? "unknown")
    case NSPOSIXErrorDomain: (domain, name) = (.posix, "system")
    default: (domain, name) = (nil, "unknown")
    }
    message = error.localizedDescription
    osError = error.domain == NSPOSIXErrorDomain ? error.code : Self.underlying(error)
    cancelReason = (error.userInfo["NSURLErrorBackgroundTaskCancelledReasonKey"] as? Int).flatMap { Self.cancelReasons[$0] }
    unsatisfied = error.userInfo["_NSURLErrorNWPathKey"].flatMap { UnsatisfiedReason(pathDescription: "\($0)") }
  }

  var isCancellation: Bool { domain == .url && number == -999 }

  var end: AttemptEnd {
    guard domain == .url else { return .transport }
    switch number {
    case -999: return .cancelled
    case -1001: return .timeout
    case -1007, -1103: return .limit
    case -3006 ... -3000, -1100, -1102: return .file
    default: return .transport
    }
  }

  /// Returns the errno value of the underlying error, or `nil` if there is none.
  private static func underlying(_ error: NSError) -> Int? {
    let info = error.userInfo
    if info["_kCFStreamErrorDomainKey"] as? Int == 1, let code = info["_kCFStreamErrorCodeKey"] as? Int { return code }
    guard let beneath = info[NSUnderlyingErrorKey] as? NSError, beneath !== error else { return nil }
    return beneath.domain == NSPOSIXErrorDomain ? beneath.code : nil
  }

  private static let cancelReasons: [Int: CancelReason] = [
    0: .userForceQuit, 1: .backgroundUpdatesDisabled, 2: .insufficientResources,
  ]
}
