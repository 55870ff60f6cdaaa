import XferEvents
import XferLogStore
import XferReading

/// An error that prevents a postmortem.
public struct PostmortemError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// An option is invalid, or names a file that is invalid.
    case invalidOptions
    /// An input exists, but cannot be read or is not a log; or the report cannot be written.
    case unreadable
    /// No input exists.
    case nothingFound
    /// The log is damaged, and `Options.recovery` is `strict`.
    case damaged
  }

  public let code: Code
  /// A sentence that says what happened, where, and what to do.
  public let description: String

  init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

  /// Runs a function and turns the errors of its reading into this one.
  static func catching<Result>(_ body: () throws -> Result) throws(PostmortemError) -> Result {
    do {
      return try body()
    } catch {
      throw PostmortemError(error)
    }
  }

  private init(_ error: any Error) {
    switch error {
    case let error as PostmortemError: self = error
    case let exit as CommandExit: self.init(Code(exit.status), exit.reason.description)
    case let error as LogError: self.init(.unreadable, error.message.description)
    case let error as SourceError: self.init(.unreadable, error.message.description)
    default: self.init(.unreadable, "\(error)")
    }
  }
}

extension PostmortemError.Code {
  fileprivate init(_ status: ExitStatus) {
    switch status {
    case .wrongUsage: self = .invalidOptions
    case .nothingAnalysed: self = .nothingFound
    case .incomplete: self = .damaged
    case .failed, .analysed, .findings, .noMatch, .timedOut, .interrupted: self = .unreadable
    }
  }
}
