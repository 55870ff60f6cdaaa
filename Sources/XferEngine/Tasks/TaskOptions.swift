internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension TransferSession {
  /// The options of a task, in addition to its request.
  public struct TaskOptions: Sendable {
    /// The app's description of the task. `nil` means none. Logged as a private value.
    public var taskDescription: String?
    /// App-defined metadata, which is kept across `downloadTask(withResumeData:)`. At most 4 KiB as JSON.
    ///
    /// Logged as one private value, without entries whose keys indicate secrets, such as `token`.
    public var metadata: [String: String] = [:]
    /// The priority, from 0 to 1. See `TransferTask.priority`.
    public var priority = TransferTask.defaultPriority
    /// The app's estimate of the bytes to send, for the log and the progress. -1 means unknown.
    public var countOfBytesClientExpectsToSend: Int64 = -1
    /// The app's estimate of the bytes to receive. -1 means unknown. The progress uses it if the server does not declare the
    /// length.
    public var countOfBytesClientExpectsToReceive: Int64 = -1
    /// The timeout for an attempt without progress.
    public var timeoutIntervalForRequest = TimeLimit.session
    /// The time limit for the whole task.
    public var timeoutIntervalForResource = TimeLimit.session
    /// The earliest time at which a task of a background session may begin, in seconds since 1970. `nil` means immediately.
    public var earliestBeginDate: Double?
    /// Whether the file of an upload is temporary and will be deleted by the app. Lets log analysis find files that were not
    /// deleted.
    public var sourceIsTemporary = false
    /// Whether the request may be sent again after the server may have carried it out: after a lost connection, or after a restart
    /// of the daemon. `nil` means that only a request with an idempotent method (RFC 9110 §9.2.2) or an `Idempotency-Key` field may.
    ///
    /// Any other request, such as a `POST`, fails instead. Only the app knows whether its server detects the repetition.
    public var allowsRepetition: Bool?
    /// Whether the task may share its transfer with identical requests of the session. `nil` means the session's setting.
    public var coalescesIdenticalRequests: Bool?
    /// Whether the task's requests carry `traceparent`. `nil` means the session's setting.
    public var sendsTraceContext: Bool?
    /// The parent of the task's progress. `nil` means none.
    public var parentProgress: TransferProgress?
    /// The number of units of the parent's progress that the task accounts for.
    public var progressUnitCount: Int64 = 1
    /// The directory of a download's temporary file. `nil` means the session's temporary directory.
    package var partialDirectory: String?
    /// A closure that is called on the engine's thread before a request is sent that must not be sent again.
    package var willSendUnrepeatable: (@Sendable () -> Void)?

    public init(taskDescription: String? = nil, metadata: [String: String] = [:]) {
      self.taskDescription = taskDescription
      self.metadata = metadata
    }
  }

  /// A time limit of one task.
  public enum TimeLimit: Sendable, Equatable {
    /// The limit in the session's configuration.
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
  /// Returns a copy with another description.
  ///
  /// - Parameter description: The new description. `nil` keeps the current description.
  func described(as description: String?) -> Self {
    var options = self
    options.taskDescription = description ?? taskDescription
    return options
  }

  /// Returns a copy with the description and metadata of the partial download, where the options have none.
  func continuing(_ resumeData: ResumeData) -> Self {
    var options = self
    options.taskDescription = taskDescription ?? resumeData.description
    if metadata.isEmpty { options.metadata = resumeData.metadata }
    return options
  }

  private static let metadataLimit = 4096

  /// Returns the metadata as JSON for the log, without secrets, or `nil` if there is no metadata.
  ///
  /// - Throws: An error if the metadata exceeds 4 KiB.
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
      problem: "the metadata has \(count) bytes as JSON; the limit is \(limit) bytes")
  }
}
