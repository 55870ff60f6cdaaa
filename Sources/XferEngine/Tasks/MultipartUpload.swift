public import HTTPTypes
public import XferEvents

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A file that an app uploads in several parts, each by an upload task, such as a multipart upload of an object store.
///
/// The app makes the requests that begin, complete and abort the upload, because stores differ in them. This type numbers the
/// parts' tasks and logs which parts the server has stored. A part's task names its upload and its number in its metadata, so that a
/// later launch can note the completion of a part that an earlier launch began.
///
/// ```swift
/// let upload = MultipartUpload(name: "film-7", source: film, sink: log)
/// upload.begin()
/// try upload.uploadTask(forPart: 1, with: request, fromFile: slice, in: session).resume()
///
/// func urlSession(_ session: TransferSession, task: TransferTask, didCompleteWithError error: TransferError?) {
///   upload.noteCompletion(of: task, error: error)
/// }
/// ```
public final class MultipartUpload: Sendable {
  /// The metadata key under which a part's task has the name of its upload.
  public static let nameKey = "multipart.upload"
  /// The metadata key under which a part's task has its number.
  public static let partKey = "multipart.part"

  public let name: String
  /// The file whose parts are uploaded. `nil` if the app does not name it.
  public let source: URL?
  private let id: CorrelationID
  private let sink: any EventSink

  /// - Parameters:
  ///   - name: The upload's name, unique among the app's uploads and the same in each launch.
  ///   - source: The file whose parts are uploaded. Its size and modification time are logged with each stored part, so that the
  ///     log shows a file that was changed in between.
  ///   - sink: The log.
  public init(name: String, source: URL? = nil, sink: any EventSink) {
    (self.name, self.source, self.sink) = (name, source, sink)
    id = CorrelationID(ProgramName.number(of: name))
  }

  /// Logs that the server has begun the upload.
  ///
  /// - Parameter isResumable: Whether the app continues the upload in a later launch.
  public func begin(isResumable: Bool = false) { sink.emit(MultipartStarted(upload: id, resumable: isResumable ? true : nil)) }

  /// Creates a suspended task that uploads one part from a file of its own.
  ///
  /// - Parameters:
  ///   - number: The part's number, from 1.
  ///   - request: The request that stores the part.
  ///   - options: Further options of the task. Its metadata gets the upload's name and the part's number.
  public func uploadTask(
    forPart number: Int, with request: HTTPRequest, fromFile file: URL, in session: TransferSession,
    options: TransferSession.TaskOptions = TransferSession.TaskOptions()
  ) throws(TransferError) -> UploadTask {
    var options = options
    options.metadata[Self.nameKey] = name
    options.metadata[Self.partKey] = "\(number)"
    return try session.uploadTask(with: request, fromFile: file, options: options)
  }

  /// Logs that the server has stored a part. Has no effect if the task is not a part of this upload, or if the server did not accept the
  /// part. Call this in `urlSession(_:task:didCompleteWithError:)`.
  ///
  /// - Parameter error: The error with which the task completed.
  /// - Returns: The number of the stored part. `nil` if none was stored.
  @discardableResult
  public func noteCompletion(of task: TransferTask, error: TransferError?) -> Int? {
    guard task.metadata[Self.nameKey] == name, let number = task.metadata[Self.partKey].flatMap(Int.init(_:)), error == nil,
      let status = task.response?.statusCode, 200..<300 ~= status
    else { return nil }
    let source = source.flatMap { try? SourceFile(path: $0.path) }
    sink.emit(
      MultipartPartStored(
        upload: id, task: task.identity, part: number, sent: task.countOfBytesSent, sourceSize: source?.size,
        sourceModified: source?.modified))
    return number
  }

  /// Logs that the server has put the parts together.
  public func noteCompleted() { sink.emit(MultipartCompleted(upload: id)) }

  /// Logs that the server has discarded the parts.
  public func noteAborted() { sink.emit(MultipartAborted(upload: id)) }
}
