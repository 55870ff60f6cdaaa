import XferEvents
import XferLifecycle

/// Remedies for failures that are not failures of the network.
enum FailureRemedy {
  /// Returns the remedy for an error; `nil` if the error alone does not tell enough.
  static func text(for error: TaskLifecycle.ErrorFacts, in coverage: ImportCoverage) -> String? {
    switch error.domain {
    case .url: urlSession(error.number)
    case nil: coverage.isApple ? urlSession(error.number) : nil
    case .cocoa: cocoa(error.number)
    case .posix: posix(error.number)
    case .curl: curl(error.number)
    case .other: error.name.flatMap(named)
    case .http, .xfer, .cfnetwork: nil
    }
  }

  /// Returns the remedy for a response with an error status.
  static func text(forStatus status: Int) -> String {
    switch status {
    case 401, 407: "Send valid credentials: they are missing or have expired."
    case 403:
      "Check the permissions of the credentials, and whether a signed URL has expired. The body of the response often names the reason."
    case 404, 410: "Check the address: the server has nothing there."
    case 408, 425, 429, 503: "Repeat the request later, not before the time of the header Retry-After."
    case 409: "Check whether another transfer changes the same resource, or has changed it since."
    case 411, 413: "Send a body with a known length that is within the limit of the server and of the proxies in between."
    case 412: "The resource has changed: load its current version and its current entity tag."
    case 416: "The partial file does not match the resource: remove it and start from the beginning."
    case 500...: "Look at the log of the server at this time. Repeat the request after a delay if it is idempotent."
    default: "Look at the body of the response, in which the server may name the reason."
    }
  }

  private static let missingFile =
    "Check the path: no file is there. Create the file before the task, and keep it until the task has completed."
  private static let unreadableFile = "Check the permissions and the data protection of the file: the process cannot read it."

  private static func urlSession(_ code: Int) -> String? {
    switch code {
    case -996:
      """
      Only one process can use a background session. Give the app and each of its extensions a session identifier of its own, and \
      invalidate the session of an extension before the app creates it.
      """
    case -1000, -1002: "Check the URL of the request: it is malformed, or its scheme is not supported."
    case -1007, -1010: "Follow the redirects of the address with `curl -v -L`: they lead in a circle or to an invalid address."
    case -1017 ... -1014, -1011:
      "Look at the response with `curl -v`: it is empty, or its encoding or its form is invalid. A proxy in between may have changed it."
    case -1012, -1013:
      "Answer the authentication challenge with valid credentials, in the session's or the task's delegate method for challenges."
    case -1021: "Give a new body stream in urlSession(_:task:needNewBodyStream:), or upload from a file, which can be read again."
    case -1022:
      """
      Use https, or add an exception for the host to NSAppTransportSecurity in Info.plist: App Transport Security refused an insecure \
      address.
      """
    case -1100: missingFile
    case -1101: "Give the path of a file: this one is a directory."
    case -1102: unreadableFile
    case -1103: "The body is larger than allowed: use a download task, which writes to a file."
    case -3007 ... -3000:
      "Check the free space of the disk and the permissions and the data protection of the file's directory."
    default: nil
    }
  }

  private static func cocoa(_ code: Int) -> String? {
    switch code {
    case 4, 260: missingFile
    case 257: unreadableFile
    case 513: "Check the permissions of the directory: the process cannot write to it."
    case 516: "A file with this name already exists: remove it first, or use replaceItemAt."
    case 640: "Free space on the disk, and check the available capacity before a large transfer."
    default: nil
    }
  }

  private static func posix(_ number: Int) -> String? {
    switch number {
    case 1, 13: "Check the permissions and the data protection of the file."
    case 2: "Check the path: no file is there."
    case 28:
      """
      Check the free space of the disk. If there is enough, the system could not add a network flow, which has the same error: too many \
      connections are open, often those of sessions that were never invalidated.
      """
    default: nil
    }
  }

  private static func curl(_ code: Int) -> String? {
    switch code {
    case 1, 3: "Check the URL: it is malformed, or this curl does not support its scheme."
    case 22: "Run curl without -f, or with --fail-with-body, to see the response, in which the server may name the reason."
    case 23:
      "Check the free space of the disk and the permissions of the output file. If curl writes to a pipe, its reader ended first."
    case 26, 37: "Check that the file to send exists and can be read."
    case 33:
      """
      Compare the size of the local file with that of the resource. If the local file is not shorter, it is complete or belongs to another \
      version; otherwise the server does not support ranges. In both cases, remove the file and start without -C.
      """
    case 47: "Follow the redirects with `curl -v -L`: they lead in a circle, or there are more than --max-redirs allows."
    case 61: "The server sent an encoding that curl cannot decode: run curl without --compressed."
    case 63: "The resource is larger than --max-filesize allows: raise the limit, or do not load it."
    case 67: "Send valid credentials: the server refused them."
    case 78: "Check the path: the server has no such file."
    default: nil
    }
  }

  /// - Parameter name: a name that an importer gives to a failure.
  private static func named(_ name: String) -> String? {
    if name.hasPrefix("Worker result") || name.hasPrefix("the worker") {
      return """
        Look for an exception of the same process before the evidence. WorkManager records only the result, so log the exception in the \
        worker, or put it into the output data of the result.
        """
    }
    return name == "incomplete"
      ? "The connection was closed within the transfer, by the client or on the way. Compare the time with the log of the client."
      : nil
  }
}
