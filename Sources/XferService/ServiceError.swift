package import XferEngine

/// Why the daemon cannot serve, or cannot do what it was asked for.
package struct ServiceError: Error, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// Another one serves.
    case alreadyServing
    case cannotListen
    case cannotStore
    /// Somebody else could read or change what is there.
    case unsafeDirectory
  }

  package let code: Code
  package let problem: String

  package init(_ code: Code, _ problem: String) { (self.code, self.problem) = (code, problem) }

  package init(_ problem: PrivateDirectory.Problem) { self.init(.unsafeDirectory, "\(problem)") }

  package var description: String { problem }
}
