#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension TransferSession {
  /// A response body as an asynchronous sequence of chunks of any size.
  ///
  /// The sequence can be iterated once. The transfer pauses while the buffer is full. Releasing the sequence before its end
  /// cancels the task.
  public struct AsyncBody: AsyncSequence, Sendable {
    public typealias Element = Data
    public typealias Failure = TransferError

    private let handle: Handle

    init(_ body: IncomingBody, of task: TransferTask) { handle = Handle(body, task) }

    public var task: TransferTask { handle.task }

    public func makeAsyncIterator() -> Iterator { Iterator(handle: handle) }

    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let handle: Handle

      public mutating func next() async throws -> Data? { try await handle.next() }

      public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransferError) -> Data? {
        try await handle.next()
      }
    }
  }
}

/// The shared state of a body sequence and its iterators. Cancels the task when the last of them is released.
private final class Handle: Sendable {
  let task: TransferTask
  private let body: IncomingBody

  init(_ body: IncomingBody, _ task: TransferTask) {
    self.body = body
    self.task = task
  }

  deinit { task.cancel() }

  func next() async throws(TransferError) -> Data? {
    let mailbox = task.session.context.mailbox
    let (task, body) = (task, body)
    let result = await withTaskCancellationHandler { () async -> Result<Data?, TransferError> in
      do throws(TransferError) {
        return .success(try await body.next { mailbox.post(.drained(task)) })
      } catch {
        return .failure(error)
      }
    } onCancel: {
      task.cancel()
    }
    return try result.get()
  }
}
