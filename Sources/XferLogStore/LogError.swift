/// What went wrong with a log, where, and what to do.
public struct LogError: Error, Equatable {
  /// Short and fixed: fit to be a metric's label.
  public enum Code: String, Sendable {
    case cannotCreate = "cannot-create"
    case cannotOpen = "cannot-open"
    /// What was emitted may not be on the disk.
    case cannotSync = "cannot-sync"
    case notALog = "not-a-log"
    /// A directory, a pipe or a device under a segment's name.
    case notAFile = "not-a-file"
    /// A segment that was begun and holds nothing yet: no loss.
    case unfinished
    case unknownVersion = "unknown-version"
    case unknownFeature = "unknown-feature"
    case damagedHeader = "damaged-header"
    /// It exists already, and is not written over.
    case exists
    case badKey = "bad-key"
    case cannotSeal = "cannot-seal"
    case sealDiffers = "seal-differs"
    case badLevels = "bad-levels"
    /// An event that was counted instead.
    case notWritten = "not-written"
    case cannotSalvage = "cannot-salvage"
  }

  public let code: Code
  /// The file or directory.
  public let place: String
  public let problem: String
  public let advice: String
  /// errno, when the system gave one.
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
