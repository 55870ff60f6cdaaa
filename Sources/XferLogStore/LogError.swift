/// An error about a log: its code, the file or directory, the problem, and the advice.
public struct LogError: Error, Equatable {
  /// A short identifier that never changes, suitable as a metric label.
  public enum Code: String, Sendable {
    case cannotCreate = "cannot-create"
    case cannotOpen = "cannot-open"
    /// Emitted events may not have reached the disk.
    case cannotSync = "cannot-sync"
    case notALog = "not-a-log"
    /// A directory, pipe or device has the name of a segment file.
    case notAFile = "not-a-file"
    /// The segment is empty, usually because its writer was killed before writing anything.
    case unfinished
    case unknownVersion = "unknown-version"
    case unknownFeature = "unknown-feature"
    case damagedHeader = "damaged-header"
    /// The destination already exists and was not overwritten.
    case exists
    case badKey = "bad-key"
    case cannotSeal = "cannot-seal"
    case sealDiffers = "seal-differs"
    case badLevels = "bad-levels"
    /// An event could not be written and was counted as dropped.
    case notWritten = "not-written"
    case cannotSalvage = "cannot-salvage"
  }

  public let code: Code
  /// The path of the affected file or directory.
  public let place: String
  public let problem: String
  public let advice: String
  /// The system's errno value; `nil` if no system call failed.
  public let osError: Int32?

  package init(_ code: Code, place: String, problem: String, advice: String, osError: Int32? = nil) {
    self.code = code
    self.place = place
    self.problem = problem
    self.advice = advice
    self.osError = osError
  }
}

extension LogError: CustomStringConvertible {
  public var description: String { "\(place): \(problem).\n\(advice)" }
}
