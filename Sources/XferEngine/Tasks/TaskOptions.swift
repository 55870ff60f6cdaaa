internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension TransferSession {
  /// What a task is told beside its request.
  public struct TaskOptions: Sendable {
    /// What the task is for, in the app's own words; logged as a private value.
    public var taskDescription: String?
    /// What the app wants to find again with the task, also after `downloadTask(withResumeData:)`: at most 4 KiB as JSON. Logged as one
    /// private value, without what a key calls a secret, as `token` does.
    public var metadata: [String: String] = [:]
    /// From 0 to 1; see `TransferTask.priority`.
    public var priority = TransferTask.defaultPriority
    /// In bytes; -1 when the app cannot tell. For the log and for progress.
    public var countOfBytesClientExpectsToSend: Int64 = -1
    /// In bytes; -1 when the app cannot tell. Progress counts on it where the server declares no length.
    public var countOfBytesClientExpectsToReceive: Int64 = -1
    public var timeoutIntervalForRequest = TimeLimit.session
    public var timeoutIntervalForResource = TimeLimit.session
    /// When a task of a background session may begin, in seconds since 1970; `nil` for at once.
    public var earliestBeginDate: Double?
    /// Whether the file of an upload was made for this task alone, and is to be deleted after it; for the log, which finds what is left.
    public var sourceIsTemporary = false
    /// Whether the task shares its transfer with others of the session that ask for the same at the same time; `nil` is as the session
    /// has it.
    public var coalescesIdenticalRequests: Bool?
    /// What the task's progress is a part of, and how many of its units.
    public var parentProgress: TransferProgress?
    public var progressUnitCount: Int64 = 1
    /// Where a download is written until it is claimed; `nil` for the session's temporary directory.
    package var partialDirectory: String?

    public init(taskDescription: String? = nil, metadata: [String: String] = [:]) {
      self.taskDescription = taskDescription
      self.metadata = metadata
    }
  }

  /// A time limit of one task.
  public enum TimeLimit: Sendable, Equatable {
    /// That of the session's configuration.
    case session
    case none
    case after(Duration)

    func applied(to session: Duration?) -> Duration? {
      switch self {
      case .session: session
      case .none: nil
      case .after(let limit): max(.zero, limit)
      }
    }
  }
}

extension TransferSession.TaskOptions {
  /// - Parameter description: `nil` leaves the one that is there.
  func described(as description: String?) -> Self {
    var options = self
    options.taskDescription = description ?? taskDescription
    return options
  }

  /// With what a download had that these go on with.
  func continuing(_ resumeData: ResumeData) -> Self {
    var options = self
    options.taskDescription = taskDescription ?? resumeData.description
    if metadata.isEmpty { options.metadata = resumeData.metadata }
    return options
  }

  private static let metadataLimit = 4096

  /// As the log has it; `nil` when there is none.
  ///
  /// - Throws: when there is too much of it.
  func loggedMetadata() throws(TransferError) -> String? {
    guard !metadata.isEmpty else { return nil }
    let size = Self.json(metadata).count
    guard size <= Self.metadataLimit else { throw .metadataTooLarge(size, limit: Self.metadataLimit) }
    return String(decoding: Self.json(metadata.filter { !SecretName.matches(value: $0.key) }), as: UTF8.self)
  }

  private static func json(_ metadata: [String: String]) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let json = try? encoder.encode(metadata) else { preconditionFailure("texts can be encoded") }
    return json
  }
}

extension TransferError {
  static func metadataTooLarge(_ count: Int, limit: Int) -> TransferError {
    TransferError(
      .dataLengthExceedsMaximum, domain: .xfer, number: 5, stage: .creation,
      problem: "the metadata has \(count) bytes, and \(limit) are kept")
  }
}
