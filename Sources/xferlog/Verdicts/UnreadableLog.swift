import XferEvents
import XferLogStore
import XferReading

/// An error that says why no log can be judged, with the exit code and the reason.
struct UnreadableLog: Error {
  let cause: any Error
  let conclusion: DiagnosedLog.Conclusion

  /// Returns `nil` for errors that say nothing about a log, such as those of the output.
  private init?(_ error: any Error) {
    switch error {
    case let exit as CommandExit: conclusion = (exit.status, exit.reason)
    case let error as LogError: conclusion = (.failed, error.message)
    case let error as SourceError: conclusion = (.failed, error.message)
    default: return nil
    }
    cause = error
  }

  /// Runs a function and wraps the errors that say why no log can be judged.
  static func catching<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      if let unreadable = UnreadableLog(error) { throw unreadable }
      throw error
    }
  }
}
