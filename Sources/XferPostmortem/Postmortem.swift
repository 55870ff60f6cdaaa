public import Foundation
public import XferEvents
import XferReading

/// What happened to the transfers of a log: the lifecycles of sessions and tasks, and what went wrong.
///
/// ```swift
/// let postmortem = try Postmortem(of: "run.xlog")
/// for finding in postmortem.findings { print(finding) }
/// ```
///
/// The value is the document `xferlog.replay/1` that `xferlog replay -o json` prints: its properties have the names of the document's
/// fields, and it can be decoded from such a document and encoded as one.
public struct Postmortem: Sendable, Equatable, Codable {
  /// The overall result.
  public enum Verdict: String, Sendable, Codable {
    case clean, findings, incomplete
    case nothingAnalysed = "nothing-analysed"
  }

  /// The tasks, in the order in which they ended.
  public let tasks: [TransferTask]
  /// The overall result.
  public let verdict: Verdict
  /// Whether the log holds everything that was recorded.
  public let isComplete: Bool
  /// The reasons why the log is incomplete, as clauses without a full stop.
  public let incompleteBecause: [String]
  /// The exit code of `xferlog replay` with the same options.
  public let exitCode: Int
  /// The number of events.
  public let events: Int
  /// The number of events that no lifecycle consumes.
  public let unmodelled: Int
  /// The number of events about tasks that were already closed.
  public let late: Int
  /// The number of effects that were recorded before their causes.
  public let inversions: Int
  /// The user-defined rules that were applied.
  public let userRules: [UserRule]
  /// The limits of rules that differ from their defaults.
  public let limits: [Limit]
  /// The part of the log that was judged. `nil` means the whole log, which is all that this library judges.
  public let window: Window?
  /// The use of the baseline and of suppressions. `nil` if neither was given.
  public let acceptance: Acceptance?
  /// The logs.
  public let inputs: [Input]
  /// The process lives.
  public let processes: [ProcessLife]
  /// The sessions by identifier.
  public let sessions: [Session]
  /// The wakes of apps for background sessions.
  public let wakes: [Wake]
  /// The findings.
  public internal(set) var findings: [Finding]
  /// The questions that rules could not decide.
  public let undecided: [Undecided]
  /// The reason for the exit code. `nil` if nothing went wrong, and for a postmortem that was decoded.
  public internal(set) var reason: String?

  // MARK: Reading

  /// Reads logs to their end and judges them.
  ///
  /// - Parameters:
  ///   - log: The path of a log: a `.xlog` directory, a segment, a directory or glob of logs, a log of another program, an archive,
  ///     or an HTML report.
  ///   - options: The rules, the accepted findings, and what counts as a failure.
  ///   - each: A function that is called with each event and each gap, in the order in which the rules see them.
  /// - Throws: `PostmortemError` if nothing can be read, or if an option names a file that is invalid.
  public init(
    of log: String, options: Options = Options(), each: ((LogMember) -> Void)? = nil
  ) throws(PostmortemError) {
    try self.init(of: [log], options: options, each: each)
  }

  /// Reads several logs together, such as those of an app and of the daemon.
  ///
  /// - Parameters:
  ///   - logs: The paths of the logs, at least one.
  ///   - options: The rules, the accepted findings, and what counts as a failure.
  ///   - each: A function that is called with each event and each gap, in the order in which the rules see them.
  /// - Throws: `PostmortemError` if nothing can be read, or if an option names a file that is invalid.
  public init(
    of logs: [String], options: Options = Options(), each: ((LogMember) -> Void)? = nil
  ) throws(PostmortemError) {
    self = try PostmortemError.catching { try Replaying(logs, options).postmortem(each: each) }
  }

  // MARK: The result

  /// Returns the findings that fail a test: those that no other finding explains, that nothing accepts, and that are at least
  /// *probable*.
  ///
  /// - Parameters:
  ///   - severity: The lowest severity that counts.
  ///   - includesPossible: Whether findings with the certainty `possible` count, too.
  public func findings(from severity: Severity, includesPossible: Bool = false) -> [Finding] {
    findings.filter {
      $0.causedBy == nil && $0.accepted == nil && $0.severity >= severity && (includesPossible || $0.certainty >= .probable)
    }
  }

  /// The document `xferlog.replay/1` in UTF-8.
  public var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }
}
