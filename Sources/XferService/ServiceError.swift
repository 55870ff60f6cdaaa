package import XferEngine

/// An error that keeps the daemon from serving or from completing an operation.
package struct ServiceError: Error, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// Another daemon is already serving in this directory.
    case alreadyServing
    case cannotListen
    case cannotStore
    /// A file or directory could be read or changed by another user.
    case unsafeDirectory
  }

  package let code: Code
  package let problem: String

  package init(_ code: Code, _ problem: String) { (self.code, self.problem) = (code, problem) }

  package init(_ problem: PrivateDirectory.Problem) { self.init(.unsafeDirectory, "\(problem)") }

  package var description: String { problem }
}
